#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// One member of a type of the API, as a line of the schema spells it: `name kind…`.
struct Member {
  std::string name;
  std::string kind;       ///< a letter of a scalar, or the name of a type
  char many = 0;          ///< '[' of a list, '{' of a map
  bool pointer = false;   ///< * nil is not zero
  bool always = false;    ///< ! written when empty, too
  bool to_milli = false;  ///< ~ defaulting rounds up to milli units
  int since = 0, until = 99;
  bool has_default = false;
  std::string fallback = {};
  bool is_object() const { return kind.size() > 1; }
};

/// The members of a type, in no certain order.
const std::vector<Member>& members_of(std::string_view type);

/// The document as the API server's decoder understands it, written as its encoder would: unknown members
/// gone, empty ones left out, quantities and times in the server's texts (docs/simulator.md#4-2).
/// `fractions`, if given, gets the fractions of seconds that the server has in memory and does not write.
/// Throws Undecodable.
Json decode(std::string_view type, const Json& sent, int minor, std::string* fractions = nullptr);

/// Fills in the constants that the schema names as defaults, and rounds what is to be rounded; of a decoded
/// document.
void fill_in(std::string_view type, Json& decoded, int minor);

/// Semantic equality of decoded documents (docs/simulator.md#4-3).
bool is_equal(std::string_view type, const Json& a, const Json& b);

/// The text of a time in UTC and its fraction of a second; throws Undecodable.
std::string time_text(const std::string& sent, std::string& fraction);

}  // namespace fixpoint::oracle
