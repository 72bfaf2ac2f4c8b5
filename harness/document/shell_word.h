#pragma once

#include <string>
#include <string_view>

namespace fixpoint::document {

/// Returns a text as one word of a shell's command line: as it is if a shell takes it so, else in quotation
/// marks. For commands that are printed for a person to paste.
std::string shell_word(std::string_view text);

}  // namespace fixpoint::document
