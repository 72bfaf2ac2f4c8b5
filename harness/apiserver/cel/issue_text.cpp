#include <algorithm>

#include "harness/apiserver/cel/cel.h"
#include "harness/apiserver/cel/syntax.h"
#include "harness/document/utf8.h"

namespace fixpoint::apiserver::cel {

namespace {

constexpr std::size_t kIssuesMax = 100;      ///< that the server prints
constexpr std::size_t kSnippetMax = 16'384;  ///< longer lines are not quoted

struct Place {
  int line = -1;  ///< from 1; -1 of nowhere
  int column = 0;
  std::string_view snippet = {};
};

Place place_of(int at, std::string_view source) {
  Place place;
  if (at < 0) return {-1, -1, {}};
  if (source.empty()) return {1, -1, {}};  // the server counts from nowhere
  place.line = 1;
  std::size_t byte = 0, line_start = 0;
  for (int i = 0; i < at && byte < source.size(); ++i) {
    const bool is_newline = source[byte] == '\n';
    byte += std::max<std::size_t>(1, document::utf8_length(source, byte));
    ++place.column;
    if (is_newline) ++place.line, place.column = 0, line_start = byte;
  }
  place.snippet = source.substr(line_start, source.find('\n', line_start) - line_start);
  return place;
}

/// A longer line is cut on both sides of the place.
constexpr int kExcerptBefore = 60, kExcerptAfter = 30;

}  // namespace

std::string excerpt(std::string_view source, int at) {
  Place place = place_of(at, source);
  if (place.line < 0) return {};
  // The place of a member is its dot; the caret is under its name.
  std::string_view rest = place.snippet;
  for (int i = 0; i < place.column && !rest.empty(); ++i)
    rest.remove_prefix(std::min(rest.size(), std::max<std::size_t>(1, document::utf8_length(rest, 0))));
  place.column += rest.starts_with(".?") ? 2 : rest.starts_with(".") ? 1 : 0;
  std::string line, below;
  int column = 0;
  for (std::size_t byte = 0; byte < place.snippet.size(); ++column) {
    const std::size_t length = std::max<std::size_t>(1, document::utf8_length(place.snippet, byte));
    const std::string_view character = place.snippet.substr(byte, length);
    byte += length;
    const int distance = column - place.column;
    if (distance < -kExcerptBefore || distance > kExcerptAfter) {
      const bool is_first_cut = distance == -kExcerptBefore - 1 || distance == kExcerptAfter + 1;
      if (is_first_cut) line += "…";
      if (is_first_cut && distance < 0) below += " ";
      continue;
    }
    line += character == "\t" ? " " : character;
    if (distance < 0) below += " ";
  }
  return line + "\n" + below + "^";
}

std::string issue_text(std::vector<Issue> issues, std::string_view source) {
  std::vector<std::pair<Place, std::string>> placed;
  const std::size_t total = issues.size();
  issues.resize(std::min(total, kIssuesMax));
  for (Issue& issue : issues) placed.emplace_back(place_of(issue.at, source), std::move(issue.message));
  std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
  std::string text;
  for (const auto& [place, message] : placed) {
    if (!text.empty()) text += "\n";
    text += "ERROR: <input>:" + std::to_string(place.line) + ":" + std::to_string(place.column + 1) + ": " +
            message;
    if (place.line < 0 || source.empty() || place.snippet.size() > kSnippetMax) continue;
    std::string snippet(place.snippet);
    std::replace(snippet.begin(), snippet.end(), '\t', ' ');
    text += "\n | " + snippet + "\n | ";
    // Characters beyond ASCII are wide in the terminals that the server has in mind.
    std::size_t byte = 0;
    for (int i = 0; i < place.column && byte < snippet.size(); ++i) {
      const std::size_t length = std::max<std::size_t>(1, document::utf8_length(snippet, byte));
      text += length > 1 ? "．" : ".";
      byte += length;
    }
    text += byte < snippet.size() && document::utf8_length(snippet, byte) > 1 ? "＾" : "^";
  }
  if (total > kIssuesMax) text += "\n" + std::to_string(total - kIssuesMax) + " more errors were truncated";
  return text;
}

}  // namespace fixpoint::apiserver::cel
