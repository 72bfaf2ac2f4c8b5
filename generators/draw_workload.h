#pragma once

#include "harness/cases/kind.h"
#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"

// Objects that make Pods of a template: Deployments, Jobs and their like.
namespace fixpoint::generators {

/// Draws an object of the kind around a Pod that was drawn: it is valid if the Pod is.
document::Value draw_workload(runner::Choices& choices, const cases::Kind& kind, const document::Value& pod);

/// Changes the object at one place of the tables of types, perhaps so that the server refuses it; one that
/// the server cannot decode stays as it is.
void edit_workload(runner::Choices& choices, const cases::Kind& kind, int minor, document::Value& object);

/// A change of a stored workload that clients and controllers make. `now` starts as a copy of the stored one.
struct WorkloadChange {
  std::string_view name;
  void (*make)(runner::Choices& choices, const cases::Kind& kind, document::Value& now);
};
std::span<const WorkloadChange> workload_changes();

/// Draws a creation or an update of a workload, valid or nearly so, which a webhook may patch: what the
/// simulator and a real server are compared on (`fixpoint live --workloads`).
cases::Case draw_workload_case(runner::Choices& choices);

}  // namespace fixpoint::generators
