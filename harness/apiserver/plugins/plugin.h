#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/cases/case.h"
#include "harness/cases/outcome.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::plugins {

/// The status that ends the request; empty if the plugin admits it.
using Refusal = std::optional<cases::Status>;

/// The refusal (403) of a plugin, in the server's words around `why`. It names the request's object, or where
/// the request has no name, the object itself (apiserver/pkg/admission/errors.go extractResourceName).
Refusal forbid(const cases::Request& request, const document::Value& object, const std::string& why,
               std::string_view resource = "pods");
/// The answer to a plugin's error that has no code of its own: 500, in the plugin's words.
Refusal fail(const std::string& why);

// The plugins: each changes a Pod as one pass runs it, or rejects the Pod, which must then not be used.

Refusal namespace_lifecycle(const cases::Request& request, const cases::Cluster& cluster,
                            document::Value& object);
Refusal limit_ranger(const cases::Request& request, const cases::Cluster& cluster, document::Value& pod);
/// The token volume gets another name in each pass, as it does from the server's random suffix.
Refusal service_account(const cases::Request& request, const cases::Cluster& cluster, document::Value& pod,
                        int pass);
Refusal always_pull_images(const cases::Request& request, const cases::Cluster& cluster,
                           document::Value& pod);
Refusal pod_node_selector(const cases::Request& request, const cases::Cluster& cluster, document::Value& pod);
Refusal priority(const cases::Request& request, const cases::Cluster& cluster, document::Value& pod);
Refusal default_toleration_seconds(const cases::Request& request, const cases::Cluster& cluster,
                                   document::Value& pod);
Refusal pod_toleration_restriction(const cases::Request& request, const cases::Cluster& cluster,
                                   document::Value& pod);
Refusal extended_resource_toleration(const cases::Request& request, const cases::Cluster& cluster,
                                     document::Value& pod);
Refusal runtime_class(const cases::Request& request, const cases::Cluster& cluster, document::Value& pod);
Refusal pod_topology_labels(const cases::Request& request, const cases::Cluster& cluster,
                            document::Value& pod);

// The halves of plugins that also judge the Pod that would be stored (harness/apiserver/judges).

Refusal judge_service_account(const cases::Request& request, const cases::Cluster& cluster,
                              const document::Value& pod);
Refusal judge_node_selector(const cases::Request& request, const cases::Cluster& cluster,
                            const document::Value& pod);
Refusal judge_tolerations(const cases::Request& request, const cases::Cluster& cluster,
                          const document::Value& pod);
Refusal judge_overhead(const cases::Request& request, const cases::Cluster& cluster,
                       const document::Value& pod);

/// Returns true if AlwaysPullImages leaves the request alone: a subresource, or an update without a new
/// image.
bool keeps_images(const cases::Request& request, const document::Value& pod);

}  // namespace fixpoint::apiserver::plugins
