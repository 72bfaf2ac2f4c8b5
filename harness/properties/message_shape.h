#pragma once

#include <string>
#include <string_view>

namespace fixpoint::properties {

/// Returns the message without the values that it quotes; their opening quotes stay, followed by `instead`.
/// A quote within a word, as in "can't", quotes nothing, and one within a quoted text ends it only at the end
/// of a word.
std::string without_quoted(std::string_view message, std::string_view instead = {});

}  // namespace fixpoint::properties
