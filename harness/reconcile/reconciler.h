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

/// What one reconcile asked for, and how it ended.
struct Reconciled {
  std::vector<Request> requests = {};
  std::string error = {};  ///< empty: none
  bool crashed = false;
};

/// A kind of step besides `reconcile`: a row of the table that comes with a reconciler. It does something at
/// once, or sets something for the components that are reconciled after it.
struct StepKind {
  cases::StepReader reader = {};
  /// What it does to the stored objects.
  void (*act)(Objects& stored, const Value& value, const cases::ComponentName& component) = nullptr;
  /// What the last step of its kind changes in every component after it.
  void (*edit)(Value& desired, const Value& value) = nullptr;
  /// Texts that are plainer values than others, the plainest first: for shrinking.
  std::span<const std::string_view> plainer = {};
};

/// A reconciler is a function of what is stored and of the component it is to serve: {name, namespace,
/// labels, annotations, spec}, as a Sequence gives it. It may be called from several threads.
struct Reconciler {
  std::function<Reconciled(const Objects& stored, const Value& desired)> reconcile = {};
  std::span<const StepKind> steps = {};  ///< that its Sequences can have; they outlive it

  Reconciled operator()(const Objects& stored, const Value& desired) const {
    return reconcile(stored, desired);
  }
};
using ResolveReconciler = std::function<document::Result<Reconciler>(std::string_view name)>;

}  // namespace fixpoint::reconcile
