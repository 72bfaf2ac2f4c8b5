#include "injectors/kserve/regexp/program.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>

namespace fixpoint::injectors::kserve::regexp {

namespace {

constexpr int kRepeatMax = 1000, kDepthMax = 1000;
constexpr std::size_t kStatesMax = 100000;

void append(Class& into, const Class& from) { into.insert(into.end(), from.begin(), from.end()); }

/// A piece of the automaton: it begins at `first` and leaves through `last`, a split whose `next` is open.
struct Piece {
  std::size_t first, last;
};

struct Flags {
  bool fold = false, multi_line = false, dot_all = false;
};

class Compiler {
 public:
  explicit Compiler(std::string_view expression) : rest_(expression) {}

  document::Result<Program> compile() {
    const auto piece = alternation(0);
    if (piece && !rest_.empty()) fail("unexpected )");
    if (!problem_.empty()) return document::Error{"error parsing regexp: " + problem_};
    states_[piece->last].next = push({Op::match});
    return Program{std::move(states_), std::move(classes_), piece->first};
  }

 private:
  bool fail(const char* message) { return (problem_.empty() ? problem_ = message : problem_, false); }
  std::nullopt_t stop(const char* message) { return (fail(message), std::nullopt); }

  std::size_t push(State state) {
    states_.push_back(state);
    return states_.size() - 1;
  }
  /// A state that only leads on.
  std::size_t joint() { return push({Op::split, {}, 0, kNone, kNone}); }
  Piece nothing() {
    const std::size_t at = joint();
    return {at, at};
  }
  Piece one_of(Class ranges) {
    classes_.push_back(flags_.fold ? folded(ranges) : std::move(ranges));
    const std::size_t end = joint();
    return {push({Op::rune, {}, classes_.size() - 1, end, kNone}), end};
  }
  Piece assertion(At at) {
    const std::size_t end = joint();
    return {push({Op::assertion, at, 0, end, kNone}), end};
  }
  Piece joined(Piece a, Piece b) {
    states_[a.last].next = b.first;
    return {a.first, b.last};
  }

  std::optional<Piece> alternation(int depth) {
    if (depth > kDepthMax) return stop("expression nests too deeply");
    const Flags saved = flags_;
    auto piece = sequence(depth);
    while (piece && !rest_.empty() && rest_[0] == '|') {
      rest_.remove_prefix(1);
      const auto other = sequence(depth);
      if (!other) return std::nullopt;
      const std::size_t end = joint();
      states_[piece->last].next = states_[other->last].next = end;
      piece = Piece{push({Op::split, {}, 0, piece->first, other->first}), end};
    }
    flags_ = saved;
    return piece;
  }

  std::optional<Piece> sequence(int depth) {
    Piece whole = nothing();
    for (;;) {
      while (rest_.starts_with("\\Q")) expand_quote();
      if (rest_.empty() || rest_[0] == '|' || rest_[0] == ')') return whole;
      const std::string_view before = rest_;
      auto piece = atom(depth);
      if (!piece) return std::nullopt;
      piece = repeated(*piece, before, depth);
      if (!piece) return std::nullopt;
      if (states_.size() > kStatesMax) return stop("expression is too large");
      whole = joined(whole, *piece);
    }
  }

  std::optional<Piece> atom(int depth) {
    const char c = rest_[0];
    if (c == '*' || c == '+' || c == '?') return stop("missing argument to repetition operator");
    if (c == '(') return group(depth);
    if (c == '[') return bracket();
    if (c == '\\') return escaped();
    if (c == '.') {
      rest_.remove_prefix(1);
      return one_of(flags_.dot_all ? Class{{0, kRuneMax}} : negated({{'\n', '\n'}}));
    }
    if (c == '^' || c == '$') {
      rest_.remove_prefix(1);
      if (c == '^') return assertion(flags_.multi_line ? At::line_begin : At::text_begin);
      return assertion(flags_.multi_line ? At::line_end : At::text_end);
    }
    const Rune rune = take_rune(rest_);
    return one_of({{rune, rune}});
  }

