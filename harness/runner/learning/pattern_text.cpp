#include "harness/runner/learning/pattern_text.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>

namespace fixpoint::runner {

namespace {

constexpr std::size_t kLongest = 64;

/// Walks over a regular expression and writes what each part of it matches.
class PatternWalk {
 public:
  explicit PatternWalk(std::string_view pattern) : pattern_(pattern) {}

  std::string alternatives(int depth = 0) {
    std::string first = sequence(depth);
    while (take('|')) sequence(depth);
    return first;
  }

 private:
  bool is_over() const { return at_ >= pattern_.size(); }
  char now() const { return pattern_[at_]; }
  bool take(char c) {
    if (is_over() || now() != c) return false;
    ++at_;
    return true;
  }

  std::string sequence(int depth) {
    constexpr int kDepthMax = 32;
    std::string text;
    while (!is_over() && now() != '|' && now() != ')' && depth < kDepthMax) {
      const std::string part = atom(depth);
      for (std::size_t left = repetitions(); left > 0 && text.size() <= kLongest; --left) text += part;
    }
    return text;
  }

  std::string atom(int depth) {
    const char c = pattern_[at_++];
    if (c == '(') {
      if (take('?')) {
        at_ = std::min(pattern_.find_first_of(":>)", at_), pattern_.size() - 1) + 1;
        if (pattern_[at_ - 1] == ')') return "";  // flags alone
      }
      std::string text = alternatives(depth + 1);
      take(')');
      return text;
    }
    if (c == '[') return {one_of_class()};
    if (c == '\\') return is_over() ? "" : escaped(pattern_[at_++]);
    if (c == '^' || c == '$') return "";
    return {c == '.' ? 'a' : c};
  }

  static std::string escaped(char c) {
    constexpr std::string_view kClasses = "dwsDWSbBAz";
    constexpr const char* kTexts[] = {"1", "a", " ", "a", "-", "a", "", "", "", ""};
    const auto found = kClasses.find(c);
    return found == std::string_view::npos ? std::string(1, c) : kTexts[found];
  }

  /// Reads a class behind its bracket, and returns a character of it.
  char one_of_class() {
    const std::size_t begin = at_ - 1;
    take('^');
    take(']');
    while (!is_over() && now() != ']') at_ += now() == '\\' ? 2 : now() == '[' && skip_named() ? 0 : 1;
    at_ = std::min(at_ + 1, pattern_.size());
    const re2::RE2 expression(std::string(pattern_.substr(begin, at_ - begin)), re2::RE2::Quiet);
    for (const char c : std::string_view("a1A-/._:@ "))
      if (expression.ok() && re2::RE2::FullMatch(std::string(1, c), expression)) return c;
    return begin + 1 < pattern_.size() ? pattern_[begin + 1] : 'a';
  }
  /// Skips `[:alnum:]` within a class.
  bool skip_named() {
    const auto end =
        pattern_.substr(at_).starts_with("[:") ? pattern_.find(":]", at_) : std::string_view::npos;
    if (end == std::string_view::npos) return false;
    at_ = end + 2;
    return true;
  }

  /// Reads what may stand behind a part: `*`, `+`, `?`, `{2,5}`.
  std::size_t repetitions() {
    std::size_t count = 1;
    if (take('{')) {
      const auto end = std::min(pattern_.find('}', at_), pattern_.size());
      std::from_chars(pattern_.data() + at_, pattern_.data() + end, count);
      at_ = std::min(end + 1, pattern_.size());
      count = std::clamp<std::size_t>(count, 1, kLongest);
    } else if (!take('*') && !take('+') && !take('?')) {
      return 1;
    }
    take('?');
    return count;
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::string> text_matching(std::string_view pattern) {
  const re2::RE2 expression({pattern.data(), pattern.size()}, re2::RE2::Quiet);
  if (!expression.ok()) return std::nullopt;
  std::string text = PatternWalk(pattern).alternatives();
  const bool matches = !text.empty() && text.size() <= kLongest && re2::RE2::PartialMatch(text, expression);
  return matches ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace fixpoint::runner
