#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/apiserver/admission/admission.h"
#include "harness/cases/finding.h"
#include "harness/properties/property.h"

namespace fixpoint::runner {

/// Returns the effect of each call on the Pod, in words: "+ container proxy", "- volume data", "~ labels".
/// Effects that an earlier call already had are listed under `again`. The calls of a property's own come
/// last.
std::vector<cases::TraceStep> trace_of(const apiserver::Admission& admission,
                                       std::span<const properties::OwnCall> own = {});

/// Returns the webhook's requests to the API of its cluster during a call, in words, each once: "read Secret
/// default/db: not found". A watch belongs to no call: the webhook opened it earlier, or keeps it.
std::vector<std::string> accesses_of(const webhooks::Answer& answer);

/// Returns the changes from one Pod to another in such words.
std::vector<std::string> changes(const document::Value& before, const document::Value& after);

}  // namespace fixpoint::runner
