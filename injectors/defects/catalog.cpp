#include <array>
#include <utility>

#include "harness/document/check.h"
#include "injectors/defects/defects.h"
#include "injectors/peers/peers.h"

namespace fixpoint::injectors::defects {

namespace {

constexpr std::array<std::string_view, 2> kTwins{"fixed", "buggy"};
constexpr std::size_t kDefectsMax = 96;
constexpr std::string_view kFolder = "defects/";

runner::Subject subject_of(std::size_t index, std::string_view twin) {
  const Defect& defect = all()[index];
  const std::string name = std::string(kFolder).append(defect.name).append("@").append(twin);
  const std::string configuration = "defect-" + std::string(defect.name);
  runner::Subject subject =
      peers::peer_subject(name.c_str(), configuration.c_str(), "inject.defects.example.io");
  defect.equip(subject);
  return subject;
}

webhooks::Handler handler_of(std::size_t index, std::string_view twin) {
  return [mutate = all()[index].mutate, is_fixed = twin == kTwins[0]](const webhooks::Call& call) {
    return mutate(call, is_fixed);
  };
}

/// The functions of a row know their defect by its number alone.
struct Functions {
  runner::Subject (*subject)(std::string_view twin);
  webhooks::Handler (*handler)(std::string_view twin);
};
template <std::size_t... kIndex>
constexpr std::array<Functions, sizeof...(kIndex)> functions(std::index_sequence<kIndex...>) {
  return {{{[](std::string_view twin) { return subject_of(kIndex, twin); },
            [](std::string_view twin) { return handler_of(kIndex, twin); }}...}};
}
constexpr auto kFunctions = functions(std::make_index_sequence<kDefectsMax>());

}  // namespace

std::span<const Defect> all() {
  static const std::vector<Defect> joined = [] {
    std::vector<Defect> defects;
    for (const auto table : {append_defects(), guard_defects(), patch_defects(), treatment_defects(),
                             value_defects(), answer_defects(), content_defects()}) {
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
    document::check(names.size() <= kDefectsMax, "there are functions for every defect");
    std::vector<Injector> injectors;
    for (std::size_t i = 0; i < names.size(); ++i) {
      injectors.push_back(
          {names[i], all()[i].sentence, Role::defect, kTwins, kFunctions[i].subject, kFunctions[i].handler});
    }
    return injectors;
  }();
  return made;
}

}  // namespace fixpoint::injectors::defects
