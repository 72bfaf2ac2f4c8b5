#include "reports/problem_view.h"

#include <gtest/gtest.h>

#include "harness/runner/diagnosis/problems.h"

namespace fixpoint::reports {
namespace {

TEST(Proofs, SayWhatWasNotLookedAtInTime) {
  cases::Problem problem{.findings = {"a", "b"}};
  EXPECT_EQ(proof_of(problem), "");
  problem.unclassified = 2;
  EXPECT_EQ(proof_of(problem), "unknown: 2 of 2 findings came too late in the run to look for one");
  problem.repair = cases::Repair{.kind = "merge", .operation = "spec.tolerations"};
  problem.healed = problem.unclassified = 1;
  EXPECT_EQ(
      proof_of(problem),
      "merge into spec.tolerations instead of replacing it (heals 1 of 2); 1 of 2 findings came too late in "
      "the run to look for one");
}

/// A finding that the time limit cut off has no cause; neither has one from a file of an older version.
TEST(Problems, CountFindingsThatTheClockLeftUnclassified) {
  cases::Finding finding{.property = "valid-spec", .severity = "error", .webhook = "c/w.example.com"};
  finding.fingerprint = "0123456789ab";
  EXPECT_EQ(runner::problems_of(std::vector{finding}).front().unclassified, 0u);
  finding.found.unfinished = true;
  EXPECT_EQ(runner::problems_of(std::vector{finding}).front().unclassified, 1u);
  finding.cause = cases::Cause{.place = "spec", .symptom = "invalid"};
  EXPECT_EQ(runner::problems_of(std::vector{finding}).front().unclassified, 0u);
}

/// Additions without a check are one row of the lists, and refusals by design come last.
TEST(Problems, OfOneKindAreOneRow) {
  const auto finding = [](const char* fingerprint, const char* place, const char* symptom, const char* change,
                          const char* severity) {
    return cases::Finding{.property = "no-duplicate-names",
                          .severity = severity,
                          .webhook = "c/w.example.com",
                          .evidence = {.path = "spec", .value = fingerprint},
                          .cause = cases::Cause{.place = place, .symptom = symptom, .change = change},
                          .fingerprint = fingerprint};
  };
  const auto problems = runner::problems_of(
      std::vector{finding("1", "webhook", "fails-inside", "refuses; by design", "warning"),
                  finding("2", "spec.volumes[a]", "duplicate", "adds; unguarded", "error"),
                  finding("3", "spec.volumes[b]", "duplicate", "adds; finds its own; only if so", "warning"),
                  finding("4", "spec.containers[c]", "duplicate", "adds; unguarded", "error"),
                  finding("5", "spec.volumes[d]", "lost", "", "warning")});
  ASSERT_EQ(problems.size(), 5u);
  std::vector<std::string> titles;
  for (const auto& row : cases::rows_of(problems)) titles.push_back(cases::title_of_row(row));
  ASSERT_EQ(titles.size(), 4u);
  EXPECT_EQ(titles[0], "adds 2 elements, and looks for none of them before");
  EXPECT_EQ(titles[1], "removes spec.volumes[d], which is not its own");
  EXPECT_TRUE(titles[2].ends_with("only if so")) << titles[2];
  EXPECT_EQ(titles[3], "refuses with 500 what it names as wrong: 1");
}

/// The members of an object that is replaced as a whole are no problems of their own.
TEST(Problems, OfAWholeObjectAreOne) {
  const auto lost = [](const char* fingerprint, const char* place, const char* reason) {
    return cases::Finding{.property = "preserves-others",
                          .severity = "error",
                          .webhook = "c/w.example.com",
                          .evidence = {.path = place, .reason = reason},
                          .cause = cases::Cause{.place = place, .symptom = "lost"},
                          .fingerprint = fingerprint};
  };
  const auto problems = runner::problems_of(std::vector{
      lost("1", "spec.affinity.podAffinity", "spec.affinity.podAffinity of the user's Pod is gone"),
      lost("2", "spec.affinity",
           "spec.affinity of the user's Pod is replaced as a whole: podAffinity is gone"),
      lost("3", "spec.dnsConfig", "spec.dnsConfig of the user's Pod is gone")});
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].title, "replaces spec.affinity as a whole");
}

/// A part whose name contains the object's name is one problem, whatever the properties say about it; so is a
/// failing call.
TEST(Problems, AreOneForOneThing) {
  const auto finding = [](const char* fingerprint, const char* path, const char* value, const char* place,
                          const char* symptom) {
    return cases::Finding{.property = "valid-spec",
                          .severity = "error",
                          .webhook = "c/w.example.com",
                          .evidence = {.path = path, .value = value},
                          .cause = cases::Cause{.place = place, .symptom = symptom},
                          .fingerprint = fingerprint};
  };
  const std::vector<cases::Finding> hashed{
      finding("1", "spec.volumes[1]", "", "spec.volumes[store-#]", "duplicate"),
      finding("2", "spec.containers[0]", "", "spec.containers[*].volumeMounts[store-#].mountPath", "late")};
  EXPECT_EQ(runner::problems_of(hashed).size(), 1u);
  const std::vector<cases::Finding> failing{
      finding("1", "allowed", "panic at 12", "second-call:call", "accepts-own-output"),
      finding("2", "webhook", "panic at 7", "panic at ", "answers")};
  EXPECT_EQ(runner::problems_of(failing).size(), 1u);
  const std::vector<cases::Finding> apart{
      finding("1", "spec.volumes[1]", "", "spec.volumes[store]", "duplicate"),
      finding("2", "spec.containers[0]", "", "spec.containers[*].volumeMounts[other].mountPath", "late")};
  EXPECT_EQ(runner::problems_of(apart).size(), 2u);
}

}  // namespace
}  // namespace fixpoint::reports
