#pragma once

#include <optional>
#include <unordered_map>

#include "harness/apiserver/types/field.h"

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
    const auto found = known_.find(&type);
    return found == known_.end() ? std::nullopt : std::optional<Fact>(found->second);
  }

 private:
  Fact collect(const Type& type) {
    if (const auto found = known_.find(&type); found != known_.end()) return found->second;
    Fact fact{};
    for (const Field& field : type.fields) {
      fact |= of_field_(field);
      if (field.type != nullptr) fact |= collect(*field.type);
    }
    return known_[&type] = fact;
  }

  OfField of_field_;
  std::unordered_map<const Type*, Fact> known_{};
};

}  // namespace fixpoint::apiserver
