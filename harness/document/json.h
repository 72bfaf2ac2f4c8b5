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
  foreign,  ///< they become U+FFFD, as in Go's encoding/json
};

/// Reads one JSON document (RFC 8259) and nothing after it but blanks. Errors name line, column and JSON
/// pointer.
Result<Value> read_json(std::string_view text, const Limits& limits = {},
                        Strictness strictness = Strictness::ours);

/// Reads documents that follow one another, as in NDJSON.
Result<std::vector<Value>> read_json_stream(std::string_view text, const Limits& limits = {},
                                            Strictness strictness = Strictness::ours);

/// One document of a stream: reads it from `text` at `offset` and moves `offset` behind it.
Result<Value> read_json_at(std::string_view text, std::size_t& offset, const Limits& limits,
                           Strictness strictness);

/// Compact JSON with the members in their order.
std::string write_json(const Value& value);
/// Indented by two spaces, one member or element a line, a newline at the end.
std::string write_json_pretty(const Value& value);
/// A JSON string with quotes; `<`, `>` and `&` stand as they are.
void append_json_string(std::string& out, std::string_view text);

/// As Go's encoding/json writes it: compact, `<`, `>`, `&`, U+2028 and U+2029 escaped, spelled strings as
/// spelled.
std::string write_go_json(const Value& value);
void append_go_json_string(std::string& out, std::string_view text);

/// The same value with the members of all objects sorted bytewise (duplicates stay in their order).
Value sorted(const Value& value);

/// The same value with every string spelled as Go spells it, as a document is once the API server has decoded
/// it and encoded it anew. Shares what has no other spellings.
Value without_spellings(const Value& value);

}  // namespace fixpoint::document
