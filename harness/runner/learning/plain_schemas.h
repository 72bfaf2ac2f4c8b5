#pragma once

#include "harness/cases/kind.h"
#include "harness/document/value.h"

namespace fixpoint::runner {

/// Returns an openAPIV3Schema by which objects of the kind are drawn and edited: that of its definition, or
/// for some kinds of Kubernetes without a template (Service, ConfigMap, Namespace, …) one that knows what
/// clients write, so that the API server takes what is drawn. Null for all other kinds.
const document::Value& drawn_schema_of(const cases::Kind& kind);

}  // namespace fixpoint::runner
