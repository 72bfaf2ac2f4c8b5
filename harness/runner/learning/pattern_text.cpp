#include "harness/runner/learning/pattern_text.h"

#include <re2/re2.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "harness/document/utf8.h"

namespace fixpoint::runner {

namespace {

constexpr int kRepeatsMore = 3;  ///< of what may stand any number of times
constexpr int kDepthMax = 32;
constexpr int kAttempts = 6;

/// All or part of an expression: a choice of characters, a sequence, a choice of parts, or one that repeats.
struct Expression {
  enum class Kind { characters, sequence, choice, repetition } kind = Kind::sequence;
  std::string characters = {};
  std::vector<Expression> parts = {};
  int least = 1, most = 1;
};

/// The characters that negated classes and dots are drawn from.
constexpr std::string_view kUsual = "abcxyz019-_./: ABZ";

constexpr std::string_view kDigits = "1234567890", kBlanks = " \t",
                           kWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

std::string without(std::string_view all, std::string_view some) {
  std::string rest;
  for (const char c : all)
    if (some.find(c) == std::string_view::npos) rest += c;
  return rest;
}

/// Reads the expression; what it does not know ends the reading.
class PatternReader {
 public:
  explicit PatternReader(std::string_view text) : text_(text) {}

  std::optional<Expression> read() {
    Expression part = alternatives(0);
    return fails_ || at_ != text_.size() ? std::nullopt : std::optional(std::move(part));
  }

 private:
  bool has(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool take(char c) {
    if (!has(c)) return false;
    ++at_;
    return true;
  }

  Expression alternatives(int depth) {
    Expression choice{.kind = Expression::Kind::choice};
    if (depth > kDepthMax) fails_ = true;
    do choice.parts.push_back(sequence(depth));
    while (!fails_ && take('|'));
    return choice;
  }

  Expression sequence(int depth) {
    Expression all;
    while (!fails_ && at_ < text_.size() && !has('|') && !has(')')) {
      Expression one = atom(depth);
      if (!fails_) all.parts.push_back(repeated(std::move(one)));
    }
    return all;
  }

  Expression atom(int depth) {
    const char c = text_[at_++];
    switch (c) {
      case '^':
      case '$':
        return {};
      case '.':
        return {.kind = Expression::Kind::characters, .characters = std::string(kUsual)};
      case '(':
        return group(depth);
      case '[':
        return set();
      case '\\':
        return escaped();
      default:
        return {.kind = Expression::Kind::characters, .characters = std::string(1, c)};
    }
  }

  Expression group(int depth) {
    if (take('?')) {  // (?:…), (?P<name>…), (?i)
      while (at_ < text_.size() && !has(':') && !has('>') && !has(')')) ++at_;
      if (take(')')) return {};
      ++at_;
    }
    Expression inner = alternatives(depth + 1);
    if (!take(')')) fails_ = true;
    return inner;
  }

  /// The characters of a class with a letter, or the character itself.
  std::string meant_by(char c) {
    switch (c) {
      case 'd':
        return std::string(kDigits);
      case 'w':
        return std::string(kWord);
      case 's':
        return std::string(kBlanks);
      case 'D':
        return without(kUsual, kDigits);
      case 'W':
        return without(kUsual, kWord);
      case 'S':
        return without(kUsual, kBlanks);
      case 't':
        return "\t";
      case 'n':
        return "\n";
      case 'p':
      case 'P':
      case 'x':
      case 'Q':
        fails_ = true;
        return "";
      default:
        return std::string(1, c);
    }
  }

  Expression escaped() {
    if (at_ == text_.size()) {
      fails_ = true;
      return {};
    }
    const char c = text_[at_++];
    if (c == 'b' || c == 'B' || c == 'A' || c == 'z') return {};
    return {.kind = Expression::Kind::characters, .characters = meant_by(c)};
  }

  /// A named class within brackets, such as [:alnum:]; empty if there is none here.
  std::string named_class() {
    constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
        {"[:alnum:]", "abcxyzABZ019"}, {"[:alpha:]", "abcxyzABZ"}, {"[:digit:]", "019"},
        {"[:lower:]", "abcxyz"},       {"[:upper:]", "ABZ"},       {"[:space:]", " "}};
    for (const auto& [name, characters] : kNamed) {
      if (!text_.substr(at_).starts_with(name)) continue;
      at_ += name.size();
      return std::string(characters);
    }
    return {};
  }

