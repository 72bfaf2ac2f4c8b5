#include "harness/api/rapidcheck.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "generators/draw.h"
#include "generators/reduce_sequence.h"
#include "generators/weight.h"
#include "harness/api/append_model.h"
#include "harness/api/internal/in_process.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/json.h"
#include "harness/runner/shrink_finding.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"
#include "injectors/reconcilers.h"

namespace fixpoint {
namespace {

using document::Value;

bool shows(const Case& value, const Webhook& webhook, const std::string& property) {
  const auto found = violations(value, webhook);
  return std::any_of(found.begin(), found.end(),
                     [&](const CheckFinding& finding) { return finding.property == property; });
}

/// Returns the value at which RapidCheck's shrinking ends.
template <class T, class Fails>
T smallest(rc::Shrinkable<T> at, const Fails& fails) {
  for (bool progress = true; progress;) {
    progress = false;
    auto tries = at.shrinks();
    while (auto next = tries.next()) {
      if (!fails(next->value())) continue;
      at = *std::move(next);
      progress = true;
      break;
    }
  }
  return at.value();
}

TEST(RapidCheck, TheSameDecisionsGiveTheSameCases) {
  const generators::DrawContext draw_context({.subjects = injectors::newest(injectors::Role::subject),
                                              .peers = injectors::newest(injectors::Role::peer),
                                              .resolve = injectors::resolve});
  const auto cases = rc::gen::arbitrary<Case>();
  for (std::uint64_t i = 0; i < 100; ++i) {
    const RapidCheckDecisions decisions{rc::Random(i)};
    runner::Choices choices(decisions.seed, decisions.number);
    const Case drawn = cases(rc::Random(i), static_cast<int>(i)).value();
    EXPECT_EQ(drawn.value(), generators::draw(choices, draw_context));
    EXPECT_EQ(drawn, draw_case(decisions.seed, decisions.number));
  }
  const std::vector<std::uint64_t> recorded{1, 0, 2, 5, 1, 1, 3, 0, 7};
  runner::Choices choices(recorded);
  EXPECT_EQ(draw_case(recorded).value(), generators::draw(choices, draw_context));
}

/// The first Cases of a run are drawn before anything is learned of them.
TEST(RapidCheck, DrawsForAWebhookWhatARunDraws) {
  const runner::RunOptions& run = unguarded().hidden().run();
  for (std::uint64_t i = 0; i < 50; ++i) {
    runner::Choices choices(7, i);
    EXPECT_EQ(draw_case(7, i, unguarded()).value(),
              std::get<cases::Case>(run.drawing.draw(choices, run.drawing.steering)));
  }
}

/// RapidCheck takes one reduction and begins the next list, fixpoint goes on in its pass: both end where no
/// reduction is left.
TEST(RapidCheck, ShrinksToACaseNoLargerThanFixpointsOwnShrinker) {
  const runner::RunOptions& run = unguarded().hidden().run();
  const properties::Property& property = *run.subjects.catalog.find("no-duplicate-names");
  int shrunk = 0;
  for (std::uint64_t i = 0; shrunk < 5; ++i) {
    ASSERT_LT(i, 300u);
    const rc::Shrinkable<Case> drawn = cases_for(unguarded())(rc::Random(i), 100);
    const cases::Case value = api::with_webhook(drawn.value().value(), unguarded());
    std::string print;
    for (const CheckFinding& finding : violations(drawn.value(), unguarded()))
      if (finding.property == property.name) print = finding.fingerprint;
    if (print.empty()) continue;
    ++shrunk;
    const auto fails = [&](const Case& tried) {
      return runner::shows(tried.value(), property, print, run.subjects.resolve, run.effort.limits)
          .has_value();
    };
    const Case by_rapidcheck = smallest(drawn, fails);
    const Case by_fixpoint = shrink_case(drawn.value(), fails, unguarded());
    const auto by_runner =
        runner::shrink(value, property, print, run.subjects.resolve, run.drawing.reduce, run.effort.limits);
    ASSERT_TRUE(by_runner);
    EXPECT_LE(generators::weight_of(by_rapidcheck.value()), generators::weight_of(by_fixpoint.value()))
        << by_rapidcheck.text() << by_fixpoint.text();
    EXPECT_LE(generators::weight_of(by_rapidcheck.value()), generators::weight_of(by_runner->value))
        << by_rapidcheck.text() << cases::canonical_text(by_runner->value);
  }
}

/// Runs rc::check and returns what it prints of a property that does not hold.
template <class Property>
std::string failure_of(const std::string& name, Property property) {
  testing::internal::CaptureStderr();
  const bool holds = rc::check(name, property);
  const std::string printed = testing::internal::GetCapturedStderr();
  return holds ? "" : printed;
}

TEST(RapidCheck, FindsAnUnguardedAppendWhicheverGeneratorDraws) {
  const auto never_twice = [](const Webhook& webhook) {
    return [&webhook](const Case& value) { RC_ASSERT(!shows(value, webhook, "no-duplicate-names")); };
  };
  const std::string failure = failure_of("settles", never_twice(unguarded()));
  EXPECT_NE(failure.find("Falsifiable"), std::string::npos) << failure;
  EXPECT_NE(failure.find("\"kind\": \"Case\""), std::string::npos) << failure;
  EXPECT_EQ(failure_of("settles", never_twice(guarded())), "");
  EXPECT_NE(failure_of("settles", [&] { never_twice(unguarded())(*cases_for(unguarded())); }), "");
}

/// The planted defects of fixpoint and their fixed variants, through RapidCheck.
TEST(RapidCheck, FindsPlantedDefectsAndNothingInTheirFixedVariants) {
  const std::pair<const char*, const char*> defects[] = {{"defects/env-without-guard", "no-duplicate-names"},
                                                         {"defects/image-prefix-doubled", "bounded-growth"},
                                                         {"defects/request-above-limit", "valid-spec"}};
  for (const auto& [name, property] : defects) {
    for (const std::string variant : {"", "@fixed"}) {
      const Webhook webhook = Webhook::bundled(name + variant);
      const std::string failure = failure_of(
          name, [&, wanted = property] { RC_ASSERT(!shows(*cases_for(webhook), webhook, wanted)); });
      EXPECT_EQ(failure.empty(), !variant.empty()) << name << variant << "\n" << failure;
    }
  }
}

RC_GTEST_PROP(RapidCheck, CasesReadBack, (const Case& value)) {
  RC_ASSERT(Case::read(value.text()) == value);
  RC_ASSERT(value.with_object(value.object()) == value);
}

RC_GTEST_PROP(RapidCheck, AWebhookIsPutIntoACaseOnce, (const Case& value)) {
  const Case own = value.with_webhook(guarded());
  RC_ASSERT(own.with_webhook(guarded()) == own);
  const auto webhooks = own.webhooks();
  RC_ASSERT(std::count(webhooks.begin(), webhooks.end(), "own/own.example.io") == 1);
  RC_ASSERT(admit(value, guarded()).document == admit(own, guarded()).document);
}

/// Draws parts, and compares the text of the smallest.
template <Part kPart>
void check_part(const std::string& smallest_text) {
  const auto parts = rc::gen::arbitrary<PartOfCase<kPart>>();
  std::set<std::string> texts;
  for (std::uint64_t i = 0; i < 30; ++i) {
    const rc::Shrinkable<PartOfCase<kPart>> drawn = parts(rc::Random(i), 100);
    const PartOfCase<kPart> value = drawn.value();
    texts.insert(value.text());
    EXPECT_EQ(value.whole.only(kPart), value.whole);
    EXPECT_TRUE(document::read_json(value.text()).ok());
    for (const Case& candidate : shrink_candidates(kPart, value.whole)) {
      EXPECT_LT(generators::weight_of(candidate.value()), generators::weight_of(value.whole.value()));
    }
    if (i >= 3) continue;
    const auto least = smallest(drawn, [](const PartOfCase<kPart>&) { return true; });
    EXPECT_EQ(least.text().substr(0, smallest_text.size()), smallest_text) << least.text();
  }
  EXPECT_GT(texts.size(), 5u);
}

TEST(RapidCheck, DrawsEachPartAloneAndShrinksIt) {
  check_part<Part::object>("{}");
  check_part<Part::request>(R"({"operation":"CREATE","namespace":"default","object":{}})");
  check_part<Part::cluster>(R"({"version":"1.)");
  const std::string begin = R"({"apiVersion":"fixpoint/v1","kind":"Case","request":{)";
  check_part<Part::chain>(begin);
  check_part<Part::policies>(begin);
}

TEST(RapidCheck, PoliciesAreAPolicyAtLeast) {
  const auto policies = rc::gen::arbitrary<Policies>();
  for (std::uint64_t i = 0; i < 5; ++i) {
    const Policies least = smallest(policies(rc::Random(i), 100), [](const Policies&) { return true; });
    EXPECT_EQ(cases::bound_policies(least.whole.value().cluster).size(), 1u) << least.text();
  }
}

TEST(RapidCheckSequences, AreThoseOfAFuzzRun) {
  const Reconciler reconciler("kserve/hpa@0.11.2");
  for (std::uint64_t i = 0; i < 50; ++i) {
    const RapidCheckDecisions decisions{rc::Random(i)};
    runner::Choices choices(decisions.seed, decisions.number);
    const Sequence drawn = sequences_for(reconciler)(rc::Random(i), 100).value();
    EXPECT_EQ(drawn.value(), injectors::draw_sequence(choices, {"kserve/hpa@0.11.2"}));
    EXPECT_EQ(Sequence::read(drawn.text()), drawn);
    Sequence again = drawn.without_steps();
    for (const std::string& step : drawn.steps()) again = again.with_step(step);
    EXPECT_EQ(again, drawn);
  }
}

RC_GTEST_PROP(RapidCheckSequences, ReadBack, (const Sequence& value)) {
  RC_ASSERT(Sequence::read(value.text()) == value);
  RC_ASSERT(value.without_steps().steps().empty());
}

TEST(RapidCheckSequences, ShrinkAsFixpointsOwnShrinkerDoes) {
  const Reconciler reconciler("kserve/hpa@0.11.2");
  std::map<std::string, std::size_t> steps;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const rc::Shrinkable<Sequence> drawn = sequences_for(reconciler)(rc::Random(i), 100);
    for (const CheckFinding& finding : violations(drawn.value(), reconciler)) {
      if (steps.contains(finding.fingerprint)) continue;
      const Sequence least = smallest(drawn, [&](const Sequence& tried) {
        const auto found = violations(tried, reconciler);
        return std::any_of(found.begin(), found.end(),
                           [&](const CheckFinding& one) { return one.fingerprint == finding.fingerprint; });
      });
      const auto& catalog = injectors::bundled().catalog;
      const auto own = runner::shrink(drawn.value().value(), *catalog.find_of_sequences(finding.property),
                                      finding.fingerprint, injectors::bundled().resolve_reconciler,
                                      [&](const cases::Sequence& value, const auto& take) {
                                        generators::reduce_sequence(value, catalog.steps(), take);
                                      },
                                      {});
      ASSERT_TRUE(own);
      EXPECT_LE(least.steps().size(), own->prepared.value.steps.size()) << least.text();
      steps[finding.fingerprint] = least.steps().size();
    }
  }
  EXPECT_GT(steps.size(), 1u);
}

TEST(RapidCheckSequences, AreCommandsOfAStateMachine) {
  const auto failure_with = [](const std::string& name) {
    const Reconciler reconciler(name);
    return failure_of("keeps its autoscaler", [&] {
      rc::state::check(Sequence(reconciler), reconciler,
                       [&](const Sequence&) { return commands_for(reconciler); });
    });
  };
  const std::string failure = failure_with("kserve/hpa@0.11.2");
  EXPECT_NE(failure.find("reconcile"), std::string::npos) << failure;
}

/// A reconciler of the caller's that writes its autoscaler each time.
TEST(RapidCheckSequences, RunACallersReconciler) {
  const Reconciler busy("own/hpa", [](const std::string& stored, const std::string& component) {
    const Value desired = document::read_json(component).value();
    Value autoscaler{
        {"apiVersion", "autoscaling/v2"},
        {"kind", "HorizontalPodAutoscaler"},
        {"metadata", {{"name", desired["name"]}, {"namespace", desired["namespace"]}}},
        {"spec",
         {{"maxReplicas", 3},
          {"scaleTargetRef", {{"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"name", "m"}}}}}};
    const char* verb = document::read_json(stored).value().empty() ? "create" : "update";
    return document::write_json(Value::list({{{"verb", verb}, {"object", autoscaler}}}));
  });
  const Sequence once = Sequence(busy).with_step(R"({"reconcile":{}})");
  const auto found = violations(once, busy);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().property, "reconcile-settles") << found.front().text;
  const Reconciler failing("own/hpa", [](const std::string&, const std::string&) -> std::string {
    throw std::runtime_error("no");
  });
  EXPECT_NO_THROW(violations(once, failing));
  EXPECT_THROW(Reconciler("kserve/none"), std::invalid_argument);
  EXPECT_THROW(once.with_step("{}"), std::invalid_argument);
}

}  // namespace
}  // namespace fixpoint
