#include "injectors/kserve/regexp/runes.h"

#include <algorithm>
#include <array>

namespace fixpoint::injectors::kserve::regexp {

namespace {

constexpr Rune kBad = 0xFFFD;

struct NamedClass {
  std::string_view name;
  std::array<Range, 4> ranges;
  std::size_t count;
};
constexpr std::array<NamedClass, 14> kPosix{{
    {"alnum", {{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, {0, 0}}}, 3},
    {"alpha", {{{'A', 'Z'}, {'a', 'z'}, {0, 0}, {0, 0}}}, 2},
    {"ascii", {{{0, 0x7F}, {0, 0}, {0, 0}, {0, 0}}}, 1},
    {"blank", {{{'\t', '\t'}, {' ', ' '}, {0, 0}, {0, 0}}}, 2},
    {"cntrl", {{{0, 0x1F}, {0x7F, 0x7F}, {0, 0}, {0, 0}}}, 2},
    {"digit", {{{'0', '9'}, {0, 0}, {0, 0}, {0, 0}}}, 1},
    {"graph", {{{'!', '~'}, {0, 0}, {0, 0}, {0, 0}}}, 1},
    {"lower", {{{'a', 'z'}, {0, 0}, {0, 0}, {0, 0}}}, 1},
    {"print", {{{' ', '~'}, {0, 0}, {0, 0}, {0, 0}}}, 1},
    {"punct", {{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}}, 4},
    {"space", {{{'\t', '\r'}, {' ', ' '}, {0, 0}, {0, 0}}}, 2},
    {"upper", {{{'A', 'Z'}, {0, 0}, {0, 0}, {0, 0}}}, 1},
    {"word", {{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, {'_', '_'}}}, 4},
    {"xdigit", {{{'0', '9'}, {'A', 'F'}, {'a', 'f'}, {0, 0}}}, 3},
}};

}  // namespace

Rune take_rune(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const int length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  if (length == 0 || text.size() < static_cast<std::size_t>(length)) return (text.remove_prefix(1), kBad);
  Rune rune = length == 1 ? first : first & (0x7F >> length);
  for (std::size_t i = 1; i < static_cast<std::size_t>(length); ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if (next >> 6 != 2) return (text.remove_prefix(1), kBad);
    rune = rune << 6 | (next & 0x3F);
  }
  text.remove_prefix(static_cast<std::size_t>(length));
  return rune;
}

bool is_word(Rune r) {
  return (r >= '0' && r <= '9') || (r >= 'A' && r <= 'Z') || (r >= 'a' && r <= 'z') || r == '_';
}

bool contains(const Class& ranges, Rune rune) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& r) { return r.low <= rune && rune <= r.high; });
}

Class negated(Class ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.low < b.low; });
  Class result;
  Rune next = 0;
  for (const Range& range : ranges) {
    if (range.low > next) result.push_back({next, range.low - 1});
    next = std::max(next, range.high + 1);
  }
  if (next <= kRuneMax) result.push_back({next, kRuneMax});
  return result;
}

Class folded(const Class& ranges) {
  Class result = ranges;
  for (Rune letter = 'a'; letter <= 'z'; ++letter) {
    const Rune upper = letter - 32;
    if (contains(ranges, letter)) result.push_back({upper, upper});
    if (contains(ranges, upper)) result.push_back({letter, letter});
  }
  return result;
}

Class posix(std::string_view name) {
  for (const NamedClass& known : kPosix) {
    if (known.name == name) return {known.ranges.begin(), known.ranges.begin() + known.count};
  }
  return {};
}

std::optional<Class> perl_class(char letter) {
  const char lower = static_cast<char>(letter | 0x20);
  Class ranges;
  if (lower == 'd') ranges = posix("digit");
  if (lower == 'w') ranges = posix("word");
  if (lower == 's') ranges = {{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};
  if (ranges.empty()) return std::nullopt;
  return letter == lower ? ranges : negated(std::move(ranges));
}

}  // namespace fixpoint::injectors::kserve::regexp
