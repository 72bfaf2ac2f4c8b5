#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// One member of a type of the API, written in the schema as `name kind…`.
struct Member {
  std::string name;
  std::string kind;       ///< a letter for a scalar, or the name of a type
  char many = 0;          ///< '[' for a list, '{' for a map
  bool pointer = false;   ///< `*` in the schema: nil differs from zero
  bool always = false;    ///< `!` in the schema: written even if empty
  bool to_milli = false;  ///< `~` in the schema: defaulting rounds up to milli units
  int since = 0, until = 99;
  bool has_default = false;
  std::string fallback = {};
  bool is_object() const { return kind.size() > 1; }
};

/// Returns the members of a type, in no particular order.
const std::vector<Member>& members_of(std::string_view type);

/// Decodes a document as the API server does and writes it as its encoder does: without unknown and empty
/// members, with quantities and times in the server's spelling (docs/simulator.md#4-2). `fractions`, if
/// given, receives the fractions of seconds that the server keeps in memory but does not write. Throws
/// Undecodable.
Json decode(std::string_view type, const Json& sent, int minor, std::string* fractions = nullptr);

/// Sets the constant defaults of the schema in a decoded document, and rounds the members that the schema
/// marks with `~`.
void fill_in(std::string_view type, Json& decoded, int minor);

/// Compares decoded documents by semantic equality (docs/simulator.md#4-3).
bool is_equal(std::string_view type, const Json& a, const Json& b);

/// Returns the text of a time in UTC, and its fraction of a second in `fraction`; throws Undecodable.
std::string time_text(const std::string& sent, std::string& fraction);

}  // namespace fixpoint::oracle
