#pragma once

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The kind of object that the API server's scheme sees in a document, before it looks at anything else
/// (docs/simulator.md#3-6, docs/simulator.md#4-2).
enum class ObjectKind {
  pod,           ///< also when apiVersion or kind are missing or empty, which stands for v1 and Pod
  registered,    ///< another kind the scheme knows: decodes, and fails when it is converted to a Pod
  unregistered,  ///< an error at once
  malformed,     ///< no object (nor null), apiVersion or kind is no string, or apiVersion has two slashes
};
ObjectKind kind_of(const document::Value& object);

}  // namespace fixpoint::apiserver
