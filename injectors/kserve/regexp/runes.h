#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// Go's regular expressions (RE2's syntax), for a ClusterStorageContainer's formats.
namespace fixpoint::injectors::kserve::regexp {

using Rune = std::int32_t;
inline constexpr Rune kRuneMax = 0x10FFFF;

struct Range {
  Rune low, high;
};
using Class = std::vector<Range>;

/// Takes one rune off the front; a byte that is no UTF-8 is U+FFFD.
Rune take_rune(std::string_view& text);
/// An ASCII letter, digit or underscore.
bool is_word(Rune rune);
bool contains(const Class& ranges, Rune rune);
Class negated(Class ranges);
/// With both cases of ASCII letters.
Class folded(const Class& ranges);
/// [:alpha:] and its like; empty for an unknown name.
Class posix(std::string_view name);
/// \d \s \w, and their opposites in capitals; nothing for any other letter. Perl's \s has no vertical tab.
std::optional<Class> perl_class(char letter);

}  // namespace fixpoint::injectors::kserve::regexp
