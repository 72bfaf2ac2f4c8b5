#include "harness/webhooks/crash_line.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "harness/document/printable.h"

namespace fixpoint::webhooks {

namespace {

constexpr std::size_t kLongest = 160;

std::vector<std::string_view> lines_of(std::string_view words) {
  std::vector<std::string_view> lines;
  for (std::size_t from = 0; from < words.size();) {
    const auto to = std::min(words.find('\n', from), words.size());
    std::string_view line = words.substr(from, to - from);
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) line.remove_suffix(1);
    if (!line.empty()) lines.push_back(line);
    from = to + 1;
  }
  return lines;
}

/// Returns true for "TypeError: …", "java.lang.NullPointerException: …" and "KeyError".
bool begins_with_error(std::string_view line) {
  const std::string_view name = line.substr(0, line.find_first_of(": ("));
  return name.ends_with("Error") || name.ends_with("Exception");
}

std::string without_addresses(std::string_view line) {
  std::string text;
  for (std::size_t at = 0; at < line.size(); ++at) {
    text += line[at];
    if (!text.ends_with("0x")) continue;
    while (at + 1 < line.size() && std::isxdigit(static_cast<unsigned char>(line[at + 1])) != 0) ++at;
  }
  return document::printable(text.substr(0, kLongest));
}

}  // namespace

std::string crash_line(std::string_view words) {
  constexpr auto kPanics = std::to_array<std::string_view>({"panic: ", "fatal error: ", "thread '"});
  const auto lines = lines_of(words);
  for (const std::string_view line : lines)
    for (const std::string_view panic : kPanics)
      if (line.starts_with(panic)) return without_addresses(line);
  if (words.find("Traceback (most recent call last)") != std::string_view::npos) {
    // Behind its stack Python says the error, which may have further lines.
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
      if (begins_with_error(*line)) return without_addresses(*line);
    return lines.empty() ? "" : without_addresses(lines.back());
  }
  for (const std::string_view line : lines)
    if (begins_with_error(line)) return without_addresses(line);
  return {};
}

}  // namespace fixpoint::webhooks
