#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/sequence.h"
#include "harness/properties/packs/pack.h"
#include "harness/reconcile/reconciler.h"
#include "harness/runner/learning/choices.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::external {

/// The webhooks and reconcilers that ship with this program, and the properties that it checks.
struct Bundled {
  webhooks::Resolve resolve = {};
  reconcile::ResolveReconciler resolve_reconciler = {};
  /// Draws a Sequence for one of these reconcilers.
  std::function<cases::Sequence(runner::Choices&, const std::vector<std::string>& subjects)> draw_sequence =
      {};
  /// Returns the configuration that this release of an injector is installed with; null for another name.
  std::function<document::Value(std::string_view injector)> configuration = {};
  properties::Catalog catalog = {};
  /// Returns an error text for a name that is not bundled, for the readers of Cases and Sequences.
  cases::KnownInjector known_injectors() const;
  cases::KnownInjector known_reconcilers() const;
  /// Returns a reader of Sequences for these reconcilers, with the steps of the packs.
  cases::SequenceReader sequence_reader() const;
};

}  // namespace fixpoint::external
