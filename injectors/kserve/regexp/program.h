#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "injectors/kserve/regexp/runes.h"

namespace fixpoint::injectors::kserve::regexp {

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

enum class Op : std::uint8_t { rune, split, assertion, match };
enum class At : std::uint8_t { text_begin, text_end, line_begin, line_end, word, no_word };

/// A state of the automaton. `next` and `other` are states, or kNone while they are not patched yet.
struct State {
  Op op;
  At at = At::text_begin;
  std::size_t ranges = 0;  ///< an index of classes
  std::size_t next = 0, other = 0;
};

/// An expression as an automaton.
struct Program {
  std::vector<State> states = {};
  std::vector<Class> classes = {};
  std::size_t start = 0;
};
/// An error when Go refuses the expression. Of the Unicode classes none is known (\pL … are errors here).
document::Result<Program> compile(std::string_view expression);

}  // namespace fixpoint::injectors::kserve::regexp
