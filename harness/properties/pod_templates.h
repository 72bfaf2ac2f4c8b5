#pragma once

#include "harness/cases/kind.h"
#include "harness/properties/property.h"

// Objects that make Pods of a template, as properties ask about them.
namespace fixpoint::properties {

/// The path of the template: `spec.template`; empty if the kind has none.
std::string template_path(const cases::Kind& kind);

/// Returns the Pod that a controller creates of the template of such an object, decoded and defaulted; null
/// if it cannot be decoded.
Value pod_of_template(const Value& object, const cases::Kind& kind, int minor);

}  // namespace fixpoint::properties
