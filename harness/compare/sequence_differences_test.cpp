#include "harness/compare/sequence_differences.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "harness/cli/command.h"
#include "harness/cli/program_test.h"
#include "harness/compare/case_differences.h"
#include "harness/document/json.h"
#include "harness/golden_test.h"
#include "injectors/bundled.h"
#include "injectors/reconcilers.h"

namespace fixpoint::compare {

using document::Value;
namespace {

using reconcile::Reconciled;
using reconcile::Request;

const std::vector<std::string>& releases() {
  static const auto all = [] {
    std::vector<std::string> names;
    for (const auto& row : injectors::all_reconcilers()) {
      for (const std::string_view release : row.releases)
        names.push_back(std::string(row.name).append("@").append(release));
    }
    return names;
  }();
  return all;
}

cases::Sequence any_sequence() {
  runner::Choices choices(*rc::gen::arbitrary<std::uint64_t>(), 0);
  return injectors::draw_sequence(choices, {releases().front()});
}

RC_GTEST_PROP(SequenceDifferences, NobodyDiffersFromItself, ()) {
  const std::string name = *rc::gen::elementOf(releases());
  RC_ASSERT(!first_difference(any_sequence(), {name, name}, injectors::bundled().resolve_reconciler));
}

RC_GTEST_PROP(SequenceDifferences, AreTheSameFromEitherSide, ()) {
  const std::string a = *rc::gen::elementOf(releases()), b = *rc::gen::elementOf(releases());
  const cases::Sequence value = any_sequence();
  const auto there = first_difference(value, {a, b}, injectors::bundled().resolve_reconciler);
  const auto back = first_difference(value, {b, a}, injectors::bundled().resolve_reconciler);
  RC_ASSERT(there.has_value() == back.has_value());
  if (!there) return;
  RC_ASSERT(there->path == back->path);
  RC_ASSERT(there->of_a == back->of_b);
  RC_ASSERT(there->of_b == back->of_a);
}

/// A shrunk Sequence shows the same difference; without any of its steps it shows none or another one.
RC_GTEST_PROP(SequenceDifferences, StayWhenTheyAreShrunk, ()) {
  const ReconcilerPair pair{"kserve/hpa@0.15.0", "kserve/hpa@0.15.2"};
  cases::Sequence value = any_sequence();
  auto difference = first_difference(value, pair, injectors::bundled().resolve_reconciler);
  for (int tries = 0; tries < 4 && !difference; ++tries) {
    value = any_sequence();
    difference = first_difference(value, pair, injectors::bundled().resolve_reconciler);
  }
  RC_PRE(difference.has_value());
  const auto smallest = shrink(value, *difference, pair, injectors::bundled().resolve_reconciler, {});
  const auto still = first_difference(smallest.value, pair, injectors::bundled().resolve_reconciler);
  RC_ASSERT(still.has_value());
  RC_ASSERT(still->fingerprint == difference->fingerprint);
  RC_ASSERT(still->path == smallest.difference.path);
  RC_ASSERT(smallest.value.steps.size() <= value.steps.size());
  for (std::size_t i = 0; i < smallest.value.steps.size(); ++i) {
    cases::Sequence shorter = smallest.value;
    shorter.steps.erase(shorter.steps.begin() + static_cast<std::ptrdiff_t>(i));
    const auto other = first_difference(shorter, pair, injectors::bundled().resolve_reconciler);
    // RC_ASSERT would evaluate both sides of ||.
    const bool is_it = other && other->fingerprint == difference->fingerprint;
    RC_ASSERT(!is_it);
  }
}

Value autoscaler(int replicas_max) {
  return {{"apiVersion", "autoscaling/v2"},
          {"kind", "HorizontalPodAutoscaler"},
          {"metadata", {{"name", "m"}, {"namespace", "default"}}},
          {"spec",
           {{"maxReplicas", replicas_max},
            {"scaleTargetRef", {{"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"name", "m"}}}}}};
}

Request request(Request::Verb verb, int replicas_max = 3, bool dry_run = false) {
  return {.verb = verb, .object = autoscaler(replicas_max), .dry_run = dry_run};
}

/// Returns the difference between two reconciles with these results.
std::optional<Difference> difference_between(const Reconciled& a, const Reconciled& b) {
  const reconcile::ResolveReconciler resolve =
      [&](std::string_view name) -> document::Result<reconcile::Reconciler> {
    return reconcile::Reconciler{[answer = name == "a" ? a : b](const auto&, const auto&) { return answer; }};
  };
  return first_difference({.steps = {cases::reconcile_step(), cases::reconcile_step()}}, {"a", "b"}, resolve);
}

TEST(SequenceDifferences, AreInWritesInWhatIsSentAndInHowAReconcileEnds) {
  using Verb = Request::Verb;
  const Reconciled create{.requests = {request(Verb::create)}};
  const struct {
    Reconciled a, b;
    const char *path, *of_a, *of_b;
  } rows[] = {
      {create, {}, "steps[0].writes", "create HorizontalPodAutoscaler default/m", "nothing"},
      {{.requests = {request(Verb::update)}},
       {.requests = {request(Verb::update), request(Verb::remove)}},
       "steps[0].writes",
       "update HorizontalPodAutoscaler default/m",
       "update HorizontalPodAutoscaler default/m, delete HorizontalPodAutoscaler default/m"},
      {create, {.requests = {request(Verb::create, 4)}}, "steps[0].writes[0] /spec/maxReplicas", "3", "4"},
      {{.error = "no"}, {}, "steps[0].end", "fails: no", "ends well"},
      {{.error = "no"}, {.crashed = true}, "steps[0].end", "fails: no", "crashes"},
  };
  for (const auto& row : rows) {
    const auto difference = difference_between(row.a, row.b);
    ASSERT_TRUE(difference) << row.path;
    EXPECT_EQ(difference->path, row.path);
    EXPECT_EQ(difference->of_a, row.of_a);
    EXPECT_EQ(difference->of_b, row.of_b);
  }
}

TEST(SequenceDifferences, AreNotInQuestionsNorInWordsNorInWhatIsDeleted) {
  using Verb = Request::Verb;
  EXPECT_FALSE(difference_between({.requests = {request(Verb::create, 3, true)}}, {}));
  EXPECT_FALSE(difference_between({.error = "no"}, {.error = "not now"}));
  EXPECT_FALSE(
      difference_between({.requests = {request(Verb::remove, 3)}}, {.requests = {request(Verb::remove, 4)}}));
}

class CompareReconcilers : public cli::ProgramTest {};

TEST_F(CompareReconcilers, ReadsAsItShouldAndEachSideReplays) {
  const std::string compare = "compare kserve/hpa@0.15.0 kserve/hpa@0.15.2 --seed 1 --cases 600 ";
  const Outcome said = run(compare, "corpus");
  EXPECT_EQ(said.code, 1) << said.err;
  expect_golden("harness/cli/golden/compare_sequences.txt", said.out);
  std::filesystem::create_directories(path("corpus/seeds"));
  const Outcome events = run(compare + "--json --save", "corpus");
  const auto read = document::read_json_stream(events.out).value();
  ASSERT_GE(read.size(), 5u) << events.out;
  for (const Value& event : read) {
    if (event["event"].text() != "difference") continue;
    EXPECT_LE(event["steps"].integer().value(), 3);
    const std::string a(event["cases"].at(0).text()), b(event["cases"].at(1).text());
    EXPECT_NE(this->read(a).find("\"subject\": \"kserve/hpa@0.15.0\""), std::string::npos);
    EXPECT_NE(this->read(b).find("\"subject\": \"kserve/hpa@0.15.2\""), std::string::npos);
    const Outcome traced = run("replay --trace " + a + " " + b, "corpus");
    EXPECT_NE(traced.code, 2) << traced.err;
    EXPECT_NE(traced.out.find("  step 1  "), std::string::npos) << traced.out;
  }
  EXPECT_EQ(run("corpus verify corpus", "corpus").code, 0) << "what --save keeps is a corpus";
  EXPECT_EQ(run(compare + "--json", "corpus").out, events.out) << "equal seeds, equal bytes";
}

}  // namespace
}  // namespace fixpoint::compare
