#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/apiserver/cel/cel_value.h"

namespace fixpoint::apiserver::cel {

/// The size that costs count: bytes of an address or a network, 1 of others.
std::uint64_t opaque_size(const OpaqueBox& value);
/// Returns true if comparing two such values costs one unit.
bool has_unit_equality(const OpaqueBox& value);
/// The length of the pattern that the server counts for a named format; 0 for other values.
std::uint64_t format_pattern_size(const Datum& format);

/// `Object{...}` and what is nested in it: names and values.
struct ObjectBox : OpaqueBox {
  ObjectBox(std::string of_type, std::vector<std::pair<std::string, Datum>> of_fields)
      : name(std::move(of_type)), fields(std::move(of_fields)) {}
  std::string_view type_name() const override { return name; }
  std::string_view tag() const override { return "object"; }
  bool equals(const OpaqueBox& other) const override;
  Datum member(std::string_view field, bool& found) const override;
  bool has_members() const override { return true; }
  std::string name;
  std::vector<std::pair<std::string, Datum>> fields;
};

/// `JSONPatch{op, path, from, value}`.
struct PatchBox : OpaqueBox {
  std::string_view type_name() const override { return "JSONPatch"; }
  std::string_view tag() const override { return "patch"; }
  bool equals(const OpaqueBox& other) const override;
  Datum member(std::string_view field, bool& found) const override;
  bool has_members() const override { return true; }
  std::string op, path, from;
  bool has_value = false;
  Datum value;
};

/// A value of a message type, or the error: `JSONPatch` wants texts.
Datum make_message(const std::string& type, std::vector<std::pair<std::string, Datum>> fields);

}  // namespace fixpoint::apiserver::cel
