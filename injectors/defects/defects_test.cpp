#include "injectors/defects/defects.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "generators/draw.h"
#include "generators/reduce.h"
#include "harness/properties/property.h"
#include "harness/runner/loop/run.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::injectors {
namespace {

constexpr std::uint64_t kCasesMax = 750;
constexpr std::size_t kScalarsMax = 12;

struct FindingListener : runner::Listener {
  std::string property;
  bool has_seen = false;
  void found(const cases::Finding& finding) override { has_seen = has_seen || finding.property == property; }
};

/// Runs the defect among the neighbours until the property has found something; with an empty name, to the
/// end.
runner::RunSummary run_of(const std::string& name, std::uint64_t seed, const std::string& until) {
  const runner::Subject subject = find_subject(name).value();
  const generators::DrawContext chains({.subjects = {subject},
                                        .peers = newest(Role::peer),
                                        .resolve = [](std::string_view one) { return resolve(one); }});
  FindingListener listener;
  listener.property = until;
  runner::RunOptions options;
  options.drawing.seed = seed;
  options.effort.cases_max = kCasesMax;
  options.effort.seconds_max = 0;
  options.subjects.configurations = {std::string(subject.configuration["metadata"]["name"].text())};
  options.drawing.draw = [&](runner::Choices& choices, auto) { return generators::draw(choices, chains); };
  options.drawing.reduce = generators::reduce;
  options.subjects.resolve = [](std::string_view injector) { return resolve(injector); };
  options.hooks.clock = [] { return 0.0; };
  options.hooks.is_enough_to_see = [&](const properties::Observation& seen) { return seen.kind == until; };
  options.hooks.interrupted = [&] { return listener.has_seen; };
  return runner::run(options, listener);
}

bool has_observed(const runner::RunSummary& summary, std::string_view kind) {
  return std::any_of(summary.observations.begin(), summary.observations.end(),
                     [&](const runner::Observed& one) { return one.observation.kind == kind; });
}

bool is_observation(std::string_view name) {
  const auto kinds = properties::observation_kinds();
  return std::find(kinds.begin(), kinds.end(), name) != kinds.end();
}

class Variants : public testing::TestWithParam<defects::Defect> {};

std::string variant(const char* release) {
  return "defects/" + std::string(Variants::GetParam().name) + release;
}

TEST_P(Variants, TheBuggyOneIsFoundByTheExpectedProperty) {
  const std::string expected(GetParam().caught_by);
  for (const std::uint64_t seed : {1U, 2U}) {
    const auto summary = run_of(variant("@buggy"), seed, expected);
    if (is_observation(expected)) {
      EXPECT_TRUE(has_observed(summary, expected)) << "seed " << seed;
      continue;
    }
    const auto found =
        std::find_if(summary.findings.begin(), summary.findings.end(),
                     [&](const cases::Finding& finding) { return finding.property == expected; });
    ASSERT_NE(found, summary.findings.end()) << "seed " << seed;
    EXPECT_LE(runner::scalar_count(found->value.request.object), kScalarsMax) << "seed " << seed;
  }
}

TEST_P(Variants, NothingIsFoundOnTheFixedOne) {
  const auto summary = run_of(variant("@fixed"), 3, "");
  EXPECT_EQ(summary.cases, kCasesMax);
  EXPECT_EQ(summary.broken, 0u);
  EXPECT_FALSE(has_observed(summary, GetParam().caught_by));
  for (const cases::Finding& finding : summary.findings) {
    ADD_FAILURE() << finding.property << ": " << finding.evidence.reason << "\n"
                  << cases::canonical_text(finding.value);
  }
}

INSTANTIATE_TEST_SUITE_P(Defects, Variants, testing::ValuesIn(defects::all()), [](const auto& row) {
  std::string name(row.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Defects, EveryRowSaysWhoIsExpectedToFindIt) {
  for (const defects::Defect& row : defects::all())
    EXPECT_TRUE(is_observation(row.caught_by) || properties::find(row.caught_by) != nullptr) << row.name;
}

TEST(Defects, NoneJoinsAsANeighbour) {
  for (const runner::Subject& peer : newest(Role::peer)) EXPECT_FALSE(peer.name.starts_with("defects/"));
  for (const runner::Subject& subject : newest(Role::subject))
    EXPECT_FALSE(subject.name.starts_with("defects/"));
}

TEST(Defects, WithoutAVariantItIsTheBuggyOne) {
  EXPECT_EQ(find_subject("defects/timestamp").value().name, "defects/timestamp@buggy");
}

}  // namespace
}  // namespace fixpoint::injectors
