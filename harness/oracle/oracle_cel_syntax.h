#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/oracle/oracle_cel_value.h"

namespace fixpoint::oracle {

/// A part of an expression of CEL, as its grammar has it (cel-spec doc/langdef.md#syntax): macros are calls
/// here, and so are operators, named by their signs.
struct CelNode {
  enum class Is {
    literal,  ///< `value`
    name,     ///< `text`
    select,   ///< parts[0].text
    index,    ///< parts[0][parts[1]]
    call,     ///< text(parts…), or parts[0].text(parts…) with a target
    list,     ///< parts
    map,      ///< parts: keys and values in turn
    object,   ///< text{fields: parts}
  };
  Is is = Is::literal;
  CelValue value = {};
  std::string text = {};
  std::vector<CelNode> parts = {};
  std::vector<std::string> fields = {};
  /// `a.?b`, `a[?b]`; of an element of a list, a map or an object: `?` stands before it.
  bool is_optional = false;
  bool has_target = false;
};

/// Reads an expression; throws CelFailed if it is none.
CelNode read_cel(std::string_view text);

}  // namespace fixpoint::oracle
