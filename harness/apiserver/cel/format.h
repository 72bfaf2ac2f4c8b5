#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "harness/apiserver/cel/cel_value.h"

namespace fixpoint::apiserver::cel {

/// One clause of a format text: `%s`, `%.3f`.
struct FormatClause {
  char letter = 's';
  std::int64_t precision = -1;  ///< -1: none is written
};

/// Walks over a format text: `write` gets the number of each argument with its clause and appends to the
/// result, or returns the error. `arguments` is how many there are. Returns the error, or empty.
std::string walk_format(
    std::string_view format, std::size_t arguments, std::string& result,
    const std::function<std::string(std::size_t, const FormatClause&, std::string&)>& write);

/// The error of a value of a type in a clause; `type` is the type's name at run time.
std::string format_type_error(char letter, std::string_view type);

}  // namespace fixpoint::apiserver::cel
