#pragma once

#include <optional>
#include <string>

#include "harness/cases/case.h"
#include "harness/cases/outcome.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::plugins {

/// The status that ends the request; empty if the plugin admits it.
using Refusal = std::optional<cases::Status>;

/// The refusal (403) of a plugin, in the server's words around `why`.
Refusal forbid(const document::Value& pod, const std::string& why);

// The plugins: each changes a Pod as one pass runs it, or rejects the Pod, which must then not be used.

Refusal limit_ranger(const cases::Request& request, const cases::Cluster& cluster, document::Value& pod);
Refusal service_account(const cases::Request& request, const cases::Cluster& cluster, document::Value& pod);
Refusal priority(const cases::Request& request, const cases::Cluster& cluster, document::Value& pod);
Refusal default_toleration_seconds(const cases::Request& request, const cases::Cluster& cluster,
                                   document::Value& pod);
Refusal runtime_class(const cases::Request& request, const cases::Cluster& cluster, document::Value& pod);

}  // namespace fixpoint::apiserver::plugins
