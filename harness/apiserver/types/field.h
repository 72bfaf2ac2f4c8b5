#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "harness/cases/minors.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

using cases::kNewestMinor, cases::kOldestMinor;
/// The oldest library whose Pod type is known: webhooks may be built with older libraries than the servers.
inline constexpr int kOldestLibrary = 26;

/// The type of a field's value; for a list or map, the type of each element.
enum class Shape : std::uint8_t { text, boolean, int32, int64, quantity, time, int_or_text, raw, object };
enum class Many : std::uint8_t { one, list, map };

/// The API server's reaction to a list that holds one key twice.
enum class Duplicate : std::uint8_t { error, warning, silent };

/// The members that identify an element of a list.
struct ListKey {
  std::string_view members[2];  ///< the second may be empty; both empty: the element itself
  Duplicate duplicate = Duplicate::error;
  std::string_view with = {};  ///< other lists whose keys must differ from these, as paths
};

/// The value that defaulting writes into an absent (or zero) field: a constant, an object, or a value derived
/// from the field's siblings.
enum class Default : std::uint8_t {
  none,
  text,
  number,
  truth,
  falsity,
  empty_object,
  only_source,  ///< an empty object if its parent has no member but the name
  pull_policy,  ///< from the tag of the image in the member `fallback_text`
};

struct Type;

/// One JSON member of a type of the API, as Go declares it.
struct Field {
  document::Name name;
  Shape shape;
  Many many = Many::one;
  bool is_pointer = false;  ///< nil differs from the zero value
  bool is_always = false;   ///< written even when empty (no omitempty, or a struct that is no pointer)
  bool is_rounded = false;  ///< defaulting rounds the quantities of this map up to milli units
  Default fallback_kind = Default::none;
  std::int8_t since = 0;   ///< the first minor that knows the field
  std::int8_t until = 99;  ///< the last minor that knows it
  std::int8_t fallback_since = 0;
  const Type* type = nullptr;
  std::string_view fallback_text = {};
  std::span<const ListKey> keys = {};

  constexpr bool known_in(int minor) const { return since <= minor && minor <= until; }

  // The tables of types build their rows with these modifiers.
  constexpr Field pointer() const {
    Field copy = *this;
    return (copy.is_pointer = true, copy.is_always = false, copy);
  }
  constexpr Field always() const {
    Field copy = *this;
    return (copy.is_always = true, copy);
  }
  constexpr Field unless_zero() const {
    Field copy = *this;
    return (copy.is_always = false, copy);
  }
  constexpr Field rounded() const {
    Field copy = *this;
    return (copy.is_rounded = true, copy);
  }
  /// A minor that is not known does not compile: nobody would look at the row.
  consteval Field from(std::int8_t minor) const {
    Field copy = *this;
    return (copy.since = known(minor), copy);
  }
  consteval Field through(std::int8_t minor) const {
    Field copy = *this;
    return (copy.until = known(minor), copy);
  }
  constexpr Field fallback(std::string_view text) const { return defaulting(Default::text, text); }
  constexpr Field fallback_number(std::string_view digits) const {
    return defaulting(Default::number, digits);
  }
  constexpr Field fallback_truth(bool truth) const {
    return defaulting(truth ? Default::truth : Default::falsity, {});
  }
  constexpr Field fallback_object() const { return defaulting(Default::empty_object, {}); }
  constexpr Field fallback_by(Default kind, std::string_view member, int minor = 0) const {
    Field copy = defaulting(kind, member);
    return (copy.fallback_since = static_cast<std::int8_t>(minor), copy);
  }
  constexpr Field keyed(std::span<const ListKey> by) const {
    Field copy = *this;
    return (copy.keys = by, copy);
  }

 private:
  static consteval std::int8_t known(std::int8_t minor) {
    if (minor < kOldestLibrary || minor > kNewestMinor) throw "no minor that is simulated";
    return minor;
  }
  constexpr Field defaulting(Default kind, std::string_view text) const {
    Field copy = *this;
    return (copy.fallback_kind = kind, copy.fallback_text = text, copy);
  }
};

/// A struct of the API with its members in declaration order. `id` identifies the type in stamps. `slots` is
/// a hash table with linear probing: it maps the hash of a name to the index of its field plus one. `hashes`
/// and the two masks repeat, per field, what most loops over the fields need to skip a field.
struct Type {
  static constexpr std::size_t kSlots = 128, kFieldsMax = 48;
  std::string_view name;
  std::span<const Field> fields;
  std::uint32_t id;
  std::array<std::uint8_t, kSlots> slots{};
  std::array<std::uint32_t, kFieldsMax> hashes{};  ///< of the fields' names
  std::uint64_t with_default = 0;                  ///< bit i: defaulting may set field i if it is absent
  std::uint64_t looked_into = 0;                   ///< bit i: defaulting descends into field i
  constexpr Type(std::string_view type_name, std::span<const Field> members)
      : name(type_name), fields(members), id(document::Name(type_name).hash % 0xFFFF0 + 16) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      std::size_t at = fields[i].name.hash % kSlots;
      while (slots[at] != 0) at = (at + 1) % kSlots;
      slots[at] = static_cast<std::uint8_t>(i + 1);
      hashes[i] = fields[i].name.hash;
      const std::uint64_t bit = std::uint64_t{1} << i;
      if (fields[i].fallback_kind != Default::none) with_default |= bit;
      if (fields[i].shape == Shape::object || fields[i].is_rounded) looked_into |= bit;
    }
  }
};

}  // namespace fixpoint::apiserver
