#pragma once

#include <vector>

#include "harness/cases/sequence.h"
#include "harness/webhooks/reconciler.h"

namespace fixpoint::apiserver {

using document::Value;

/// One step of a Sequence as it went.
struct Turn {
  webhooks::Objects before = {};
  webhooks::Objects after = {};
  /// Of a reconcile: the component with its name, namespace and what had been set before; else null.
  Value desired = {};
  bool server_defaults = true;
  webhooks::Reconciled reconciled = {};
  bool is_reconcile() const { return !desired.is_null(); }
  /// The component's class: `hpa` when its annotation is absent.
  std::string_view autoscaler_class() const;
};

/// What the API server stores in the course of a Sequence.
struct Course {
  std::vector<Turn> turns = {};
};

/// Runs a Sequence. The API server is the plain one of a recorded Sequence, with what finalizers do: a
/// removal marks what has any, and a marked object goes when the last of them does.
Course run_sequence(const cases::Sequence& value, const webhooks::Reconciler& reconciler);

/// One more reconcile of the same component, on what was stored after the turn.
Turn reconcile_again(const Turn& last, const webhooks::Reconciler& reconciler);

inline constexpr const char* kClassAnnotation = "serving.kserve.io/autoscalerClass";
inline constexpr const char* kStopAnnotation = "serving.kserve.io/stop";

}  // namespace fixpoint::apiserver
