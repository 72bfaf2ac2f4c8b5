#pragma once

#include <optional>
#include <string>

#include "harness/apiserver/dispatch/dispatch.h"
#include "harness/cases/case.h"
#include "harness/cases/kind.h"

// One call of a webhook outside of an admission, which shows whether it answers at all.
namespace fixpoint::runner {

/// Returns a request for a plain Pod, or an empty object of another kind, which every webhook should be
/// able to answer.
cases::Request harmless_request(const std::string& namespace_name, const cases::Kind& kind);

/// Calls the webhook once for the request, as the first webhook of an admission; nothing if the server cannot
/// read the request.
std::optional<apiserver::CallResult> call_alone(const apiserver::ConfiguredWebhook& webhook,
                                                const webhooks::Handler& handler,
                                                const cases::Request& request, const cases::Cluster& cluster,
                                                const Limits& limits);

/// Returns true if something came back that answers an AdmissionReview.
bool is_review(const webhooks::Answer& answer);

}  // namespace fixpoint::runner
