#pragma once

#include <vector>

#include "harness/cases/sequence.h"
#include "harness/reconcile/reconciler.h"

namespace fixpoint::reconcile {

/// One step of a Sequence as it went.
struct StepResult {
  Objects before = {};
  Objects after = {};
  /// Of a reconcile: the component with its name, namespace and what had been set before; else null.
  Value desired = {};
  bool server_defaults = true;
  Reconciled reconciled = {};
  bool is_reconcile() const { return !desired.is_null(); }
};

/// Runs a Sequence; one result for each of its steps.
std::vector<StepResult> run_sequence(const cases::Sequence& value, const Reconciler& reconciler);
/// Runs its steps on what is stored there, where nothing makes the `initial` object first.
std::vector<StepResult> run_sequence(const cases::Sequence& value, const Reconciler& reconciler,
                                     ObjectStore& store);

/// Returns what is stored before the first step: the `initial` object with its kind and its namespace.
Objects stored_at_first(const cases::Sequence& value);

/// One more reconcile of the same component, on what was stored after the last one.
StepResult reconcile_again(const StepResult& last, const Reconciler& reconciler);

/// The kind of step with this name, or nullptr.
const StepKind* find_kind(std::span<const StepKind> kinds, std::string_view name);

}  // namespace fixpoint::reconcile
