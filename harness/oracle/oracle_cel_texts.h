#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/oracle/oracle_cel_value.h"

namespace fixpoint::oracle {

// The functions of CEL about texts and times (cel-go ext/strings.go, cel-spec doc/langdef.md). All throw
// CelFailed, and Unsupported for what they do not know.

/// Calls a function of a text, the first of the arguments.
CelValue text_function(const std::string& name, const std::vector<CelValue>& arguments);
/// Calls a function of a time or a duration, the first of the arguments.
CelValue time_function(const std::string& name, const std::vector<CelValue>& arguments);
/// Returns true for the functions of texts, lists and optionals, which fail for a target of another type.
bool is_known_member_function(const std::string& name);
CelValue join_texts(const CelList& list, const std::string& separator);

/// The numbers that a text is, as Go's strconv reads them.
std::int64_t whole_number_in(const std::string& text);
std::uint64_t natural_number_in(const std::string& text);
double real_number_in(const std::string& text);
bool is_valid_utf8(const std::string& text);

}  // namespace fixpoint::oracle
