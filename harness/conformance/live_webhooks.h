#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/conformance/live_policies.h"
#include "harness/document/value.h"

/// Webhook configurations of a Case on a real API server (live_cluster.h).
namespace fixpoint::conformance {

inline constexpr std::string_view kMutatingPath =
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
inline constexpr std::string_view kValidatingPath =
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

/// The paths at which the probes of both kinds of configurations are answered.
inline constexpr const char* kMutatingProbe = "/probe";
inline constexpr const char* kValidatingProbe = "/probe-validating";

/// A Pod that the mutating probe is called for.
document::Value probe_pod();
/// A ConfigMap that the validating probe is called for: other judges, which come before validating webhooks,
/// refuse no ConfigMap.
document::Value probe_map();

/// Returns true if the Case has validating webhooks that are called.
bool has_validators(const cases::Case& value);

/// Where the webhooks of a run answer.
struct WebhookAddress {
  std::string base;       ///< https://HOST:PORT
  std::string authority;  ///< the certificate of who signed the server's, PEM
};

/// Returns the configurations of the Case's webhooks as they are registered: under names with the prefix, for
/// objects of its namespace alone, except for probes. The last ones are the probes, one for each kind of
/// configurations, whose names sort after the others; probes_of() says how many.
std::vector<Registered> registered_webhooks(const cases::Case& value, const std::string& prefix,
                                            const WebhookAddress& address);
std::size_t probes_of(const cases::Case& value);

/// Returns the keys of the calls as the Case has them in order: those of mutating webhooks as they came, then
/// those of validating webhooks, which the server calls all at once, in the order of their configurations.
std::vector<std::string> in_order(const std::vector<std::string>& calls, const cases::Case& value);

}  // namespace fixpoint::conformance
