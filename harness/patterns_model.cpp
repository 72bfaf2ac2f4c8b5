#include "harness/patterns_model.h"

#include <regex>

namespace fixpoint {

bool is_found(std::string_view text, const std::string& pattern) {
  return std::regex_search(text.begin(), text.end(), std::regex(pattern));
}

bool is_whole(std::string_view text, const std::string& pattern) {
  return std::regex_match(text.begin(), text.end(), std::regex(pattern));
}

std::string replaced(std::string_view text, const std::string& pattern, const std::string& replacement) {
  return std::regex_replace(std::string(text), std::regex(pattern), replacement);
}

std::vector<std::vector<std::string>> all_found(std::string_view text, const std::string& pattern) {
  const std::regex wanted(pattern);
  std::vector<std::vector<std::string>> found;
  for (std::cregex_iterator at(text.data(), text.data() + text.size(), wanted), end; at != end; ++at)
    found.emplace_back(at->begin(), at->end());
  return found;
}

}  // namespace fixpoint
