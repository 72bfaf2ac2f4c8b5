#include "generators/reduce_sequence.h"

#include <gtest/gtest.h>

#include <set>

#include "harness/document/json.h"
#include "harness/runner/loop/run.h"
#include "injectors/bundled.h"
#include "injectors/reconcilers.h"

namespace fixpoint::generators {
namespace {

using cases::Sequence;

const std::vector<std::string> kSubjects{"kserve/hpa@0.15.0"};

const std::vector<reconcile::StepKind>& kinds() {
  static const auto all = injectors::bundled().catalog.steps();
  return all;
}
const cases::SequenceReader& reader() {
  static const auto strict = injectors::bundled().sequence_reader();
  return strict;
}

TEST(DrawSequence, IsAFunctionOfItsDecisionsAndDrawsEveryCommand) {
  std::set<std::string> commands;
  int initial = 0, held = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    runner::Choices choices(3, i), again(3, i);
    const Sequence value = injectors::draw_sequence(choices, kSubjects);
    EXPECT_EQ(value, injectors::draw_sequence(again, kSubjects));
    EXPECT_FALSE(value.steps.empty());
    for (const cases::Step& step : value.steps) {
      commands.insert(cases::words(step));
      EXPECT_TRUE(step.server_defaults) << "every real API server applies them";
    }
    initial += value.initial.is_null() ? 0 : 1;
    held += value.initial["metadata"]["finalizers"].empty() ? 0 : 1;
  }
  EXPECT_EQ(commands, (std::set<std::string>{"reconcile", "set absent", "set external", "set hpa", "set keda",
                                             "set kpa", "set none", "stop false", "stop true", "user create",
                                             "user delete", "user update"}));
  EXPECT_GT(initial, 800);
  EXPECT_GT(held, 100);
}

TEST(DrawSequence, FirstDecisionsAreTheSimplest) {
  runner::Choices choices(std::vector<std::uint64_t>{});
  EXPECT_EQ(injectors::draw_sequence(choices, kSubjects),
            (Sequence{.subject = kSubjects.front(), .steps = {cases::reconcile_step()}}));
}

TEST(ReduceSequence, LeadsToNothingWhenEverythingWillDo) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    runner::Choices choices(4, i);
    Sequence smallest = injectors::draw_sequence(choices, kSubjects);
    reduce_sequence(smallest, kinds(), [&](const Sequence& candidate) {
      smallest = candidate;
      return true;
    });
    EXPECT_TRUE(smallest.steps.empty() && smallest.initial.is_null()) << cases::canonical_text(smallest);
  }
}

TEST(ReduceSequence, KeepsWhatIsNeededAndWhatMakesAnObjectValid) {
  for (std::uint64_t i = 0; i < 400; ++i) {
    runner::Choices choices(5, i);
    Sequence smallest = injectors::draw_sequence(choices, kSubjects);
    if (smallest.initial.is_null()) continue;
    reduce_sequence(smallest, kinds(), [&](const Sequence& candidate) {
      EXPECT_TRUE(cases::read_sequence(cases::write_sequence(candidate), reader()).ok());
      if (candidate.initial.is_null()) return false;
      smallest = candidate;
      return true;
    });
    EXPECT_TRUE(smallest.steps.empty());
    EXPECT_EQ(smallest.initial["metadata"].size(), 2u) << cases::canonical_text(smallest);
    EXPECT_FALSE(smallest.initial["spec"]["scaleTargetRef"].is_null());
  }
}

/// Draws a value that is wrong for most places.
document::Value odd(runner::Choices& choices) {
  static const char* const kTexts[] = {"null",           "7",    "\"x\"", "[]", "{}", "[null]",
                                       "{\"name\":[1]}", "true", "-1"};
  return document::read_json(choices.pick(kTexts)).value();
}

/// Puts wrong values at random places of an object.
void disturb(document::Value& value, runner::Choices& choices) {
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      choices.one_in(6) ? void(value.edit(i) = odd(choices)) : disturb(value.edit(i), choices);
    }
  }
  const auto members = std::vector<document::Member>(value.members().begin(), value.members().end());
  for (const auto& member : members) {
    document::Value& part = value.edit(member.key.name());
    choices.one_in(6) ? void(part = odd(choices)) : disturb(part, choices);
  }
}

