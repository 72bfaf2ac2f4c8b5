#include "harness/properties/packs/pack.h"

#include <algorithm>

namespace fixpoint::properties {

namespace {

template <class Row>
const Row* named(const std::vector<const Row*>& rows, std::string_view name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row* row) { return row->name == name; });
  return found == rows.end() ? nullptr : *found;
}

template <class Row>
bool has(std::span<const Row> rows, std::string_view name) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
}

/// Without a function of its own a property applies to everything of its kind.
template <class Row>
bool applies(const Row& property, std::span<const Tested> tested, bool to_webhooks) {
  return std::any_of(tested.begin(), tested.end(), [&](const Tested& one) {
    if (one.is_webhook() != to_webhooks) return false;
    return property.applies_to == nullptr || property.applies_to(one);
  });
}

}  // namespace

Catalog::Catalog() : Catalog(std::span<const Pack>()) {}

Catalog::Catalog(std::span<const Pack> packs)
    : packs_{{.of_cases = all(), .of_sequences = sequences::all()}} {
  packs_.insert(packs_.end(), packs.begin(), packs.end());
  for (const Pack& pack : packs_) {
    for (const Property& property : pack.of_cases) of_cases_.push_back(&property);
    for (const sequences::Property& property : pack.of_sequences) of_sequences_.push_back(&property);
  }
}

const Property* Catalog::find(std::string_view name) const { return named(of_cases_, name); }

const sequences::Property* Catalog::find_of_sequences(std::string_view name) const {
  return named(of_sequences_, name);
}

const Explanation* Catalog::explanation_of(std::string_view property) const {
  if (const auto* found = find(property)) return &found->explanation;
  const auto* found = find_of_sequences(property);
  return found == nullptr ? nullptr : &found->explanation;
}

std::string_view Catalog::claim_of(std::string_view property) const {
  if (const auto* found = find(property)) return found->claim;
  const auto* found = find_of_sequences(property);
  return found == nullptr ? std::string_view() : found->claim;
}

std::vector<reconcile::StepKind> Catalog::steps() const {
  std::vector<reconcile::StepKind> all;
  for (const Pack& pack : packs_) all.insert(all.end(), pack.steps.begin(), pack.steps.end());
  return all;
}

std::string_view Catalog::pack_of(std::string_view property) const {
  for (const Pack& pack : packs_) {
    if (has(pack.of_cases, property) || has(pack.of_sequences, property)) return pack.name;
  }
  return {};
}

Catalog Catalog::applicable_to(std::span<const Tested> tested) const {
  Catalog some = *this;
  std::erase_if(some.of_cases_, [&](const Property* one) { return !applies(*one, tested, true); });
  std::erase_if(some.of_sequences_,
                [&](const sequences::Property* one) { return !applies(*one, tested, false); });
  return some;
}

}  // namespace fixpoint::properties
