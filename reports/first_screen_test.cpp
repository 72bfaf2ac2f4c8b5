#include "reports/first_screen.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/golden_test.h"
#include "harness/runner/diagnosis/problems.h"
#include "injectors/bundled.h"

namespace fixpoint::reports {
namespace {

cases::Finding finding_at(const std::string& place, const std::string& severity, std::size_t number) {
  cases::Finding finding{.property = number % 2 == 0 ? "no-duplicate-names" : "valid-spec",
                         .severity = severity,
                         .webhook = "c/pods.example.io",
                         .fingerprint = "0000000000" + std::to_string(10 + number)};
  finding.evidence = {.path = "spec.volumes[1].name",
                      .value = "models",
                      .reason = "duplicate \"models\" at spec.volumes[1].name"};
  finding.cause = cases::Cause{.part = "", .place = place, .symptom = "duplicate"};
  finding.value.request.object = {{"metadata", {{"name", "p"}}},
                                  {"spec", {{"containers", document::Value::empty_list()}}}};
  return finding;
}

runner::RunSummary summary_with(std::size_t problems) {
  runner::RunSummary summary;
  summary.cases = 400;
  summary.why = "cases";
  summary.seconds = 2;
  summary.acted["hooks"] = {.acted = 300, .no_effect = 100};
  for (std::size_t i = 0; i < problems; ++i) {
    const std::string place = "spec.volumes[data-" + std::to_string(i) + "]";
    summary.findings.push_back(finding_at(place, i % 3 == 2 ? "warning" : "error", 2 * i));
    summary.findings.push_back(finding_at(place, i % 3 == 2 ? "warning" : "error", 2 * i + 1));
  }
  return summary;
}

TEST(FirstScreen, ReadsAsItShould) {
  runner::RunSummary summary = summary_with(4);
  for (std::size_t i = 0; i < 2; ++i)
    summary.findings[i].repair = cases::Repair{"add-if-absent", "spec.volumes[data-0]"};
  const FirstScreen screen{.subjects = {"hooks"},
                           .seed = "7",
                           .summary = summary,
                           .problems = runner::problems_of(summary.findings),
                           .known = {{summary.findings[2].fingerprint, "a-volume-of-the-user"}},
                           .regressions = {.all = 5, .failing = 2, .fixed = {"volume-added-again since 1.1"}},
                           .replay_flags = [](const cases::Finding&) { return " --allow-exec"; }};
  expect_golden("reports/golden/first_screen.txt", first_screen(screen));
}

TEST(FirstScreen, IsOneScreenWhateverWasFound) {
  for (std::size_t problems = 0; problems < 60; ++problems) {
    const runner::RunSummary summary = summary_with(problems);
    const std::string text = first_screen({.subjects = {"a", "b", "c"},
                                           .seed = "7",
                                           .summary = summary,
                                           .problems = runner::problems_of(summary.findings)});
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 38) << problems;
    for (std::size_t from = 0; from < text.size();) {
      const auto to = text.find('\n', from);
      EXPECT_LE(to - from, 100u + 3) << text.substr(from, to - from);
      from = to + 1;
    }
  }
}

/// The message of a webhook that refuses nearly everything is printed: it shows what the Pods lack.
TEST(FirstScreen, SaysWhatAWebhookRefuses) {
  runner::RunSummary summary = summary_with(0);
  summary.acted["hooks"] = {
      .acted = 300, .refused = 299, .no_effect = 100, .denials = {{"no role found", 290}, {"no", 9}}};
  const std::string text = first_screen({.subjects = {"hooks"}, .seed = "7", .summary = summary});
  EXPECT_NE(text.find("acted in 75.0% (74.8% refused)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("hooks refused 299 Cases and changed 1, most often with:\n  no role found\n"),
            std::string::npos)
      << text;
  summary.acted["hooks"].refused = 100;
  EXPECT_EQ(first_screen({.subjects = {"hooks"}, .seed = "7", .summary = summary}).find("most often"),
            std::string::npos);
}

TEST(FirstScreen, AProblemIsExplained) {
  const auto summary = summary_with(1);
  const auto problems = runner::problems_of(summary.findings);
  ASSERT_EQ(problems.size(), 1u);
  expect_golden("reports/golden/problem.txt",
                problem_text(problems.front(), summary.findings, injectors::bundled().catalog));
}

}  // namespace
}  // namespace fixpoint::reports
