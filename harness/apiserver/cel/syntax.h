#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/cel/cel_value.h"

namespace fixpoint::apiserver::cel {

struct Type;
using TypePtr = std::shared_ptr<const Type>;
struct Node;
using NodePtr = std::shared_ptr<Node>;

/// A place in an expression: the number of code points before it.
inline constexpr int kNowhere = -1;

/// A node of the syntax tree after macros are expanded. Operators are calls with the names that the server
/// knows them by, such as `_+_`. The checker fills in types and the functions that calls can mean.
struct Node {
  enum class Kind { literal, identifier, select, call, list, map, message, fold };
  Kind kind = Kind::literal;
  int id = 0;             ///< unique within the expression
  int at = kNowhere;      ///< where messages point to
  std::string name = {};  ///< of an identifier, a member, a function, a message type
  Datum literal = {};
  bool is_test = false;    ///< a select that tests presence: has(a.b)
  bool is_member = false;  ///< a call whose receiver is the first part
  /// Operand of a select; arguments; elements; keys and values in turns; field values; or range, initial
  /// value, condition, step and result of a fold.
  std::vector<NodePtr> parts = {};
  std::vector<bool> is_optional = {};  ///< of elements, entries and fields: written with `?`
  std::vector<std::string> fields = {};
  std::vector<int> field_places = {};
  std::string variable = {}, second_variable = {}, accumulator = {};  ///< of a fold
  TypePtr type = {};
  std::vector<std::string> overloads = {};  ///< what a checked call can mean; ids as the server's
  bool is_constant_type = false;            ///< an identifier that names a type
};

/// The server's names for the operators.
namespace operators {
inline constexpr const char* kConditional = "_?_:_";
inline constexpr const char* kOr = "_||_";
inline constexpr const char* kAnd = "_&&_";
inline constexpr const char* kNot = "!_";
inline constexpr const char* kNegate = "-_";
inline constexpr const char* kIndex = "_[_]";
inline constexpr const char* kOptionalIndex = "_[?_]";
inline constexpr const char* kOptionalSelect = "_?._";
inline constexpr const char* kAdd = "_+_";
inline constexpr const char* kEqual = "_==_";
inline constexpr const char* kUnequal = "_!=_";
inline constexpr const char* kIn = "@in";
inline constexpr const char* kNotStrictlyFalse = "@not_strictly_false";
inline constexpr const char* kMapInsert = "cel.@mapInsert";
}  // namespace operators

/// One message of the parser, the checker or a validator.
struct Issue {
  int at = kNowhere;
  std::string message;
};

/// The messages as the server prints them: sorted by place, each with its line and a caret.
std::string issue_text(std::vector<Issue> issues, std::string_view source);

/// Which macros and syntax an environment has.
struct Dialect {
  bool optionals = true;           ///< `a.?b`, `[?e]`, optMap, optFlatMap
  bool two_variable_folds = true;  ///< all(i, v, p), transformList and the like
  bool sort_by = true;
};

struct Parsed {
  NodePtr root;  ///< null if there are issues
  std::vector<Issue> issues;
  int next_id = 1;
};

/// Parses an expression. `expands` false leaves macros as the calls they are written as, and accepts every
/// function: what is left is for readers of names and constants.
Parsed parse(std::string_view source, const Dialect& dialect, bool expands = true);

}  // namespace fixpoint::apiserver::cel
