#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/properties/property.h"
#include "harness/properties/sequences/sequence_property.h"
#include "harness/reconcile/reconciler.h"

namespace fixpoint::properties {

/// Properties from outside the core that need knowledge of certain subjects. The tables of a Pack outlive
/// every Catalog.
struct Pack {
  std::string_view name = {};  ///< kserve
  std::span<const Property> of_cases = {};
  std::span<const sequences::Property> of_sequences = {};
  std::span<const reconcile::StepKind> steps = {};  ///< of Sequences for its reconcilers
};

/// The properties that a program or a run knows, in the order in which they are checked and printed: those of
/// the core, then those of the packs.
class Catalog {
 public:
  /// Creates a Catalog without packs.
  Catalog();
  explicit Catalog(std::span<const Pack> packs);

  std::span<const Property* const> of_cases() const { return of_cases_; }
  std::span<const sequences::Property* const> of_sequences() const { return of_sequences_; }

  /// The property with this name, or nullptr.
  const Property* find(std::string_view name) const;
  const sequences::Property* find_of_sequences(std::string_view name) const;
  /// The explanation of a property of either kind, or nullptr.
  const Explanation* explanation_of(std::string_view property) const;
  /// The claim of a property of either kind, or nothing.
  std::string_view claim_of(std::string_view property) const;
  /// The kinds of steps of all packs.
  std::vector<reconcile::StepKind> steps() const;
  /// The name of the pack that has the property; empty for those of the core.
  std::string_view pack_of(std::string_view property) const;

  /// Returns the same Catalog without the properties that apply to none of these subjects.
  Catalog applicable_to(std::span<const Tested> tested) const;

 private:
  std::vector<Pack> packs_ = {};  ///< the core is the first
  std::vector<const Property*> of_cases_ = {};
  std::vector<const sequences::Property*> of_sequences_ = {};
};

}  // namespace fixpoint::properties
