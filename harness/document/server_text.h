#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "harness/document/value.h"

namespace fixpoint::document {

/// A text of the API server, word for word, with {} where a value stands. Every text is one literal in the
/// source, so that harness/server_texts_test.cpp finds it and a recorded line that shows it.
class Text {
 public:
  constexpr Text() = default;
  constexpr explicit Text(const char* words) : words_(words) {}
  constexpr std::string_view words() const { return words_; }
  /// The text with the values in the places of {}, in their order; those that have no place are left out.
  std::string with(std::initializer_list<std::string_view> values) const;

 private:
  std::string_view words_ = {};
};

/// The text of an error, made when it is reported: a Text or one with its values.
class Detail {
 public:
  constexpr Detail() = default;
  constexpr Detail(Text text) : view_(text.words()) {}            // NOLINT(google-explicit-constructor)
  Detail(const std::string& with_values) : view_(with_values) {}  // NOLINT(google-explicit-constructor)
  constexpr std::string_view view() const { return view_; }

 private:
  std::string_view view_ = {};
};

/// The code point of one well-formed sequence of UTF-8, or the byte alone.
std::uint32_t code_point(std::string_view sequence);
/// Returns true for a character that Go prints as it is (strconv.IsPrint), but for code points that Unicode
/// has not assigned.
bool is_printable_code(std::uint32_t code);

/// The text in double quotes as Go's %q prints it (strconv.Quote).
std::string go_quoted(std::string_view text);

/// Go's name for the struct that it reads apiVersion and kind into.
inline constexpr std::string_view kGoKindStruct =
    "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
    "\"json:\\\"kind,omitempty\\\"\" }";

/// The kind of a value as Go's JSON decoder names it: null, bool, number, string, array, object.
std::string_view go_kind(const Value& value);

/// The value as Go's json.Marshal writes it: without blanks, members in their order, and <, >, & and the line
/// separators of Unicode escaped.
std::string go_json(const Value& value);

/// A member of a Go struct as json.Marshal writes it. `go` is its name there, `absent` what is written if the
/// document has no such member; an empty one leaves it out.
struct GoMember {
  std::string_view go;
  Name json;
  std::string_view absent = "null";
  std::span<const GoMember> members = {};  ///< of a struct, or of the structs of a list
};
/// The object, or each object of a list, as Go writes the struct.
std::string go_json(const Value& value, std::span<const GoMember> members);

}  // namespace fixpoint::document
