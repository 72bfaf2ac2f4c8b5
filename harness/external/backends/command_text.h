#pragma once

#include <string>

#include "harness/cases/case.h"
#include "harness/document/result.h"

namespace fixpoint::external {

/// Returns the command of a text, whose words are separated by blanks. An error for a text without words, and
/// for one that only a shell would run as it is meant: with `&&`, `|`, `>`, quotation marks, or a variable in
/// front.
document::Result<cases::Command> command_of(const std::string& text);

}  // namespace fixpoint::external
