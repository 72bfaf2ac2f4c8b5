#include <array>
#include <string>
#include <vector>

#include "injectors/defects/defects.h"
#include "injectors/peers/peer_subject.h"

namespace fixpoint::injectors::defects {

namespace {

constexpr std::array<std::string_view, 2> kVariants{"fixed", "buggy"};
constexpr std::string_view kFolder = "defects/";

Injector row_of(const Defect& defect, std::string_view name) {
  const auto subject = [&defect, name](std::string_view variant) {
    const std::string full_name = std::string(name).append("@").append(variant);
    const std::string configuration = "defect-" + std::string(defect.name);
    runner::Subject made =
        peers::peer_subject(full_name.c_str(), configuration.c_str(), "inject.defects.example.io");
    defect.equip(made);
    return made;
  };
  const auto handler = [&defect](std::string_view variant) -> webhooks::Handler {
    return [mutate = defect.mutate, is_fixed = variant == kVariants[0]](const webhooks::Call& call) {
      return mutate(call, is_fixed);
    };
  };
  return {name, defect.sentence, Role::defect, kVariants, subject, handler};
}

}  // namespace

std::span<const Defect> all() {
  static const std::vector<Defect> joined = [] {
    std::vector<Defect> defects;
    for (const auto table :
         {append_defects(), guard_defects(), patch_defects(), treatment_defects(), value_defects(),
          answer_defects(), content_defects(), given_value_defects(), unseen_defects(), policy_defects(),
          custom_resource_defects(), workload_defects()}) {
      defects.insert(defects.end(), table.begin(), table.end());
    }
    return defects;
  }();
  return joined;
}

std::span<const Injector> rows() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const Defect& defect : all()) made.push_back(std::string(kFolder).append(defect.name));
    return made;
  }();
  static const std::vector<Injector> made = [] {
    std::vector<Injector> injectors;
    for (std::size_t i = 0; i < names.size(); ++i) injectors.push_back(row_of(all()[i], names[i]));
    return injectors;
  }();
  return made;
}

}  // namespace fixpoint::injectors::defects
