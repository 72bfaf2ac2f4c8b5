#pragma once

#include <string>

#include "harness/campaign/release_gate.h"

namespace fixpoint::campaign {

/// Returns "GATE PASSED", or "GATE FAILED: " or "GATE WITHOUT VERDICT: " and the reasons in one line; below
/// it every reason, the problems that are gone, and the checks. `accept` is a command that accepts the
/// problems of this gate; it is printed if the gate has any.
std::string gate_text(const GateVerdict& verdict, const std::string& accept = {});
/// Returns the same in Markdown for a pull request, with the findings.
std::string gate_markdown(const GateVerdict& verdict);

}  // namespace fixpoint::campaign
