#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The Kubernetes minors that the simulator can be (1.29 to 1.36).
inline constexpr int kOldestMinor = 29, kNewestMinor = 36;
/// The oldest library whose Pod type is known: webhooks are built with older ones than servers.
inline constexpr int kOldestLibrary = 26;

/// What a field holds; of a list or map, what each element holds.
enum class Shape : std::uint8_t { text, boolean, int32, int64, quantity, time, int_or_text, raw, object };
enum class Many : std::uint8_t { one, list, map };

/// What the API server says to a list that holds one key twice.
enum class Duplicate : std::uint8_t { error, warning, silent };

/// Members that together tell an element of a list from its siblings.
struct ListKey {
  std::string_view members[2];  ///< the second may be empty; both empty: the element itself
  Duplicate duplicate = Duplicate::error;
  std::string_view with = {};  ///< other lists of the same Pod that share the key's space, as paths
};

/// What defaulting writes into an absent (or zero) field: a constant, an object, or what siblings say.
enum class Default : std::uint8_t {
  none,
  text,
  number,
  truth,
  falsity,
  empty_object,
  only_source,  ///< an empty object when its object has no other member but the name
  pull_policy,  ///< by the tag of the image that the member `fallback_text` names
};

struct Type;

/// One JSON member of a type of the API, as Go declares it.
struct Field {
  document::Name name;
  Shape shape;
  Many many = Many::one;
  bool is_pointer = false;  ///< nil is not zero
  bool is_always = false;   ///< written when empty too (no omitempty; objects without pointer)
  bool is_rounded = false;  ///< defaulting rounds the quantities of this map up to milli units
  Default fallback_kind = Default::none;
  std::int8_t since = 0;   ///< the first minor that knows the field
  std::int8_t until = 99;  ///< the last one
  std::int8_t fallback_since = 0;
  const Type* type = nullptr;
  std::string_view fallback_text = {};
  std::span<const ListKey> keys = {};

  constexpr bool known_in(int minor) const { return since <= minor && minor <= until; }

  // Words of the tables.
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
  constexpr Field from(std::int8_t minor) const {
    Field copy = *this;
    return (copy.since = minor, copy);
  }
  constexpr Field through(std::int8_t minor) const {
    Field copy = *this;
    return (copy.until = minor, copy);
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
  constexpr Field defaulting(Default kind, std::string_view text) const {
    Field copy = *this;
    return (copy.fallback_kind = kind, copy.fallback_text = text, copy);
  }
};

/// A struct of the API: its members in declaration order. `id` tells types apart in stamps, `slots` says
/// where a name's field may be: the place of the field plus one, at the name's hash or behind it. `hashes`
/// and the masks say of each field, by its place, what most passes over the fields end at.
struct Type {
  static constexpr std::size_t kSlots = 128, kFieldsMax = 48;
  std::string_view name;
  std::span<const Field> fields;
  std::uint32_t id;
  std::array<std::uint8_t, kSlots> slots{};
  std::array<std::uint32_t, kFieldsMax> hashes{};  ///< of the names
  std::uint64_t with_default = 0;                  ///< an absent one may get a value
  std::uint64_t looked_into = 0;                   ///< defaulting goes on in it
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
