#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/document/server_text.h"
#include "harness/document/value.h"

namespace fixpoint::document {

// The words of the server's patch library (patch.go of gopkg.in/evanphx/json-patch.v4).

enum class Verb : std::uint8_t { add, remove, replace, move, copy, test, unknown };

/// The library's name for an operation, by its verb.
struct VerbTexts {
  Text no_path;    ///< {}: why
  Text no_parent;  ///< {}: the path
  Text no_child;   ///< {}: the path, then why
  Text no_from = Text("");
  Text no_source_parent = Text("");
  Text no_source = Text("");
};
const VerbTexts& texts_of(Verb verb);

/// Parses an array index as Go's strconv.Atoi does: an optional sign, then digits with any leading zeros.
std::optional<std::int64_t> read_index(std::string_view token);

/// Go's text for a token that is no index of a list: it is no number, or there is no such element.
std::string index_problem(std::string_view token);
/// The same where something is added.
std::string added_index_problem(std::string_view token);

/// Why a member of an operation is no string.
std::string no_string(const Value& member, Text missing);

}  // namespace fixpoint::document
