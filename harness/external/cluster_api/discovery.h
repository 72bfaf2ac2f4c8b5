#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/document/value.h"
#include "harness/external/cluster_api/api_request.h"
#include "harness/external/cluster_api/api_resources.h"

namespace fixpoint::external {

/// The media type of aggregated discovery.
inline constexpr const char* kDiscoveryType =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// Returns the answer of /version. `minor` is a Kubernetes minor, such as "1.36".
document::Value version_document(std::string_view minor);

/// Returns the document of a path of discovery or of OpenAPI v3; empty if its group or version is not served.
std::optional<document::Value> discovery_document(const ApiPath& path, const ServedResources& resources);
/// Returns aggregated discovery, of the core group for /api and of the others for /apis.
document::Value aggregated_discovery(const ApiPath& path, const ServedResources& resources);

/// Returns a minimal document of OpenAPI v2, which says that no schema is known.
document::Value openapi_v2_document();
/// Returns the same in the protobuf that kubectl asks for.
std::string openapi_v2_protobuf();
inline constexpr const char* kOpenapiV2Protobuf =
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

}  // namespace fixpoint::external
