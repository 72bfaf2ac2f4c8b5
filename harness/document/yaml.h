#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::document {

/// Reads the documents of a YAML stream as sigs.k8s.io/yaml turns them into JSON (YAML 1.1 as go-yaml v2
/// knows it): yes, no, on, off, y and n are booleans, `0644` is octal, `1_000` and `0x1F` are numbers and
/// become decimal, times are strings, `<<` merges, keys become strings, infinities have no JSON and are
/// errors. Documents without content are left out. Duplicate members are kept; a merged member gives way to
/// one written out after it.
///
/// Two rules are our own. A number with the tag `!number` keeps its text, so that write_yaml can write every
/// number. And nesting deeper than 500 levels is rejected whatever depth_max is.
///
/// Bounded by depth_max, document_bytes_max (as text, and its scalars after expansion of aliases), values_max
/// and aliases_max. Errors name the document, line, column and JSON pointer, as far as they are known.
Result<std::vector<Value>> read_yaml_stream(std::string_view text, const Limits& limits = {});

/// The one document of a YAML text; a text without content is null.
Result<Value> read_yaml(std::string_view text, const Limits& limits = {});

/// A position in a text, counted from 1.
struct TextPosition {
  int line = 1, column = 1;
};
/// The position of the member's name or the element at a JSON pointer; for a missing member, that of the
/// innermost part that exists. `number` counts the documents of a stream from 0. For messages: parsed by the
/// YAML library alone, so that text which read_yaml interprets differently has a position too. Empty if the
/// text is no YAML.
std::optional<TextPosition> position_of(const std::string& text, std::string_view pointer,
                                        std::size_t number = 0);

/// Writes block style, indented by two spaces, with a final newline. Strings are quoted if they would be read
/// as anything else; read_yaml returns an equal value unless it is nested too deeply. Spellings are lost.
std::string write_yaml(const Value& value);

/// Writes flow style in one line for a reader, `{name: a, image: b}`: of the members of a map the name comes
/// first. read_yaml returns a value that is equal but for the order of members.
std::string write_yaml_line(const Value& value);

}  // namespace fixpoint::document
