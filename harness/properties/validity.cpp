#include "harness/properties/validity.h"

#include "harness/apiserver/registry.h"
#include "harness/properties/probe.h"

namespace fixpoint::properties {

std::vector<cases::FieldError> errors_of(const Examination& examination, Value pod) {
  const auto& value = examination.value;
  if (value.request.managed_fields && !pod["metadata"]["managedFields"].is_null()) {
    pod.edit("metadata").remove("managedFields");
  }
  const int minor = apiserver::minor_of(value.cluster);
  return apiserver::store(value.request, pod, value.request.old_object, minor, {.warns = false}).invalid;
}

std::string identity_of(const cases::FieldError& error, const Value& pod) {
  return shape_of(error.field, pod, pod) + ":" + error.type;
}

}  // namespace fixpoint::properties
