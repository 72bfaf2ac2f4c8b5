#include <gtest/gtest.h>

#include <tuple>

#include "generators/draw.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/runner/examine.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

/// Returns variants of the Pod: each has one change that affects the validation of other parts, or is itself
/// invalid.
std::vector<Value> disturbed(const Value& pod) {
  std::vector<Value> all(8, pod);
  all[0].edit("spec").remove("volumes");
  all[1].edit("spec").set("hostNetwork", true);
  all[2].edit("spec").set("os", {{"name", "windows"}});
  all[3].edit("metadata").set("name", "another-name-with-a-longer-text");
  all[4].edit("spec").edit("containers").push_back(pod["spec"]["containers"].at(0));
  all[5].edit("metadata").edit("annotations").set("not a key", "x");
  all[6].edit("spec").set("restartPolicy", "Never");
  auto& volumes = all[7].edit("spec").edit("volumes").edit_elements();
  if (volumes.empty()) volumes.push_back({});
  volumes.front() = {{"name", volumes.front()["name"]}, {"configMap", {{"name", "?"}}}};
  return all;
}

/// Returns the Pods of an admission, before and after its calls, and their variants.
std::vector<Value> pods_of(const Admission& admission) {
  std::vector<Value> pods{admission.first};
  for (const CallEvent& event : admission.calls) {
    if (event.result.applied && event.result.after["kind"].text() == "Pod")
      pods.push_back(event.result.after);
  }
  const std::size_t size = pods.size();
  for (std::size_t i : {std::size_t{0}, size - 1}) {
    for (Value& pod : disturbed(pods[i])) pods.push_back(std::move(pod));
  }
  return pods;
}

/// Parts that a Pod shares with a valid Pod are not checked again; the errors must be the same as after a
/// full check.
TEST(ValidatedParts, SparesNoError) {
  const generators::DrawContext draw_context({.subjects = injectors::newest(injectors::Role::subject),
                                              .peers = injectors::newest(injectors::Role::peer)});
  int passed = 0, refused = 0;
  for (std::uint64_t index = 0; index < 400; ++index) {
    runner::Choices choices(77, index);
    const auto prepared = runner::prepare(generators::draw(choices, draw_context), injectors::resolve, {});
    if (!prepared || prepared->value.request.is_update() || prepared->admission.first.is_null()) continue;
    const auto& [request, cluster] = std::tie(prepared->value.request, prepared->value.cluster);
    const int minor = minor_of(prepared->value.cluster);
    const auto pods = pods_of(prepared->admission);
    std::vector<Stored> all_checked;
    for (const Value& pod : pods) all_checked.push_back(store(request, cluster, pod, {}, minor,
                                                              {.warns = false}));
    for (const Stored& known : all_checked) {
      if (known.status || !known.invalid.empty()) continue;
      for (std::size_t i = 0; i < pods.size(); ++i) {
        const Stored again = store(request, cluster, pods[i], {}, minor,
                                   {.warns = false, .passed = known.object});
        ASSERT_EQ(again.invalid, all_checked[i].invalid) << cases::canonical_text(prepared->value);
        ++(again.invalid.empty() ? passed : refused);
      }
    }
  }
  EXPECT_GT(passed, 2000);
  EXPECT_GT(refused, 2000);
}

}  // namespace
}  // namespace fixpoint::apiserver
