#pragma once

#include <string>
#include <string_view>

namespace fixpoint::document {

/// Returns what is wrong with a text that the YAML library refuses on a line (from 0), in words that say what
/// to mend: a tab in the indentation there, or the bracket that is not closed if `is_open_part` or the
/// library says so; else the library's own `message`.
std::string yaml_mistake(std::string_view text, std::string message, int line, bool is_open_part = false);

}  // namespace fixpoint::document
