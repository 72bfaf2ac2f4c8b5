#include "harness/properties/validity.h"

#include <utility>

#include "harness/properties/probe.h"

namespace fixpoint::properties {

apiserver::Stored stored_as_is(const cases::Case& value, Value pod) {
  if (value.request.managed_fields && !pod["metadata"]["managedFields"].is_null()) {
    pod.edit("metadata").remove("managedFields");
  }
  const int minor = apiserver::minor_of(value.cluster);
  return apiserver::store(value.request, pod, value.request.old_object, minor, {.warns = false});
}

std::vector<cases::FieldError> errors_of(const Examination& examination, Value pod) {
  return stored_as_is(examination.value, std::move(pod)).invalid;
}

std::string identity_of(const cases::FieldError& error, const Value& pod) {
  return shape_of(error.field, pod, pod) + ":" + error.type;
}

}  // namespace fixpoint::properties
