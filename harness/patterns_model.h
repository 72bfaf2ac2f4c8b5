#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fixpoint {

// Regular expressions (ECMAScript's) for tests. A unit that includes <regex> itself compiles three seconds
// longer.

bool is_found(std::string_view text, const std::string& pattern);
/// Whether the text as a whole is one.
bool is_whole(std::string_view text, const std::string& pattern);
/// The text with `$1` and the like in `replacement` standing for groups.
std::string replaced(std::string_view text, const std::string& pattern, const std::string& replacement);
/// The groups of each match in turn, in front of them the match itself.
std::vector<std::vector<std::string>> all_found(std::string_view text, const std::string& pattern);

}  // namespace fixpoint
