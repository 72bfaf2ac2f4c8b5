#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "harness/apiserver/types/field.h"
#include "harness/document/check.h"

namespace fixpoint::apiserver {

/// A fact about each type below a root, computed once: the union of the facts of its own fields and of all
/// types that it contains. A Fact is a bool or a set of bits.
template <class Fact>
class Facts {
 public:
  using OfField = Fact (*)(const Field& field);
  Facts(const Type& root, OfField of_field) : of_field_(of_field) { collect(root); }

  /// Empty for a type that the root does not contain.
  std::optional<Fact> of(const Type& type) const {
    const Known& known = known_[place_of(type)];
    return known.type == nullptr ? std::nullopt : std::optional<Fact>(known.fact);
  }

 private:
  struct Known {
    const Type* type = nullptr;
    Fact fact{};
  };
  static constexpr std::size_t kPlaces = 1024;  ///< several times the number of types

  /// The slot of the type, or the free slot where it would be stored.
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
