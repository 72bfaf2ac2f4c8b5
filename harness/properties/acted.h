#pragma once

#include <vector>

#include "harness/apiserver/admission/admission.h"
#include "harness/cases/case.h"

namespace fixpoint::properties {

/// Returns true if the call shows what the webhook is there for: it changed the Pod, and more of it than a
/// status key of its own, or it refused the Pod on purpose, with a denial whose code is not 500
/// (docs/judging.md#acted).
bool has_acted(const document::Value& before, const apiserver::CallResult& result);

/// Of each call of the admission, true if no fault of the Case disturbed it and a webhook under test acted in
/// it. In a Case that lists no neighbours every webhook is under test.
std::vector<bool> acting_calls(const cases::Case& value, const apiserver::Admission& admission);
/// Returns true if a webhook under test acted in one of them.
bool has_acted(const cases::Case& value, const apiserver::Admission& admission);

}  // namespace fixpoint::properties
