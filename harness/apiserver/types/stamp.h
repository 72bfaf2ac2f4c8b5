#pragma once

#include <cstdint>

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

/// What is known about an immutable subtree: it is the canonical encoding of that field's type under that
/// minor, and perhaps that defaulting has nothing left to do in it. Editing a subtree clears its stamp
/// (document::Value).
class Stamp {
 public:
  Stamp(const Field& field, int minor)
      : Stamp(field.many,
              field.type != nullptr ? field.type->id : static_cast<std::uint32_t>(field.shape) + 1, minor) {}
  Stamp(const Type& type, int minor) : Stamp(Many::one, type.id, minor) {}

  bool says_canonical(const document::Value& value) const { return (value.stamp() & ~kDefaulted) == bits_; }
  /// The minor under which the value is known to be canonical for this field or type; 0 if none is.
  int canonical_minor(const document::Value& value) const {
    const std::uint32_t bits = value.stamp() & ~kDefaulted;
    if (((bits ^ bits_) & (kMinorUnit - 1)) != 0) return 0;
    return static_cast<int>(bits / kMinorUnit) + kOldestLibrary - 1;
  }
  bool says_defaulted(const document::Value& value) const { return value.stamp() == (bits_ | kDefaulted); }
  /// What is known of another minor stays.
  void put_canonical(const document::Value& value) const {
    if (canonical_minor(value) == 0) value.set_stamp(bits_);
  }
  void put_defaulted(const document::Value& value) const { value.set_stamp(bits_ | kDefaulted); }

 private:
  static constexpr std::uint32_t kDefaulted = 1u << 31, kMinorUnit = 1u << 22;
  Stamp(Many many, std::uint32_t id, int minor)
      : bits_(id | static_cast<std::uint32_t>(many) << 20 |
              static_cast<std::uint32_t>(minor - kOldestLibrary + 1) * kMinorUnit) {}
  std::uint32_t bits_;
};

}  // namespace fixpoint::apiserver
