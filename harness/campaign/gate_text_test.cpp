#include "harness/campaign/gate_text.h"

#include <gtest/gtest.h>

#include "harness/golden_test.h"

namespace fixpoint::campaign {
namespace {

TEST(GateText, ReadsAsItShould) {
  GateVerdict verdict{
      .news = {"the accepted problem 0123456789ab (planted) is fixed: take it out of fixpoint.yaml"},
      .accepted = {"0.19.0 has it, too: problem 0123456789ab: my-sidecar adds spec.volumes[a] (2 findings)"},
      .lines = {"my-sidecar, seed 1: 3000 Cases, 1 finding", "bench x: 1.30 of the reference"}};
  verdict.record = {.version = "0.1.0", .seed = "1, 2", .subjects = {"my-sidecar"}, .complete = true};
  expect_golden("harness/cli/golden/gate_passed.txt", gate_text(verdict));
  expect_golden("harness/cli/golden/gate_passed.md", gate_markdown(verdict));
  verdict.reasons = {
      {"unknown finding 75925b08be9e: no-duplicate-names in `x`\n::error::", "FOUND  the finding\n"}};
  for (int i = 2; i < 8; ++i) verdict.reasons.push_back({"reason " + std::to_string(i)});
  expect_golden("harness/cli/golden/gate_failed.txt", gate_text(verdict));
  expect_golden("harness/cli/golden/gate_failed.md", gate_markdown(verdict));
}

}  // namespace
}  // namespace fixpoint::campaign
