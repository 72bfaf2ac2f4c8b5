#pragma once

#include <string>

#include "harness/campaign/release_gate.h"

namespace fixpoint::campaign {

/// "GATE PASSED", or "GATE FAILED: " and why in one line; then every reason, the news, and what was asked.
std::string gate_text(const GateVerdict& verdict);
/// The same for a pull request, with the findings.
std::string gate_markdown(const GateVerdict& verdict);

}  // namespace fixpoint::campaign
