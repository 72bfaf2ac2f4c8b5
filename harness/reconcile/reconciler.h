#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/reconcile/objects.h"

namespace fixpoint::reconcile {

/// What one reconcile asked for, and how it ended.
struct Reconciled {
  std::vector<Request> requests = {};
  std::string error = {};  ///< empty: none
  bool crashed = false;
};

/// A reconciler is a function of what is stored and of the component it is to serve: {name, namespace,
/// labels, annotations, spec}, as a Sequence gives it. It may be called from several threads.
using Reconciler = std::function<Reconciled(const Objects& stored, const Value& desired)>;
using ResolveReconciler = std::function<document::Result<Reconciler>(std::string_view name)>;

}  // namespace fixpoint::reconcile