  Expression set() {
    const bool is_negated = take('^');
    std::string all;
    for (bool is_first = true; at_ < text_.size() && (is_first || !has(']')); is_first = false) {
      if (std::string named = named_class(); !named.empty()) {
        all += named;
        continue;
      }
      const char c = text_[at_++];
      const std::string from = c == '\\' && at_ < text_.size() ? meant_by(text_[at_++]) : std::string(1, c);
      const bool is_range = from.size() == 1 && has('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
      if (!is_range) {
        all += from;
        continue;
      }
      ++at_;
      char last = text_[at_++];
      if (last == '\\' && at_ < text_.size()) last = text_[at_++];
      for (int one = static_cast<unsigned char>(from[0]); one <= static_cast<unsigned char>(last); ++one)
        all += static_cast<char>(one);
    }
    if (!take(']')) fails_ = true;
    if (is_negated) all = without(kUsual, all);
    if (all.empty()) fails_ = true;
    // A number is rather 1 than 0.
    if (all.starts_with("01")) std::swap(all[0], all[1]);
    return {.kind = Expression::Kind::characters, .characters = std::move(all)};
  }

  Expression repeated(Expression one) {
    int least = 1, most = 1;
    if (take('*'))
      least = 0, most = kRepeatsMore;
    else if (take('+'))
      most = 1 + kRepeatsMore;
    else if (take('?'))
      least = 0;
    else if (!counts(least, most))
      return one;
    take('?');  // lazy
    Expression repetition{.kind = Expression::Kind::repetition, .least = least, .most = most};
    repetition.parts.push_back(std::move(one));
    return repetition;
  }

  /// Reads {2}, {2,} or {2,4}; any other brace is a character.
  bool counts(int& least, int& most) {
    static const RE2 kCounts(R"(^\{([0-9]{1,4})(,([0-9]{0,4}))?\})");
    std::string first, comma, second;
    const std::string_view rest = text_.substr(at_);
    if (!RE2::PartialMatch(re2::StringPiece(rest.data(), rest.size()), kCounts, &first, &comma, &second))
      return false;
    at_ = text_.find('}', at_) + 1;
    least = std::stoi(first);
    most = comma.empty() ? least : second.empty() ? least + kRepeatsMore : std::stoi(second);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool fails_ = false;
};

/// Appends a text for the part. `room` is how many characters may follow; where there is none left,
/// repetitions are as short as they may be.
void draw_part(Choices& choices, const Expression& part, std::size_t room, std::string& out) {
  switch (part.kind) {
    case Expression::Kind::characters:
      out += part.characters[choices.below(part.characters.size())];
      return;
    case Expression::Kind::choice:
      return draw_part(choices, choices.pick(part.parts), room, out);
    case Expression::Kind::sequence:
      for (const Expression& one : part.parts) draw_part(choices, one, room, out);
      return;
    case Expression::Kind::repetition: {
      const int most = out.size() >= room ? part.least : std::min(part.most, part.least + kRepeatsMore);
      // Once comes first, where that may be: the first text of a pattern is the plainest one that shows it.
      const int first = std::clamp(1, part.least, most), count = most - part.least + 1;
      const int drawn = choices.between(0, count - 1);
      for (int left = part.least + (first - part.least + drawn) % count; left > 0 && out.size() <= 4 * room;
           --left)
        draw_part(choices, part.parts.front(), room, out);
    }
  }
}

/// Returns the plainest texts of the part, at most so many.
std::vector<std::string> plainest(const Expression& part, std::size_t most) {
  std::vector<std::string> all;
  switch (part.kind) {
    case Expression::Kind::characters: {
      const bool is_digit = part.characters.find_first_not_of(kDigits) == std::string::npos;
      for (const char c : part.characters.substr(0, is_digit ? 2 : 1)) all.emplace_back(1, c);
      break;
    }
    case Expression::Kind::choice:
      for (const Expression& one : part.parts)
        for (std::string& text : plainest(one, most)) all.push_back(std::move(text));
      break;
    case Expression::Kind::sequence:
      all.emplace_back();
      for (const Expression& one : part.parts) {
        const std::vector<std::string> ends = plainest(one, most);
        std::vector<std::string> longer;
        for (const std::string& text : all)
          for (const std::string& end : ends) longer.push_back(text + end);
        if (longer.size() > most) longer.resize(most);
        all = std::move(longer);
      }
      break;
    case Expression::Kind::repetition:
      for (const std::string& text : plainest(part.parts.front(), most)) {
        all.emplace_back();
        for (int i = 0; i < std::max(1, part.least) && i < part.most; ++i) all.back() += text;
      }
      break;
  }
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace

std::optional<std::string> draw_matching(Choices& choices, std::string_view pattern, std::size_t runes_max) {
  const RE2 expression({pattern.data(), pattern.size()}, RE2::Quiet);
  if (!expression.ok()) return std::nullopt;
  const auto parsed = PatternReader(pattern).read();
  if (!parsed) return std::nullopt;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string text;
    draw_part(choices, *parsed, runes_max / 2, text);
    if (document::rune_count(text) <= runes_max && RE2::PartialMatch(text, expression)) return text;
  }
  return std::nullopt;
}

std::optional<std::string> text_matching(std::string_view pattern) {
  Choices plainest(std::vector<std::uint64_t>{});
  auto text = draw_matching(plainest, pattern);
  return text && text->empty() ? std::nullopt : text;
}

std::vector<std::string> texts_matching(std::string_view pattern, std::size_t most) {
  std::vector<std::string> texts;
  const auto first = text_matching(pattern);
  if (!first) return texts;
  texts.push_back(*first);
  const RE2 expression({pattern.data(), pattern.size()}, RE2::Quiet);
  for (std::string& text : plainest(*PatternReader(pattern).read(), most))
    if (texts.size() < most && text != *first && RE2::PartialMatch(text, expression))
      texts.push_back(std::move(text));
  return texts;
}

}  // namespace fixpoint::runner
