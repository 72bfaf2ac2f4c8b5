#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fixpoint::runner {

/// Returns a text of at most 64 characters that the regular expression matches, as RE2 reads it: the first of
/// each alternative, each part once or as often as it must be. Nothing if the expression is invalid or none
/// is found.
std::optional<std::string> text_matching(std::string_view pattern);

}  // namespace fixpoint::runner