TEST(HostileSequence, WhatReadsRunsAndReduces) {
  const auto& catalog = injectors::bundled().catalog;
  int ran = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    runner::Choices choices(6, i);
    const auto& row = injectors::all_reconcilers().front();
    const std::string release(choices.pick(row.releases));
    Sequence value = injectors::draw_sequence(choices, {"kserve/hpa@" + release});
    disturb(value.initial, choices);
    for (cases::Step& step : value.steps) {
      if (step.is_reconcile()) disturb(step.value, choices);
    }
    auto read = cases::read_sequence(cases::write_sequence(value), reader());
    if (!read) continue;
    ++ran;
    const auto prepared = runner::prepare(*read, injectors::resolve_reconciler);
    ASSERT_TRUE(prepared.ok());
    for (const auto* property : catalog.of_sequences()) runner::ask(*prepared, *property, {});
    runner::trace_of(prepared->value, prepared->results);
    reduce_sequence(*read, kinds(), [&](const Sequence& candidate) {
      EXPECT_TRUE(cases::read_sequence(cases::write_sequence(candidate), reader()).ok());
      return choices.coin();
    });
  }
  EXPECT_GT(ran, 1000);
}

/// Runs one release on two threads.
runner::RunSummary run_of(const std::string& release, std::uint64_t seed, std::uint64_t count) {
  runner::RunOptions options;
  options.drawing.seed = seed;
  options.effort.cases_max = count;
  options.effort.seconds_max = 0;
  options.effort.jobs = 2;
  options.drawing.draws_cases = false;
  options.drawing.draws_sequences = true;
  options.drawing.draw = [subjects = std::vector{"kserve/hpa@" + release}](runner::Choices& choices,
                                                                           auto) -> runner::Drawn {
    return injectors::draw_sequence(choices, subjects);
  };
  options.drawing.reduce_sequence = [](const Sequence& value, const auto& take) {
    reduce_sequence(value, kinds(), take);
  };
  options.subjects.catalog = injectors::bundled().catalog;
  options.subjects.resolve_reconciler = injectors::resolve_reconciler;
  options.hooks.clock = [] { return 0.0; };
  runner::Listener nobody;
  return runner::run(options, nobody);
}

/// Returns true for the published failure: a user's autoscaler is deleted under class external.
bool is_published(const cases::Finding& finding) { return finding.fingerprint == "bfc6748cbef8"; }

TEST(FuzzedHpa, DeletesAUsersAutoscalerIn0150) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto summary = run_of("0.15.0", seed, 1000);
    const auto found = std::find_if(summary.findings.begin(), summary.findings.end(), is_published);
    ASSERT_NE(found, summary.findings.end()) << seed;
    EXPECT_EQ(found->property, "foreign-object-untouched");
    EXPECT_EQ(found->evidence.value.text(), "delete HorizontalPodAutoscaler default/model-predictor");
    for (const cases::Finding& finding : summary.findings) {
      EXPECT_LE(finding.sequence->steps.size(), 4u) << cases::canonical_text(*finding.sequence);
    }
  }
}

TEST(FuzzedHpa, NeverDoesSoFrom0152) {
  const auto summary = run_of("0.15.2", 11, 100'000);
  EXPECT_EQ(summary.sequences, 100'000u);
  EXPECT_EQ(std::count_if(summary.findings.begin(), summary.findings.end(), is_published), 0);
}

TEST(FuzzedHpa, ALongRunReachesEverything) {
  for (const char* release : {"0.12.0", "0.20.0"}) {
    const auto summary = run_of(release, 12, 1200);
    EXPECT_EQ(summary.vacuity_checks.size(), injectors::bundled().catalog.of_sequences().size());
    for (const runner::VacuityCheck& check : summary.vacuity_checks)
      EXPECT_TRUE(check.judged && check.held) << check.name;
    EXPECT_EQ(summary.broken, 0u);
  }
}

}  // namespace
}  // namespace fixpoint::generators
