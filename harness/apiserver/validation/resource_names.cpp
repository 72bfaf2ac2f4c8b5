#include "harness/apiserver/validation/resource_names.h"

#include <string>

#include "harness/apiserver/text/formats.h"

namespace fixpoint::apiserver::validation {

bool is_native_resource(std::string_view name) {
  return name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos;
}

bool is_extended_resource(std::string_view name) {
  constexpr std::string_view kQuota = "requests.";
  if (is_native_resource(name) || name.starts_with(kQuota)) return false;
  return check_qualified_name(std::string(kQuota).append(name)).empty();
}

}  // namespace fixpoint::apiserver::validation
