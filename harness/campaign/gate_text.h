#pragma once

#include <string>

#include "harness/campaign/release_gate.h"

namespace fixpoint::campaign {

/// Returns "GATE PASSED", or "GATE FAILED: " and the reason in one line; then every reason, the news, and the
/// checks.
std::string gate_text(const GateVerdict& verdict);
/// Returns the same for a pull request, with the findings.
std::string gate_markdown(const GateVerdict& verdict);

}  // namespace fixpoint::campaign
