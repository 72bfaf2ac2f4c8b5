#pragma once

#include "harness/apiserver/types/strategy.h"

namespace fixpoint::apiserver {

/// Returns the row of the kind: that of Pods, of a workload, of custom resources, or of a kind whose fields
/// have no table here, of which only the metadata are decoded and validated.
const Strategy& strategy_of(const cases::Kind& kind);
/// The row of the kind that a request is about, or that of Scales for a request to a kind's `scale`.
const Strategy& strategy_of(const cases::Request& request, const cases::Kind& kind);
const Strategy& strategy_of(const cases::Request& request, const cases::Cluster& cluster);

/// Returns true for a kind of Kubernetes whose objects make Pods of a template.
bool makes_pods(const cases::Kind& kind);
/// Returns the template in an object of the kind; null if the kind has none.
const document::Value& template_in(const document::Value& object, const cases::Kind& kind);
/// The same to be changed, of a kind that makes Pods.
document::Value& edit_template(document::Value& object, const cases::Kind& kind);

/// Returns the Scale of a stored object, of a kind with the subresource scale, as a client reads it.
document::Value scale_of(const document::Value& object, const cases::Kind& kind);

/// The table of an object's fields, by the kind that it says; nullptr if there is none.
const Type* table_of(const document::Value& object);

// The rows, each in the file of its kind.
extern const Strategy kPodStrategy, kCustomStrategy, kUntypedStrategy, kScaleStrategy;
/// Returns the row of a kind of Kubernetes with a table beside Pods; nullptr for another.
const Strategy* typed_strategy(const cases::Kind& kind);

}  // namespace fixpoint::apiserver
