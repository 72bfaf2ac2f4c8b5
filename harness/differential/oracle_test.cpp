#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "generators/draw.h"
#include "generators/requests.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/differential/differential_model.h"
#include "harness/document/json.h"
#include "harness/runner/examine.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::apiserver {
namespace {

using oracle::Json;

struct RecordedAdmission {
  std::string id;
  cases::Case value;  ///< with the spelling of its texts
  Json outcome;
};

/// Returns the recorded admissions that the reference model can represent.
std::vector<RecordedAdmission> recorded_admissions() {
  std::vector<RecordedAdmission> all;
  for (const char* name : {"admit", "admit-managed", "validating", "found", "rules"}) {
    std::ifstream in(std::string(FIXPOINT_SOURCE "/corpus/conformance/kubernetes/") + name + ".ndjson");
    EXPECT_TRUE(in.good()) << name;
    for (std::string text; std::getline(in, text);) {
      const Value line = document::read_json(text, {}, document::Strictness::foreign).value();
      if (line["kind"].text() != "admit") continue;
      try {
        all.push_back({std::string(line["id"].text()), cases::read_case(line["case"]).value(),
                       oracle::read(text)["outcome"]});
      } catch (const oracle::Unsupported&) {
      }
    }
  }
  return all;
}

long number_from(const char* variable, long otherwise) {
  const char* said = std::getenv(variable);
  return said == nullptr ? otherwise : std::atol(said);
}

generators::DrawOptions everything() {
  return {.subjects = injectors::newest(injectors::Role::subject),
          .peers = injectors::newest(injectors::Role::peer),
          .resolve = injectors::resolve};
}

/// The end of this part of FIXPOINT_ORACLE_SECONDS; without that variable, far away.
class Deadline {
 public:
  explicit Deadline(double share)
      : end_(std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(
                 share * static_cast<double>(number_from("FIXPOINT_ORACLE_SECONDS", 1'000'000))))) {}
  bool is_over() const { return std::chrono::steady_clock::now() >= end_; }

 private:
  std::chrono::steady_clock::time_point end_;
};

/// Runs random Cases on both sides: FIXPOINT_ORACLE_CASES of them (default 2,000), from FIXPOINT_ORACLE_SEED
/// (default 2026) on, or as many as FIXPOINT_ORACLE_SECONDS allows.
TEST(Oracle, AgreesWithTheSimulatorOnRandomCases) {
  const generators::DrawContext draw_context(everything());
  const auto seed = static_cast<std::uint64_t>(number_from("FIXPOINT_ORACLE_SEED", 2026));
  const long wanted = number_from("FIXPOINT_ORACLE_CASES", 2000);
  const Deadline deadline(1);
  long drawn = 0, unsupported = 0, calls = 0, applied = 0, differing = 0;
  for (; drawn < wanted && differing < 10 && !deadline.is_over(); ++drawn) {
    runner::Choices choices(seed, static_cast<std::uint64_t>(drawn));
    const cases::Case value = generators::draw(choices, draw_context);
    const auto handlers = webhooks::handlers(value, injectors::resolve);
    ASSERT_TRUE(handlers.ok());
    const auto with_faults = webhooks::with_all_faults(*handlers, value.faults);
    Differential differential(value, with_faults);
    std::vector<std::string> differences;
    try {
      differences = differential.differences();
    } catch (const oracle::Unsupported&) {
      ++unsupported;
    } catch (const std::exception& problem) {
      differences = {std::string("the reference model fails: ") + problem.what()};
    }
    calls += differential.calls();
    applied += differential.applied();
    if (differences.empty()) continue;
    ++differing;
    std::string text = "Case " + std::to_string(drawn) + " of seed " + std::to_string(seed) + "\n";
    for (const std::string& difference : differences) text += difference + "\n";
    if (std::getenv("FIXPOINT_ORACLE_SHOW") != nullptr) text += cases::canonical_text(value);
    ADD_FAILURE() << text;
  }
  std::printf("%ld Cases, %ld outside the reference model, %ld calls, %ld patches applied\n", drawn,
              unsupported, calls, applied);
  EXPECT_LT(unsupported * 100, drawn + 100);
  EXPECT_GT(applied * 4, drawn);
}

