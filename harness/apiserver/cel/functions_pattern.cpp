#include <re2/re2.h>

#include <array>

#include "harness/apiserver/cel/functions.h"

namespace fixpoint::apiserver::cel {

class Pattern {
 public:
  explicit Pattern(std::string_view text) : compiled(with_old_names(text), options()) {}
  RE2 compiled;

 private:
  /// Go reads `(?<name>` as `(?P<name>`, older versions of RE2 do not.
  static std::string with_old_names(std::string_view text) {
    std::string result(text);
    for (std::size_t at = result.find("(?<"); at != std::string::npos; at = result.find("(?<", at + 3)) {
      const char next = at + 3 < result.size() ? result[at + 3] : '=';
      const bool is_escaped = at > 0 && result[at - 1] == '\\';
      if (next != '=' && next != '!' && !is_escaped) result.insert(at + 2, "P");
    }
    return result;
  }
  static RE2::Options options() {
    RE2::Options all;
    all.set_log_errors(false);
    return all;
  }
};

namespace {

using Arguments = std::span<const Datum>;

struct PatternMessage {
  RE2::ErrorCode code;
  const char* message;  ///< of Go's regexp/syntax
};
constexpr std::array kPatternMessages = {
    PatternMessage{RE2::ErrorBadEscape, "invalid escape sequence"},
    PatternMessage{RE2::ErrorBadCharClass, "invalid character class"},
    PatternMessage{RE2::ErrorBadCharRange, "invalid character class range"},
    PatternMessage{RE2::ErrorMissingBracket, "missing closing ]"},
    PatternMessage{RE2::ErrorMissingParen, "missing closing )"},
    PatternMessage{RE2::ErrorUnexpectedParen, "unexpected )"},
    PatternMessage{RE2::ErrorTrailingBackslash, "trailing backslash at end of expression"},
    PatternMessage{RE2::ErrorRepeatArgument, "missing argument to repetition operator"},
    PatternMessage{RE2::ErrorRepeatSize, "invalid repeat count"},
    PatternMessage{RE2::ErrorRepeatOp, "invalid nested repetition operator"},
    PatternMessage{RE2::ErrorBadPerlOp, "invalid or unsupported Perl syntax"},
    PatternMessage{RE2::ErrorBadUTF8, "invalid UTF-8"},
    PatternMessage{RE2::ErrorBadNamedCapture, "invalid named capture"},
};

std::string pattern_error(const RE2& pattern) {
  std::string message = "internal error";
  for (const PatternMessage& row : kPatternMessages) {
    if (row.code == pattern.error_code()) message = row.message;
  }
  std::string about = pattern.error_arg();
  if (pattern.error_code() == RE2::ErrorMissingParen || pattern.error_code() == RE2::ErrorUnexpectedParen) {
    about = pattern.pattern();
  }
  if (pattern.error_code() == RE2::ErrorTrailingBackslash) about.clear();
  return "error parsing regexp: " + message + ": `" + about + "`";
}

/// The pattern of a call: compiled with it, or now.
const Pattern* pattern_of(const Datum& text, const CallContext& context, std::shared_ptr<const Pattern>& made,
                          std::string& error) {
  if (context.pattern != nullptr) return context.pattern;
  made = compile_pattern(text.text(), error);
  return made.get();
}

Datum call_matches(Arguments a, const CallContext& context) {
  if (!a[0].is(Kind::text)) {
    const bool says_less = a[0].is(Kind::duration) || a[0].is(Kind::timestamp) || context.pattern != nullptr;
    return Datum::error(says_less ? "no such overload" : "no such overload: matches");
  }
  if (!a[1].is(Kind::text)) return Datum::error("no such overload");
  std::shared_ptr<const Pattern> made;
  std::string error;
  const Pattern* pattern = pattern_of(a[1], context, made, error);
  if (pattern == nullptr) return Datum::error(error);
  const std::string_view text = a[0].text();
  return Datum::of(RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern->compiled));
}

/// All matches from left to right as Go finds them: an empty one right after another match does not count.
std::vector<Datum> matches_in(std::string_view text, const Pattern& pattern, std::int64_t limit) {
  std::vector<Datum> found;
  const re2::StringPiece whole(text.data(), text.size());
  std::size_t at = 0, last_end = text.size() + 1;
  while (at <= text.size() && (limit < 0 || static_cast<std::int64_t>(found.size()) < limit)) {
    re2::StringPiece match;
    if (!pattern.compiled.Match(whole, at, text.size(), RE2::UNANCHORED, &match, 1)) break;
    const auto start = static_cast<std::size_t>(match.data() - text.data());
    const std::size_t end = start + match.size();
    if (match.size() > 0 || start != last_end) found.push_back(Datum::of(text.substr(start, match.size())));
    last_end = end;
    at = end;
    if (match.size() > 0) continue;
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  }
  return found;
}

Datum call_find(Arguments a, const CallContext& context) {
  if (!a[0].is(Kind::text)) return Datum::error("no such overload");
  std::shared_ptr<const Pattern> made;
  std::string error;
  const Pattern* pattern = pattern_of(a[1], context, made, error);
  if (pattern == nullptr) return Datum::error("Illegal regex: " + error);
  const std::vector<Datum> found = matches_in(a[0].text(), *pattern, 1);
  return found.empty() ? Datum::of("") : found[0];
}

Datum call_find_all(Arguments a, const CallContext& context) {
  if (!a[0].is(Kind::text) || (a.size() > 2 && !a[2].is(Kind::integer)))
    return Datum::error("no such overload");
  std::shared_ptr<const Pattern> made;
  std::string error;
  const Pattern* pattern = pattern_of(a[1], context, made, error);
  if (pattern == nullptr) return Datum::error("Illegal regex: " + error);
  return Datum::of(matches_in(a[0].text(), *pattern, a.size() > 2 ? a[2].integer() : -1));
}

constexpr std::array kPatternBindings = {
    Binding{"matches", call_matches},
    Binding{"string_find_string", call_find},
    Binding{"string_find_all_string", call_find_all},
    Binding{"string_find_all_string_int", call_find_all},
};

}  // namespace

std::shared_ptr<const Pattern> compile_pattern(std::string_view text, std::string& error) {
  auto pattern = std::make_shared<const Pattern>(text);
  if (pattern->compiled.ok()) return pattern;
  error = pattern_error(pattern->compiled);
  return nullptr;
}

std::span<const Binding> pattern_bindings() { return kPatternBindings; }

}  // namespace fixpoint::apiserver::cel
