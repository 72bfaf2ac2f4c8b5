#include "harness/runner/problems.h"

#include <gtest/gtest.h>

namespace fixpoint::runner {
namespace {

using cases::Finding;

Finding duplicate_mount(const std::string& fingerprint, const std::string& list, const std::string& mount) {
  Finding finding{.property = "valid-spec",
                  .severity = "error",
                  .webhook = "logs/logs.example.io",
                  .fingerprint = fingerprint};
  finding.evidence.path = "spec." + list + "[0].volumeMounts[1].mountPath";
  finding.evidence.because =
      finding.evidence.path + " is refused: Invalid value: \"" + mount + "\": must be unique";
  return finding;
}
Finding classified(Finding finding, const std::string& place) {
  finding.cause = cases::Cause{.part = "", .place = place, .symptom = "duplicate"};
  return finding;
}
Finding late(Finding finding) {
  finding.found.unfinished = true;
  return finding;
}

TEST(Problems, TakeAFindingThatCameTooLateIfItSaysTheSame) {
  const std::vector<Finding> findings{
      late(duplicate_mount("a1", "initContainers", "/logs")),
      classified(duplicate_mount("b2", "containers", "/logs"), "spec.volumes[logs]")};
  const auto problems = problems_of(findings);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.front().id, problem_id(findings[1]));
  EXPECT_EQ(problems.front().unclassified, 1u);
  EXPECT_EQ(problems.front().findings, (std::vector<std::string>{"a1", "b2"}));
}

TEST(Problems, LeaveALateFindingAloneThatSaysSomethingElseOrCouldBeOfTwo) {
  const Finding logs = classified(duplicate_mount("b2", "containers", "/logs"), "spec.volumes[logs]");
  EXPECT_EQ(problems_of(std::vector{late(duplicate_mount("a1", "containers", "/data")), logs}).size(), 2u);
  Finding other = logs;
  other.fingerprint = "c3";
  other.cause->place = "spec.volumes[other]";
  EXPECT_EQ(problems_of(std::vector{late(duplicate_mount("a1", "containers", "/logs")), logs, other}).size(),
            3u);
  EXPECT_EQ(problems_of(std::vector{duplicate_mount("a1", "initContainers", "/logs"), logs}).size(), 2u)
      << "an older version wrote it: it was not too late";
}

}  // namespace
}  // namespace fixpoint::runner
