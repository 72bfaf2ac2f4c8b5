#pragma once

#include <functional>
#include <map>
#include <string>

#include "harness/apiserver/types/quantity.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::validating {

/// Says if the resources that the kubelet reports of running containers count besides those of the spec.
enum class StatusCounts { no, yes };

/// Amounts by the name of their resource.
struct Amount {
  Quantity quantity = {};
  document::Value text = {};  ///< as written; null once something was added
  std::string written() const { return text.is_null() ? quantity.canonical() : std::string(text.text()); }
};
using Usage = std::map<std::string, Amount, std::less<>>;

/// The resources that a Pod needs, with its overhead and its requests as a whole
/// (k8s.io/component-helpers/resource PodRequests).
Usage pod_requests(const document::Value& pod, int minor, StatusCounts status);
/// The limits of a Pod; the overhead is added to limits above zero (PodLimits there).
Usage pod_limits(const document::Value& pod, int minor, StatusCounts status);

/// Returns true if the Pod as a whole asks for resources, since 1.34.
bool has_pod_level_resources(const document::Value& pod, int minor);

}  // namespace fixpoint::apiserver::validating
