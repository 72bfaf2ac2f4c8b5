#include "harness/runner/loop/waiting_findings.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/properties/property.h"

namespace fixpoint::runner {
namespace {

CaseViolation of(const char* property, const std::string& print, const char* verdict = "") {
  return {properties::find(property), {.verdict = verdict}, print};
}

std::string order_of(WaitingFindings& waiting) {
  std::string order;
  while (const auto next = waiting.next())
    order += next->round->slots[next->slot].violations[next->violation].fingerprint;
  return order;
}

TEST(WaitingFindings, AreTakenOfEachPropertyInTurn) {
  const auto round = std::make_shared<Round>(0, 3, true);
  round->slots[0].violations = {of("answers", "a"), of("answers", "b"), of("valid-spec", "v")};
  round->slots[1].violations = {of("answers", "a"), of("answers", "c"), of("valid-spec", "w")};
  round->slots[2].violations = {of("dry-run-equal", "x", "nondeterministic"), of("no-duplicate-names", "n")};
  WaitingFindings waiting({"w"});
  EXPECT_EQ(waiting.add(round, 0), 3u);
  EXPECT_EQ(waiting.add(round, 1), 1u) << "each fingerprint once, and none of an earlier process";
  EXPECT_EQ(waiting.add(round, 2), 2u);
  EXPECT_EQ(order_of(waiting), "xavnbc");
  EXPECT_EQ(waiting.add(round, 2), 0u);
}

TEST(WaitingFindings, NeedTheTimeOfThoseBefore) {
  WaitingFindings waiting({"met before"});
  waiting.meet("met before");
  EXPECT_EQ(waiting.seconds_needed(), 0);
  for (const char* print : {"a", "b", "c", "a"}) waiting.meet(print);
  EXPECT_GT(waiting.seconds_needed(), 0) << "a guess";
  waiting.shrunk(4);
  EXPECT_EQ(waiting.seconds_needed(), 8);
}

}  // namespace
}  // namespace fixpoint::runner
