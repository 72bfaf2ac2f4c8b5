#include "generators/draw_workload.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators/draw.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/cases/kind.h"
#include "harness/document/json.h"

namespace fixpoint::generators {
namespace {

using apiserver::Admission;
using cases::Case;
using cases::Kind;
using document::Value;

constexpr int kDraws = 200;

std::vector<Kind> workload_kinds() {
  std::vector<Kind> kinds;
  for (const Kind& kind : cases::built_in_kinds())
    if (apiserver::makes_pods(kind)) kinds.push_back(kind);
  return kinds;
}

Case creation_of(Value object) {
  Case value;
  value.request.object = std::move(object);
  return value;
}

std::optional<Admission> admitted(const Case& value) {
  auto admission = apiserver::admit(value, {});
  return admission && admission->allowed ? std::optional(*std::move(admission)) : std::nullopt;
}

TEST(DrawnWorkloads, AreSixKinds) {
  std::vector<std::string_view> names;
  for (const Kind& kind : workload_kinds()) names.push_back(kind.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string_view>{"CronJob", "DaemonSet", "Deployment", "Job", "ReplicaSet",
                                                  "StatefulSet"}));
}

TEST(DrawnWorkloads, AreTakenByTheServerAtLeastInHalf) {
  for (const Kind& kind : workload_kinds()) {
    int taken = 0;
    for (int seed = 0; seed < kDraws; ++seed) {
      runner::Choices choices(41, static_cast<std::uint64_t>(seed));
      const Value pod = draw_pod(choices, {});
      if (admitted(creation_of(draw_workload(choices, kind, pod)))) ++taken;
    }
    EXPECT_GE(2 * taken, kDraws) << kind.name;
  }
}

/// Each change is taken for some of the kinds: none is only ever refused.
TEST(DrawnWorkloads, AreUpdatedAsClientsDo) {
  for (const WorkloadChange& change : workload_changes()) {
    int taken = 0, changed = 0;
    for (const Kind& kind : workload_kinds()) {
      for (std::uint64_t seed = 0; seed < 12; ++seed) {
        runner::Choices choices(43, seed);
        const Value pod = draw_pod(choices, {});
        Case value = creation_of(draw_workload(choices, kind, pod));
        const auto created = admitted(value);
        if (!created) continue;
        value.request.operation = "UPDATE";
        value.request.object = value.request.old_object = apiserver::shown_to_client(value, *created);
        change.make(choices, kind, value.request.object);
        if (value.request.object == value.request.old_object) continue;
        ++changed;
        if (admitted(value)) ++taken;
      }
    }
    EXPECT_GT(changed, 0) << change.name;
    EXPECT_GT(taken, 0) << change.name;
  }
}

RC_GTEST_PROP(DrawnWorkloads, AreDecodedHoweverTheyAreEdited, ()) {
  runner::Choices choices(*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<std::uint64_t>(0, 1000));
  const auto kinds = workload_kinds();
  const Kind& kind = choices.pick(kinds);
  Value object = draw_workload(choices, kind, draw_pod(choices, {}));
  for (int i = 0; i < 4; ++i) edit_workload(choices, kind, cases::kNewestMinor, object);
  RC_ASSERT(apiserver::admit(creation_of(std::move(object)), {}).ok());
}

}  // namespace
}  // namespace fixpoint::generators
