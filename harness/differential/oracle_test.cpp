#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "generators/draw.h"
#include "generators/requests.h"
#include "harness/cases/minors.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/differential/differential_model.h"
#include "harness/document/json.h"
#include "harness/oracle/oracle_defaulting.h"
#include "harness/oracle/oracle_patch.h"
#include "harness/oracle/oracle_schema.h"
#include "harness/runner/examine.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::apiserver {
namespace {

using oracle::Json;

/// Returns true if a line has a `test` operation and escaped characters; nlohmann's texts do not keep their
/// spelling.
bool spells_texts(const std::string& line) {
  const bool has_escapes = line.find("\\u") != std::string::npos || line.find("\\/") != std::string::npos;
  return has_escapes && line.find("\"test\"") != std::string::npos;
}

/// Returns the recorded lines of a kind that the reference model can represent.
std::vector<Json> lines_of(const std::string& kind, const std::vector<std::string>& files) {
  std::vector<Json> lines;
  for (const std::string& name : files) {
    std::ifstream in(FIXPOINT_SOURCE "/corpus/conformance/kubernetes/" + name + ".ndjson");
    EXPECT_TRUE(in.good()) << name;
    for (std::string text; std::getline(in, text);) {
      try {
        Json line = oracle::read(text);
        if (line["kind"] == kind && !spells_texts(text)) lines.push_back(std::move(line));
      } catch (const oracle::Unsupported&) {
      }
    }
  }
  return lines;
}

int minor_of_line(const Json& line) {
  return line.contains("version") ? std::stoi(oracle::text_at(line, "version").substr(2))
                                  : cases::kRecordedMinor;
}

std::string id_of(const Json& line) {
  return oracle::text_at(line, "kind") + " " + oracle::text_at(line, "id");
}

/// Checks that `answer` returns `out` for every line, or throws if the line has an error.
template <typename Answer>
void expect_recorded(const std::string& kind, std::size_t at_least, Answer answer) {
  const auto lines = lines_of(kind, {kind, "found", "rules"});
  EXPECT_GE(lines.size(), at_least);
  for (const Json& line : lines) {
    try {
      const Json out = answer(line);
      EXPECT_FALSE(line.contains("error")) << id_of(line);
      if (out != oracle::at(line, "out"))
        ADD_FAILURE() << id_of(line) << " " << Json::diff(oracle::at(line, "out"), out).dump().substr(0, 500);
    } catch (const oracle::Undecodable& problem) {
      EXPECT_TRUE(line.contains("error")) << id_of(line) << ": " << problem.what();
    } catch (const oracle::PatchRefused& problem) {
      const bool is_syntax = problem.kind == oracle::PatchRefused::Kind::syntax;
      EXPECT_EQ(oracle::text_at(line, "error"), is_syntax ? "syntax" : "apply")
          << id_of(line) << problem.what();
    } catch (const oracle::Unsupported&) {
    }
  }
}

Json decoded_of(const Json& line) {
  Json pod = oracle::decode_object(line["in"], minor_of_line(line), nullptr);
  if (!oracle::is_pod(pod)) throw oracle::Undecodable("an object of another kind");
  pod["kind"] = "Pod";
  pod["apiVersion"] = "v1";
  return pod;
}

TEST(Oracle, DecodesAsRecorded) { expect_recorded("decode", 200, decoded_of); }

TEST(Oracle, DefaultsAsRecorded) {
  expect_recorded("default", 500, [](const Json& line) {
    return oracle::with_defaults(decoded_of(line), minor_of_line(line));
  });
}

TEST(Oracle, PatchesAsRecorded) {
  expect_recorded("patch", 650, [](const Json& line) {
    const Json patch = oracle::read_patch(oracle::write(line["patch"]));
    return oracle::each(patch).empty() ? line["doc"]
                                       : oracle::apply_patch(line["doc"], patch, minor_of_line(line), false);
  });
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
  long drawn = 0, unsupported = 0, calls = 0, applied = 0, errors = 0, differing = 0;
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
    errors += differential.errors();
    if (differences.empty()) continue;
    ++differing;
    std::string text = "Case " + std::to_string(drawn) + " of seed " + std::to_string(seed) + "\n";
    for (const std::string& difference : differences) text += difference + "\n";
    if (std::getenv("FIXPOINT_ORACLE_SHOW") != nullptr) text += cases::canonical_text(value);
    ADD_FAILURE() << text;
  }
  std::printf(
      "%ld Cases, %ld outside the reference model, %ld calls, %ld patches applied, %ld errors known to "
      "both\n",
      drawn, unsupported, calls, applied, errors);
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

/// Compares random questions of the recorder's kinds, which contain values that Cases do not: every field,
/// null, zero, or of another type. FIXPOINT_ORACLE_QUESTIONS of each kind (default 1,500), or as many as a
/// sixteenth of FIXPOINT_ORACLE_SECONDS allows.
TEST(Oracle, AgreesWithTheSimulatorOnRandomQuestions) {
  const auto seed = static_cast<std::uint64_t>(number_from("FIXPOINT_ORACLE_SEED", 2026));
  const long wanted = number_from("FIXPOINT_ORACLE_QUESTIONS", 1500);
  for (const char* kind : {"decode", "default", "patch", "validate"}) {
    const Deadline deadline(1.0 / 16);
    long unsupported = 0, differing = 0, drawn = 0;
    for (; drawn < wanted && differing < 5 && !deadline.is_over(); ++drawn) {
      runner::Choices choices(seed, static_cast<std::uint64_t>(drawn));
      const std::string question = document::write_json(generators::draw_request(kind, "q", choices));
      std::string difference;
      try {
        difference = difference_on(question);
      } catch (const oracle::Unsupported&) {
        ++unsupported;
      } catch (const std::exception& problem) {
        difference = std::string("the reference model fails: ") + problem.what();
      }
      if (difference.empty()) continue;
      ++differing;
      ADD_FAILURE() << kind << " " << drawn << " of seed " << seed << ": " << difference << "\n" << question;
    }
    std::printf("%s: %ld questions, %ld outside the reference model\n", kind, drawn, unsupported);
    EXPECT_LT(unsupported * 2, drawn + 10) << kind;
  }
}

/// Compares recorded admissions with the reference model alone.
TEST(Oracle, AdmitsAsRecorded) {
  int admitted = 0;
  for (const Json& line : lines_of("admit", {"admit", "admit-managed", "validating", "found", "rules"})) {
    const auto value = cases::read_case(
        *document::read_json(oracle::write(line["case"]), {}, document::Strictness::foreign));
    ASSERT_TRUE(value.ok()) << id_of(line);
    const auto handlers = webhooks::handlers(*value, injectors::resolve);
    ASSERT_TRUE(handlers.ok()) << id_of(line);
    const auto with_faults = webhooks::with_all_faults(*handlers, value->faults);
    Differential differential(*value, with_faults);
    try {
      for (const std::string& difference : differential.differences())
        ADD_FAILURE() << id_of(line) << ": " << difference;
    } catch (const oracle::Unsupported&) {
      continue;
    }
    const oracle::Admission& found = differential.reference();
    const Json& outcome = line["outcome"];
    ++admitted;
    EXPECT_EQ(found.passes, oracle::at(outcome, "passes")) << id_of(line);
    // An Outcome has an object even if the registry refuses it in the end.
    const bool passed = !oracle::at(outcome, "object").is_null();
    EXPECT_EQ(found.allowed, passed) << id_of(line);
    if (!passed) {
      // Without a status, the server panicked.
      const Json& status = oracle::at(outcome, "status");
      EXPECT_EQ(Json(found.code), status.is_null() ? Json(0) : oracle::at(status, "code")) << id_of(line);
    }
    if (oracle::at(outcome, "object") != found.object)
      ADD_FAILURE() << id_of(line) << " "
                    << Json::diff(oracle::at(outcome, "object"), found.object).dump().substr(0, 500);
  }
  EXPECT_GT(admitted, 600);
}

}  // namespace
}  // namespace fixpoint::apiserver
