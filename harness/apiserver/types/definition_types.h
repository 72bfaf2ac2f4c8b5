#pragma once

#include "harness/apiserver/types/field.h"

namespace fixpoint::apiserver {

/// CustomResourceDefinition of apiextensions.k8s.io/v1. Of a schema, `items` is one schema and
/// `additionalProperties` a schema, though Go reads a list of schemas and a bool there as well.
extern const Type kCustomResourceDefinition;

}  // namespace fixpoint::apiserver
