#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/sequence.h"
#include "harness/document/result.h"
#include "harness/reconcile/cluster_objects.h"

namespace fixpoint::reconcile {

/// The requests of one reconcile, and how it ended.
struct Reconciled {
  std::vector<Request> requests = {};
  std::string error = {};  ///< empty: none
  bool crashed = false;
};

/// A kind of step besides `reconcile`, from a table that comes with a reconciler. It acts immediately, or
/// sets something for the components that are reconciled after it.
struct StepKind {
  cases::StepReader reader = {};
  /// Sends requests for the stored objects.
  void (*act)(ObjectStore& store, const Value& value, const cases::ComponentName& component) = nullptr;
  /// Changes every component after it; only the last step of its kind applies.
  void (*edit)(Value& desired, const Value& value) = nullptr;
  /// Simpler values for shrinking, the simplest first.
  std::span<const std::string_view> plainer = {};
};

/// A reconciler is a function of the stored objects and of the desired component {name, namespace, labels,
/// annotations, spec}, as a Sequence gives it. It may be called from several threads.
struct Reconciler {
  std::function<Reconciled(const Objects& stored, const Value& desired)> reconcile = {};
  std::span<const StepKind> steps = {};  ///< the steps of its Sequences; they outlive it

  Reconciled operator()(const Objects& stored, const Value& desired) const {
    return reconcile(stored, desired);
  }
};
using ResolveReconciler = std::function<document::Result<Reconciler>(std::string_view name)>;

}  // namespace fixpoint::reconcile
