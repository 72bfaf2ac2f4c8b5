#pragma once

#include <string>
#include <string_view>

#include "harness/properties/property.h"

namespace fixpoint::runner {

/// Returns true if a webhook that refuses the object with that message does what it is there for: the message
/// names a label or an annotation of the object, or its value, and the value is neither a number, a quantity,
/// a duration nor a switch, which a webhook must read in each spelling; or it says what is lacking or taken.
bool is_refusal_by_design(const document::Value& object, std::string_view message);

/// Who besides the webhook has a part in a call that it refuses with 500, or in which it panics.
struct Refusal {
  /// One of the words of guard.h, or null: kByDesign, for what the user wrote wrong; kMisconfigured, for an
  /// object that fails every request; kOfStranger, for one that the request does not name.
  const char* word = nullptr;
  std::string object = {};  ///< ConfigMap kserve/inferenceservice-config; of a stranger's its kind
};

/// Returns who has a part in the refusal or the panic that a violation is about, by calls in other clusters:
/// a panic is never by design.
Refusal refusal_of(const properties::Examination& examination, const properties::Violation& violation);

}  // namespace fixpoint::runner
