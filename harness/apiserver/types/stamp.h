#pragma once

#include <cstdint>

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

/// Facts about an immutable subtree: it is the canonical encoding of that field's type under up to two minors
/// (the server's and that of a webhook's library), and possibly already defaulted under the first. Editing a
/// subtree clears its stamp (document::Value).
class Stamp {
 public:
  Stamp(const Field& field, int minor)
      : Stamp(field.many,
              field.type != nullptr ? field.type->id : static_cast<std::uint32_t>(field.shape) + 1, minor) {}
  Stamp(const Type& type, int minor) : Stamp(Many::one, type.id, minor) {}

  bool says_canonical(const document::Value& value) const {
    const std::uint32_t bits = value.stamp();
    return is_of_type(bits) && (place_in(bits, kFirst) == place_ || place_in(bits, kSecond) == place_);
  }
  /// The minors under which the value is known to be canonical for this field or type; 0 for none.
  struct Minors {
    int first, second;
  };
  Minors canonical_minors(const document::Value& value) const {
    const std::uint32_t bits = value.stamp();
    if (!is_of_type(bits)) return {0, 0};
    return {minor_at(place_in(bits, kFirst)), minor_at(place_in(bits, kSecond))};
  }
  bool says_defaulted(const document::Value& value) const {
    return (value.stamp() & ~(kPlaceMask << kSecond)) == (type_ | place_ << kFirst | kDefaulted);
  }
  /// Keeps the fact for another minor.
  void put_canonical(const document::Value& value) const {
    const std::uint32_t bits = value.stamp();
    if (!is_of_type(bits) || place_in(bits, kFirst) == 0) return value.set_stamp(type_ | place_ << kFirst);
    if (place_in(bits, kFirst) == place_ || place_in(bits, kSecond) == place_) return;
    value.set_stamp((bits & ~(kPlaceMask << kSecond)) | place_ << kSecond);
  }
  void put_defaulted(const document::Value& value) const {
    const std::uint32_t bits = value.stamp(), known = is_of_type(bits) ? place_in(bits, kFirst) : 0;
    const std::uint32_t other = known == place_ ? place_in(bits, kSecond) : known;
    value.set_stamp(type_ | place_ << kFirst | other << kSecond | kDefaulted);
  }

 private:
  static constexpr std::uint32_t kDefaulted = 1u << 31, kFirst = 22, kSecond = 26, kPlaceMask = 15;
  static_assert(kNewestMinor - kOldestLibrary < 15);
  Stamp(Many many, std::uint32_t id, int minor)
      : type_(id | static_cast<std::uint32_t>(many) << 20),
        place_(static_cast<std::uint32_t>(minor - kOldestLibrary + 1)) {}
  bool is_of_type(std::uint32_t bits) const { return ((bits ^ type_) & ((1u << kFirst) - 1)) == 0; }
  static std::uint32_t place_in(std::uint32_t bits, std::uint32_t at) { return bits >> at & kPlaceMask; }
  static int minor_at(std::uint32_t place) {
    return place == 0 ? 0 : static_cast<int>(place) + kOldestLibrary - 1;
  }
  std::uint32_t type_, place_;
};

}  // namespace fixpoint::apiserver
