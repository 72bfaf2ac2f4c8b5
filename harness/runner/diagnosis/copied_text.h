#pragma once

#include <span>
#include <string>

#include "harness/properties/property.h"

namespace fixpoint::runner {

/// Returns where the text comes from that the API server refuses, if the webhook copies it as it is from a
/// place where it is legal: another field of a custom resource, or an object that it reads ("ConfigMap
/// mirrors"). Empty if an example has the text, and for one that is too long: names are, in every cluster.
std::string source_of_copy(const properties::Examination& examination, const properties::Violation& violation,
                           std::span<const document::Value> examples);

}  // namespace fixpoint::runner
