#include "reports/earlier_problem.h"

#include <gtest/gtest.h>

#include "harness/runner/diagnosis/problems.h"

namespace fixpoint::reports {
namespace {

RetryAnswer retried(const std::string& place, const std::string& answer) {
  cases::Finding finding{.property = "idempotent", .severity = "error", .webhook = "c/w.example.io"};
  finding.fingerprint = "print of " + place;
  finding.cause = cases::Cause{.part = "", .place = place, .symptom = "unstable"};
  return {std::move(finding), answer};
}

std::vector<std::string> texts_of(const std::vector<EarlierProblem>& all) {
  std::vector<std::string> texts;
  for (const EarlierProblem& one : all) texts.push_back(text_of(one));
  return texts;
}

TEST(EarlierProblem, HasAWordForEachAnswer) {
  const std::vector<RetryAnswer> retries{
      retried("spec.a", "still failing"), retried("spec.b", "fixed"), retried("spec.c", "still failing"),
      retried("spec.d", "not reached: no webhook under test acts on this Case any more")};
  EXPECT_EQ(texts_of(earlier_problems_of(retries, {}, {"print of spec.c"})),
            (std::vector<std::string>{
                "FIXED  w.example.io changes spec.b again at every call",
                "STILL  w.example.io changes spec.a again at every call",
                "REOPENED w.example.io changes spec.c again at every call",
                "OPEN   w.example.io changes spec.d again at every call: not reached: no webhook under test "
                "acts on this Case any more"}));
}

TEST(EarlierProblem, LeavesOutWhatTheRunFoundAgain) {
  const std::vector<RetryAnswer> retries{retried("spec.a", "still failing")};
  const auto found = runner::problems_of(std::vector{retries[0].finding});
  EXPECT_TRUE(earlier_problems_of(retries, found).empty());
}

}  // namespace
}  // namespace fixpoint::reports
