#pragma once

#include <string>

namespace fixpoint::document {

/// A finite number as Go's encoding/json writes it: 9223372036854776000, 1e+21.
std::string go_json_number(double number);

/// A finite number as Go's `%v` writes it: 1e+06.
std::string go_float_text(float number);
std::string go_float_text(double number);

}  // namespace fixpoint::document
