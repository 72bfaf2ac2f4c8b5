#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/document/yaml.h"
#include "reports/report_formats.h"
#include "reports/report_schema_model.h"

namespace fixpoint::reports {
namespace {

RunRecord record_with(int problems, int failures) {
  RunRecord record;
  record.subjects = {"hooks"};
  record.seed = "7";
  record.summary.cases = 400;
  for (int i = 0; i < problems; ++i) {
    const std::string place = "spec.volumes[data-" + std::to_string(i) + "]";
    cases::Finding finding{.property = "idempotent",
                           .severity = i % 2 == 0 ? "error" : "warning",
                           .webhook = "c/pods.example.io",
                           .fingerprint = std::to_string(100000000000 + i)};
    finding.value.request.object = *document::read_yaml("{metadata: {name: p}}");
    finding.evidence = {.path = place,
                        .reason = "a second call changes " + place,
                        .calls = {{.webhook = finding.webhook, .effect = {"+ volume a"}}}};
    finding.cause = cases::Cause{.place = place, .symptom = "duplicate"};
    record.findings.push_back({.finding = finding});
  }
  for (int i = 0; i < failures; ++i) {
    record.summary.vacuity_checks.push_back(
        {.name = "check " + std::to_string(i), .held = false, .judged = true});
    record.summary.observations.push_back({.observation = {.webhook = "a", .reason = "does"}, .cases = 1});
  }
  return record;
}

/// The report fits a comment: what does not fit is counted, and the smallest Case of a problem
/// stands there once.
TEST(MarkdownReport, IsShort) {
  for (const int problems : {0, 1, 2, 5, 12, 13, 60}) {
    for (const int failures : {0, 1, 9, 80}) {
      const std::string text = find_format("markdown")->write(record_with(problems, failures));
      EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 60) << text;
      EXPECT_EQ(text.find("<details>") != std::string::npos, problems > 0) << text;
      EXPECT_EQ(text.find("rows more in the run's folder") != std::string::npos, problems == 60) << text;
      EXPECT_EQ(text.find("- and 72 more\n") != std::string::npos, failures == 80) << text;
    }
  }
  const std::string one = find_format("markdown")->write(record_with(1, 0));
  EXPECT_EQ(one.find("Pod: {metadata: {name: p}}"), one.rfind("Pod: {metadata: {name: p}}"));
  EXPECT_NE(one.find("Pod: {metadata: {name: p}}\ncall 1: + volume a\nthen: a second call changes"),
            std::string::npos)
      << one;
}

}  // namespace
}  // namespace fixpoint::reports
