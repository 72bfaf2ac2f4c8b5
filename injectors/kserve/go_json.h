#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "harness/document/value.h"

/// The rules of Go's encoding/json for filling a struct from a text.
namespace fixpoint::injectors::kserve {

using document::Value;

enum class GoKind { text, boolean, integer, texts, object };

/// A member of a Go struct. `since` is the first release that declares it; older ones skip it, whatever its
/// value.
struct GoField {
  document::Name name;
  GoKind kind = GoKind::text;
  int since = 0;
  std::span<const GoField> fields = {};
};

/// Does json.Unmarshal into a struct of these fields: names match regardless of case, null leaves a member
/// unchanged, unknown members are skipped, and a wrong type is an error, for which nothing is returned. Zero
/// values may be missing from the result. A top-level null gives null, which is a nil pointer if upstream
/// holds a pointer.
std::optional<Value> unmarshal(std::string_view text, std::span<const GoField> fields, int release);
/// Does json.Unmarshal into a map[string]string.
std::optional<Value> unmarshal_texts(std::string_view text);
/// Does the same as unmarshal(), with a parsed value.
std::optional<Value> fill(const Value& json, std::span<const GoField> fields, int release);

/// Does strconv.ParseInt(text, 10, 64).
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace fixpoint::injectors::kserve
