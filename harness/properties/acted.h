#pragma once

#include "harness/apiserver/admission/admission.h"
#include "harness/cases/case.h"

namespace fixpoint::properties {

/// Returns true if the call shows what the webhook is there for: it changed the Pod, and more of it than a
/// status key of its own, or it refused the Pod on purpose, with a denial whose code is not 500
/// (decisions.md, Acted).
bool has_acted(const document::Value& before, const apiserver::Hop& hop);

/// Returns true if a webhook under test acted in a call of the admission that no fault of the Case disturbed.
/// In a Case that lists no neighbours every webhook is under test.
bool has_acted(const cases::Case& value, const apiserver::Admission& admission);

}  // namespace fixpoint::properties
