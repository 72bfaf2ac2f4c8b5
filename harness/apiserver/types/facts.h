#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "harness/apiserver/types/field.h"
#include "harness/document/check.h"

namespace fixpoint::apiserver {

/// What holds of a type by one of its own fields, or by one of the types that these hold: found out once for
/// all types below a root. A Fact is bool or a set of bits; that of a type is the union of its fields'.
template <class Fact>
class Facts {
 public:
  using OfField = Fact (*)(const Field& field);
  Facts(const Type& root, OfField of_field) : of_field_(of_field) { collect(root); }

  /// Nothing for a type that the root does not hold.
  std::optional<Fact> of(const Type& type) const {
    const Known& known = known_[place_of(type)];
    return known.type == nullptr ? std::nullopt : std::optional<Fact>(known.fact);
  }

 private:
  struct Known {
    const Type* type = nullptr;
    Fact fact{};
  };
  static constexpr std::size_t kPlaces = 1024;  ///< several times the types that there are

  /// Where the type is known, or would be.
  std::size_t place_of(const Type& type) const {
    std::size_t place = type.id % kPlaces;
    while (known_[place].type != nullptr && known_[place].type != &type) place = (place + 1) % kPlaces;
    return place;
  }

  Fact collect(const Type& type) {
    if (const auto known = of(type)) return *known;
    document::check(++types_ < kPlaces, "there are fewer types than places");
    Fact fact{};
    for (const Field& field : type.fields) {
      fact |= of_field_(field);
      if (field.type != nullptr) fact |= collect(*field.type);
    }
    known_[place_of(type)] = {&type, fact};
    return fact;
  }

  OfField of_field_;
  std::array<Known, kPlaces> known_{};
  std::size_t types_ = 0;
};

}  // namespace fixpoint::apiserver
