#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fixpoint {

// Regular expressions (ECMAScript's) for tests. A source that includes <regex> itself takes three seconds
// longer to compile.

bool is_found(std::string_view text, const std::string& pattern);
/// Returns true if the whole text matches.
bool is_whole(std::string_view text, const std::string& pattern);
/// Returns the text with each match replaced; `$1`, `$2`, … in `replacement` are the groups.
std::string replaced(std::string_view text, const std::string& pattern, const std::string& replacement);
/// Returns, for each match in order, the match itself and then its groups.
std::vector<std::vector<std::string>> all_found(std::string_view text, const std::string& pattern);

}  // namespace fixpoint
