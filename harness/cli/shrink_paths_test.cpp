#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/cli/subject_names.h"
#include "harness/runner/shrink_finding.h"
#include "harness/score/bug_hunt.h"

namespace fixpoint::cli {
namespace {

constexpr std::uint64_t kSeeds = 6;

/// The smallest Cases that searches from several seeds end with, by fingerprint, and how often each occurred.
using Ends = std::map<std::string, std::map<std::string, std::size_t>>;

void hunt_for(const score::Bug& bug, Ends& ends) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto found = score::hunt(bug, bundled_run, seed, 2000).value();
    ASSERT_TRUE(found.finding.has_value()) << bug.name << " with seed " << seed;
    ++ends[found.finding->fingerprint][cases::canonical_text(found.finding->value)];
  }
}

/// A smallest Case should not depend on where its search began. Most findings with one fingerprint are equal
/// byte for byte, which is as much as a fixed order of reductions achieves.
TEST(Shrinking, ForgetsThePathThatLedThere) {
  const auto bugs = score::known_bugs(FIXPOINT_SOURCE "/corpus").value();
  Ends ends;
  for (const char* name :
       {"defects/aggregate-computed-once", "defects/command-wrapped-twice", "defects/container-without-guard",
        "defects/env-without-guard", "defects/first-at-first-call-only", "defects/image-prefix-doubled",
        "defects/mount-without-guard", "defects/typed-round-trip", "defects/two-insist-on-first",
        "metrics-path-env-appended-again", "modelcar-volume-added-again"}) {
    const auto bug =
        std::find_if(bugs.begin(), bugs.end(), [&](const score::Bug& one) { return one.name == name; });
    ASSERT_NE(bug, bugs.end()) << name;
    hunt_for(*bug, ends);
  }
  std::size_t findings = 0, alike = 0;
  for (const auto& [print, cases] : ends) {
    std::size_t most = 0, all = 0;
    for (const auto& [text, count] : cases) most = std::max(most, count), all += count;
    if (all < 2) continue;
    findings += all;
    alike += most;
  }
  RecordProperty("findings", static_cast<int>(findings));
  RecordProperty("alike", static_cast<int>(alike));
  EXPECT_GE(findings, 40u);
  EXPECT_GE(alike * 100, findings * 80) << alike << " of " << findings;
}

}  // namespace
}  // namespace fixpoint::cli
