#include "harness/api/libfuzzer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "harness/api/append_model.h"
#include "harness/api/cases.h"

namespace fixpoint {
namespace {

/// Runs a handler on mutated inputs, as libFuzzer does, and returns the results of those that could not run.
int fuzz(const Webhook& webhook, unsigned int inputs, const FuzzOptions& options = {}) {
  std::vector<std::uint8_t> data(1u << 16);
  std::size_t size = 0;
  int broken = 0;
  for (unsigned int seed = 1; seed <= inputs; ++seed) {
    size = mutate_one(data.data(), size, data.size(), seed, webhook);
    broken += fuzz_one(data.data(), size, webhook, options) == 0 ? 0 : 1;
  }
  return broken;
}

TEST(FuzzOne, RunsAGuardedHandlerOnMutatedCases) { EXPECT_LT(fuzz(guarded(), 300), 100); }

TEST(FuzzOne, AbortsWithTheShrunkFindingOfAnUnguardedHandler) {
  EXPECT_DEATH(fuzz(unguarded(), 300), "FOUND  .*own/own.example.io");
  EXPECT_DEATH(fuzz(unguarded(), 300), "\"kind\": \"Finding\"");
}

TEST(FuzzOne, DoesNotEndForWhatIsAccepted) {
  std::vector<std::string> prints;
  for (std::uint64_t number = 0; number < 50; ++number) {
    for (const CheckFinding& finding : violations(draw_case(1, number, unguarded()), unguarded()))
      prints.push_back(finding.fingerprint);
  }
  std::vector<std::uint8_t> data(1u << 16);
  for (unsigned int number = 0; number < 50; ++number) {
    const std::string text = draw_case(1, number, unguarded()).text();
    fuzz_one(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), unguarded(),
             {.accepted = AcceptedFindings(prints), .all_properties_one_in = 1});
  }
}

RC_GTEST_PROP(FuzzOne, TakesAnyBytesForDecisions, (const std::vector<std::uint8_t>& bytes)) {
  RC_ASSERT(fuzz_one(bytes.data(), bytes.size(), guarded()) == 0);
}

TEST(FuzzOne, FindsABugInBytesAlone) {
  EXPECT_DEATH(
      for (std::uint8_t i = 0; i < 250; ++i) {
        const std::vector<std::uint8_t> bytes(400, i);
        fuzz_one(bytes.data(), bytes.size(), unguarded(), {.all_properties_one_in = 1});
      },
      "FOUND");
}

TEST(FuzzOne, RefusesAConfigurationThatCannotBeUsed) {
  const Webhook broken("kind: Pod", [](const std::string& review) { return review; });
  EXPECT_DEATH(fuzz_one(nullptr, 0, broken), "fixpoint: configuration: expected one Mutating");
  EXPECT_DEATH(fuzz(broken, 1), "fixpoint: configuration: expected one Mutating");
}

TEST(FuzzOne, CrossesCases) {
  const std::string first = draw_case(1, 1, guarded()).text(), second = draw_case(1, 2, guarded()).text();
  std::vector<std::uint8_t> out(1u << 16);
  const auto bytes = [](const std::string& text) {
    return reinterpret_cast<const std::uint8_t*>(text.data());
  };
  const std::size_t size =
      cross_one(bytes(first), first.size(), bytes(second), second.size(), out.data(), out.size(), 3);
  ASSERT_GT(size, 0u);
  EXPECT_NO_THROW(Case::read(std::string(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(size))));
  EXPECT_EQ(cross_one(bytes(first), 1, bytes(second), second.size(), out.data(), out.size(), 3), 0u);
}

}  // namespace
}  // namespace fixpoint
