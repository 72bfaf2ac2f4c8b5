#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::document {

/// How lenient a reader is about text. Duplicate members are kept in either case.
enum class Strictness {
  ours,     ///< invalid UTF-8 and lone surrogates are errors
  foreign,  ///< both become U+FFFD, as in Go's encoding/json
};

/// Reads exactly one JSON document (RFC 8259), with blanks around it. Errors name line, column and JSON
/// pointer.
Result<Value> read_json(std::string_view text, const Limits& limits = {},
                        Strictness strictness = Strictness::ours);

/// Reads consecutive documents, as in NDJSON.
Result<std::vector<Value>> read_json_stream(std::string_view text, const Limits& limits = {},
                                            Strictness strictness = Strictness::ours);

/// Reads the document of a stream that begins at `offset` of `text` and advances `offset` past it.
Result<Value> read_json_at(std::string_view text, std::size_t& offset, const Limits& limits,
                           Strictness strictness);

/// Compact JSON with the members in their order.
std::string write_json(const Value& value);
/// JSON indented by two spaces, one member or element per line, with a final newline.
std::string write_json_pretty(const Value& value);
/// Appends a JSON string with quotes; `<`, `>` and `&` are not escaped.
void append_json_string(std::string& out, std::string_view text);

/// Writes JSON as Go's encoding/json does: compact, with `<`, `>`, `&`, U+2028 and U+2029 escaped; a string
/// with its own spelling keeps it.
std::string write_go_json(const Value& value);
void append_go_json_string(std::string& out, std::string_view text);

/// The same value with the members of all objects sorted bytewise (duplicates stay in their order).
Value sorted(const Value& value);

/// The same value with the spelling of every string reset to Go's, as after decoding and encoding by the API
/// server. Shares subtrees without other spellings.
Value without_spellings(const Value& value);

}  // namespace fixpoint::document