/// Runs script webhooks that affect one another, drawn as for the recorder: FIXPOINT_ORACLE_QUESTIONS of them
/// (default 500), or as many as a quarter of FIXPOINT_ORACLE_SECONDS allows.
TEST(Oracle, AgreesWithTheSimulatorOnHostileCases) {
  const auto seed = static_cast<std::uint64_t>(number_from("FIXPOINT_ORACLE_SEED", 2026));
  const long wanted = number_from("FIXPOINT_ORACLE_QUESTIONS", 500);
  const Deadline deadline(0.25);
  long unsupported = 0, differing = 0, calls = 0, drawn = 0;
  for (; drawn < wanted && differing < 5 && !deadline.is_over(); ++drawn) {
    runner::Choices choices(seed, static_cast<std::uint64_t>(drawn));
    const cases::Case value = generators::draw_adversarial_case(choices, kNewestMinor);
    const auto handlers = webhooks::handlers(value, injectors::resolve);
    ASSERT_TRUE(handlers.ok());
    const auto with_faults = webhooks::with_all_faults(*handlers, value.faults);
    Differential differential(value, with_faults);
    std::string text;
    try {
      for (const std::string& difference : differential.differences()) text += difference + "\n";
    } catch (const oracle::Unsupported&) {
      ++unsupported;
    } catch (const std::exception& problem) {
      text = std::string("the reference model fails: ") + problem.what();
    }
    calls += differential.calls();
    if (text.empty()) continue;
    ++differing;
    ADD_FAILURE() << "hostile Case " << drawn << " of seed " << seed << "\n"
                  << text << cases::canonical_text(value);
  }
  std::printf("%ld hostile Cases, %ld outside the reference model, %ld calls\n", drawn, unsupported, calls);
  EXPECT_LT(unsupported * 2, drawn + 10);
}

/// An Outcome has an object even if the registry refuses it in the end.
void expect_as_recorded(const RecordedAdmission& recorded, const oracle::Admission& found) {
  const Json& outcome = recorded.outcome;
  EXPECT_EQ(found.passes, oracle::at(outcome, "passes")) << recorded.id;
  const bool passed = !oracle::at(outcome, "object").is_null();
  EXPECT_EQ(found.allowed, passed) << recorded.id;
  if (!passed) {
    // Without a status, the server panicked.
    const Json& status = oracle::at(outcome, "status");
    EXPECT_EQ(Json(found.code), status.is_null() ? Json(0) : oracle::at(status, "code")) << recorded.id;
  }
  if (oracle::at(outcome, "object") != found.object)
    ADD_FAILURE() << recorded.id << " "
                  << Json::diff(oracle::at(outcome, "object"), found.object).dump().substr(0, 500);
}

/// Compares recorded admissions with the simulator, and with the reference model alone.
TEST(Oracle, AdmitsAsRecorded) {
  int admitted = 0, unsupported = 0;
  for (const RecordedAdmission& recorded : recorded_admissions()) {
    const auto handlers = webhooks::handlers(recorded.value, injectors::resolve);
    ASSERT_TRUE(handlers.ok()) << recorded.id;
    const auto with_faults = webhooks::with_all_faults(*handlers, recorded.value.faults);
    Differential differential(recorded.value, with_faults);
    try {
      for (const std::string& difference : differential.differences())
        ADD_FAILURE() << recorded.id << ": " << difference;
    } catch (const oracle::Unsupported&) {
      ++unsupported;
      continue;
    }
    ++admitted;
    expect_as_recorded(recorded, differential.reference());
  }
  std::printf("%d recorded admissions, %d outside the reference model\n", admitted + unsupported,
              unsupported);
  EXPECT_GT(admitted, 1150);
  EXPECT_LT(unsupported, 10);
}

}  // namespace
}  // namespace fixpoint::apiserver