  std::optional<Piece> group(int depth) {
    rest_.remove_prefix(1);
    const Flags saved = flags_;
    if (rest_.starts_with("?")) {
      rest_.remove_prefix(1);
      const bool is_named = rest_.starts_with("P<") || rest_.starts_with("<");
      if (is_named ? !take_name() : !take_flags()) return std::nullopt;
      if (rest_.starts_with(")") && !is_named) return (rest_.remove_prefix(1), nothing());
      if (!is_named) rest_.remove_prefix(1);
    }
    const auto piece = alternation(depth + 1);
    if (!piece) return std::nullopt;
    if (!rest_.starts_with(")")) return stop("missing closing )");
    rest_.remove_prefix(1);
    flags_ = saved;
    return piece;
  }

  bool take_name() {
    const auto open = rest_.find('<'), close = rest_.find('>');
    if (close == std::string_view::npos) return fail("invalid named capture");
    const std::string_view name = rest_.substr(open + 1, close - open - 1);
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_word)) return fail("invalid named capture");
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) return fail("duplicate capture name");
    names_.emplace_back(name);
    rest_.remove_prefix(close + 1);
    return true;
  }

  /// The letters of (?i-s) or (?i-s:…), up to the colon or the bracket.
  bool take_flags() {
    bool value = true, has_any = false;
    for (; !rest_.empty() && rest_[0] != ':' && rest_[0] != ')'; rest_.remove_prefix(1)) {
      const char c = rest_[0];
      if (c == '-' && value) {
        value = has_any = false;
        has_any = false;
        is_negated_ = true;
        continue;
      }
      if (c == 'i') flags_.fold = value;
      if (c == 'm') flags_.multi_line = value;
      if (c == 's') flags_.dot_all = value;
      if (c != 'i' && c != 'm' && c != 's' && c != 'U') return fail("invalid or unsupported Perl syntax");
      has_any = true;
    }
    if (rest_.empty()) return fail("missing closing )");
    const bool is_dangling = is_negated_ && !has_any;
    is_negated_ = false;
    return is_dangling ? fail("invalid or unsupported Perl syntax") : true;
  }

  /// What stands behind a backslash as one rune; nothing if it is none.
  std::optional<Rune> escaped_rune() {
    const char c = rest_[0];
    constexpr std::string_view kLetters = "aftnrv", kRunes = "\a\f\t\n\r\v";
    if (const auto at = kLetters.find(c); at != std::string_view::npos)
      return (rest_.remove_prefix(1), static_cast<Rune>(kRunes[at]));
    if (c == 'x') return hexadecimal();
    if (c >= '0' && c <= '7') return octal();
    const bool is_punctuation = static_cast<unsigned char>(c) < 0x80 && (!is_word(c) || c == '_');
    if (is_punctuation && c >= ' ') return (rest_.remove_prefix(1), static_cast<Rune>(c));
    return std::nullopt;
  }

  std::optional<Rune> octal() {
    if (rest_[0] != '0' && (rest_.size() < 2 || rest_[1] < '0' || rest_[1] > '7')) return std::nullopt;
    Rune rune = 0;
    for (int i = 0; i < 3 && !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '7'; ++i) {
      rune = rune * 8 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return rune;
  }

  std::optional<Rune> hexadecimal() {
    rest_.remove_prefix(1);
    const bool braced = rest_.starts_with("{");
    const auto end = braced ? rest_.find('}') : std::min<std::size_t>(2, rest_.size());
    if (end == std::string_view::npos) return std::nullopt;
    const std::string digits(rest_.substr(braced ? 1 : 0, braced ? end - 1 : end));
    const bool is_number = !digits.empty() && digits.size() <= 8 && (braced || digits.size() == 2) &&
                           digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
    if (!is_number) return std::nullopt;
    const unsigned long value = std::stoul(digits, nullptr, 16);
    if (value > static_cast<unsigned long>(kRuneMax)) return std::nullopt;
    rest_.remove_prefix(end + (braced ? 1 : 0));
    return static_cast<Rune>(value);
  }

  std::optional<Piece> escaped() {
    if (rest_.size() < 2) return stop("trailing backslash at end of expression");
    const char c = rest_[1];
    constexpr std::string_view kAnchors = "AzbB";
    constexpr At kMeanings[] = {At::text_begin, At::text_end, At::word, At::no_word};
    rest_.remove_prefix(1);
    if (const auto at = kAnchors.find(c); at != std::string_view::npos)
      return (rest_.remove_prefix(1), assertion(kMeanings[at]));
    if (auto ranges = perl_class(c)) return (rest_.remove_prefix(1), one_of(std::move(*ranges)));
    if (const auto rune = escaped_rune()) return one_of({{*rune, *rune}});
    return stop("invalid escape sequence");
  }

  /// Writes \Q…\E out with its punctuation escaped.
  void expand_quote() {
    rest_.remove_prefix(2);
    const auto end = rest_.find("\\E");
    std::string text;
    for (const char c : rest_.substr(0, end)) {
      const bool is_plain = static_cast<unsigned char>(c) >= 0x80 || c < ' ' || is_word(c);
      text.append(is_plain ? "" : "\\").push_back(c);
    }
    if (end != std::string_view::npos) text.append(rest_.substr(end + 2));
    rest_ = quotes_.emplace_back(std::move(text));
  }

  std::optional<Piece> bracket() {
    rest_.remove_prefix(1);
    const bool is_negative = rest_.starts_with("^");
    if (is_negative) rest_.remove_prefix(1);
    Class ranges;
    for (bool first = true; rest_.empty() || rest_[0] != ']' || first; first = false) {
      if (rest_.empty()) return stop("missing closing ]");
      if (!bracket_item(ranges, first)) return std::nullopt;
    }
    rest_.remove_prefix(1);
    if (flags_.fold) ranges = folded(ranges);
    return one_of(is_negative ? negated(std::move(ranges)) : std::move(ranges));
  }

  bool bracket_item(Class& ranges, bool first) {
    const bool lonely_minus =
        rest_.starts_with("-") && !first && !rest_.starts_with("-]") && rest_.size() > 1;
    if (lonely_minus) return fail("invalid character class range");
    if (rest_.starts_with("[:")) {
      if (const auto end = rest_.find(":]"); end != std::string_view::npos) {
        const bool is_negative = rest_.starts_with("[:^");
        const std::size_t from = is_negative ? 3 : 2;
        Class named = end < from ? Class{} : posix(rest_.substr(from, end - from));
        if (named.empty()) return fail("invalid character class range");
        append(ranges, is_negative ? negated(std::move(named)) : named);
        rest_.remove_prefix(end + 2);
        return true;
      }
    }
    if (rest_[0] == '\\' && rest_.size() > 1) {
      if (const auto named = perl_class(rest_[1])) {
        append(ranges, *named);
        rest_.remove_prefix(2);
        return true;
      }
    }
    const auto low = bracket_rune();
    if (!low) return false;
    Rune high = *low;
    if (rest_.size() >= 2 && rest_[0] == '-' && rest_[1] != ']') {
      rest_.remove_prefix(1);
      const auto end = bracket_rune();
      if (!end) return false;
      high = *end;
      if (high < *low) return fail("invalid character class range");
    }
    ranges.push_back({*low, high});
    return true;
  }

  std::optional<Rune> bracket_rune() {
    if (rest_.empty()) return stop("missing closing ]");
    if (rest_[0] != '\\') return take_rune(rest_);
    rest_.remove_prefix(1);
    if (rest_.empty()) return stop("trailing backslash at end of expression");
    const auto rune = escaped_rune();
    return rune ? rune : stop("invalid escape sequence");
  }

  /// Repetitions behind an atom; `atom` is where its text begins, to compile it anew for each copy.
  std::optional<Piece> repeated(Piece piece, std::string_view atom_text, int depth) {
    bool was_repeated = false;
    while (!rest_.empty()) {
      const char c = rest_[0];
      int low = c == '+' ? 1 : 0, high = c == '?' ? 1 : -1;
      const std::string_view before = rest_;
      if (c == '{') {
        if (!take_counts(low, high)) {
          if (!problem_.empty()) return std::nullopt;
          return piece;  // a brace that counts nothing is itself
        }
      } else if (c == '*' || c == '+' || c == '?') {
        rest_.remove_prefix(1);
      } else {
        return piece;
      }
      if (rest_.starts_with("?")) rest_.remove_prefix(1);
      if (was_repeated) return stop("invalid nested repetition operator");
      was_repeated = true;
      const std::string_view after = rest_;
      const std::string_view text = atom_text.substr(0, atom_text.size() - before.size());
      const auto whole = copies(piece, text, low, high, depth);
      if (!whole) return std::nullopt;
      rest_ = after;
      piece = *whole;
    }
    return piece;
  }

  /// {n}, {n,} or {n,m}; false without a problem when it is none of them.
  bool take_counts(int& low, int& high) {
    std::string_view text = rest_.substr(1);
    const auto number = [&]() -> std::optional<int> {
      if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
      if (text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9') return std::nullopt;
      int value = 0;
      for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1))
        value = std::min(value * 10 + (text[0] - '0'), kRepeatMax + 1);
      return value;
    };
    const auto first = number();
    if (!first) return false;
    low = high = *first;
    if (text.starts_with(",")) {
      text.remove_prefix(1);
      high = -1;
      if (!text.starts_with("}")) {
        const auto second = number();
        if (!second) return false;
        high = *second;
      }
    }
    if (!text.starts_with("}")) return false;
    rest_ = text.substr(1);
    if (low > kRepeatMax || high > kRepeatMax || (high >= 0 && low > high))
      return fail("invalid repeat count");
    return true;
  }

  std::optional<Piece> again(std::string_view text, int depth) {
    const auto names = names_;
    names_.clear();
    rest_ = text;
    const auto piece = atom(depth);
    names_ = names;
    return piece;
  }

  /// `low` copies in a row, then a loop when `high` is negative, else the rest as options.
  std::optional<Piece> copies(Piece piece, std::string_view text, int low, int high, int depth) {
    Piece whole = nothing();
    const int count = high < 0 ? std::max(low, 1) : high;
    for (int i = 0; i < count; ++i) {
      if (states_.size() > kStatesMax) return stop("expression is too large");
      const auto copy = i == 0 ? std::optional(piece) : again(text, depth);
      if (!copy) return std::nullopt;
      const bool is_loop = high < 0 && i + 1 == count, is_option = i >= low;
      whole = joined(whole, is_loop ? loop(*copy, is_option) : is_option ? option(*copy) : *copy);
    }
    return whole;
  }
  Piece option(Piece piece) {
    const std::size_t end = joint();
    states_[piece.last].next = end;
    return {push({Op::split, {}, 0, piece.first, end}), end};
  }
  Piece loop(Piece piece, bool may_be_empty) {
    const std::size_t end = joint();
    const std::size_t fork = push({Op::split, {}, 0, piece.first, end});
    states_[piece.last].next = fork;
    return {may_be_empty ? fork : piece.first, end};
  }

  std::string_view rest_;
  Flags flags_{};
  bool is_negated_ = false;
  std::string problem_{};
  std::deque<std::string> quotes_{};  ///< expressions with \Q…\E written out
  std::vector<std::string> names_{};
  std::vector<State> states_{};
  std::vector<Class> classes_{};
};

}  // namespace

document::Result<Program> compile(std::string_view expression) { return Compiler(expression).compile(); }

}  // namespace fixpoint::injectors::kserve::regexp
