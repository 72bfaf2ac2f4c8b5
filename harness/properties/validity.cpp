#include "harness/properties/validity.h"

#include <algorithm>
#include <utility>

#include "harness/apiserver/registry/strategies.h"
#include "harness/properties/single_changes.h"
#include "harness/properties/variants.h"
#include "harness/webhooks/process.h"

namespace fixpoint::properties {

apiserver::Stored stored_as_is(const cases::Case& value, Value pod, const Value& passed) {
  if (value.request.managed_fields && !pod["metadata"]["managedFields"].is_null()) {
    pod.edit("metadata").remove("managedFields");
  }
  const int minor = apiserver::minor_of(value.cluster);
  return apiserver::store(value.request, value.cluster, pod, value.request.old_object, minor,
                          {.warns = false, .passed = passed});
}

Value with_defaults(const cases::Case& value, Value object) {
  const cases::Kind kind = cases::kind_of(value.request, value.cluster);
  return apiserver::strategy_of(kind).with_defaults(std::move(object), kind,
                                                    apiserver::minor_of(value.cluster));
}

bool lacks_containers(const cases::Case& value, const Value& object) {
  const cases::Kind kind = cases::kind_of(value.request, value.cluster);
  if (!kind.is_pod() && !apiserver::makes_pods(kind)) return false;
  const Value& pod = kind.is_pod() ? object : apiserver::template_in(object, kind);
  return pod["spec"]["containers"].empty();
}

bool is_storable(const cases::Case& value, const Value& pod) {
  const apiserver::Stored stored = stored_as_is(value, pod);
  return stored.invalid.empty() && !stored.status;
}

bool is_excused(const Examination& examination, const apiserver::CallEvent& event) {
  const bool is_useless = event.result.error == apiserver::CallError::internal && !event.result.crashed;
  const bool has_failed =
      is_useless || !event.result.answer.problem.empty() || webhooks::recovered_panic(event.result.answer);
  // A webhook that hangs or ends is no better for what it was sent.
  return has_failed && !event.result.timed_out &&
         !event.result.answer.problem.starts_with(webhooks::kProcessEnded) &&
         !is_storable(examination.value, event.before);
}

bool has_died_of_invalid(const Examination& examination, const apiserver::CallEvent& event) {
  return event.result.answer.problem.starts_with(webhooks::kProcessEnded) &&
         !is_storable(examination.value, event.before);
}

Value passed_in(const Examination& examination) {
  const auto& admission = examination.admission;
  const bool has_passed = admission.invalid.empty() && !examination.value.request.is_update();
  return has_passed ? admission.stored : Value();
}

std::vector<cases::FieldError> errors_of(const Examination& examination, Value pod) {
  std::vector<cases::FieldError> errors =
      stored_as_is(examination.value, pod, passed_in(examination)).invalid;
  forgive_missing_account(errors, pod);
  return errors;
}

Value as_sent(const Value& before, const apiserver::CallResult& result) {
  const auto& patch = result.answer.patch;
  return patch ? patch.applied_to(before).value_or(result.after) : result.after;
}

std::vector<Violation> located(const Examination& examination, const Value& before,
                               const apiserver::CallResult& result, const cases::FieldError& error,
                               Violation violation) {
  const std::string identity = identity_of(error, result.after);
  const auto has_error = [&](const Value& pod) {
    const Value whole = with_defaults(examination.value, pod);
    const auto errors = errors_of(examination, whole);
    return std::any_of(errors.begin(), errors.end(),
                       [&](const cases::FieldError& one) { return identity_of(one, whole) == identity; });
  };
  // The server names an immutable field as a whole.
  const bool is_whole = error.message.ends_with("field is immutable");
  const auto paths = changes_behind(is_whole ? std::string() : path_of(error),
                                    single_changes(before, as_sent(before, result)), has_error);
  if (paths.empty()) return {std::move(violation)};
  std::vector<Violation> all;
  for (const std::string& path : paths) {
    all.push_back(violation);
    all.back().path = path;
    all.back().shape = shape_of(path, result.after, result) + ":" + error.type;
    if (!path.ends_with(']')) all.back().symptom.clear();  // a field is no duplicate, an element may be
    all.back().reason = path + ", which the call changed, is the reason: " + violation.reason;
  }
  return all;
}

void forgive_missing_account(std::vector<cases::FieldError>& errors, const Value& pod) {
  if (errors.empty() || !pod["spec"]["serviceAccountName"].text().empty()) return;
  std::erase_if(errors, [](const cases::FieldError& error) {
    return error.field.ends_with(".serviceAccountToken") && error.type == "FieldValueForbidden";
  });
}

void forgive_missing_spec(std::vector<cases::FieldError>& errors, const Value& before) {
  constexpr std::string_view kSpec = "spec.";
  const auto is_below_absent = [&](const std::string& field) {
    for (auto at = field.find(kSpec); at != std::string::npos; at = field.find(kSpec, at + 1)) {
      const bool is_member = at == 0 || field[at - 1] == '.';
      if (is_member && at_path(before, field.substr(0, at + kSpec.size() - 1)).is_null()) return true;
    }
    return false;
  };
  std::erase_if(errors, [&](const cases::FieldError& error) {
    return error.type == "FieldValueRequired" && is_below_absent(error.field);
  });
}

void forgive_former_empty(std::vector<cases::FieldError>& errors, const cases::Request& request) {
  std::erase_if(errors, [&](const cases::FieldError& error) {
    return request.is_update() && at_path(request.old_object, error.field) == Value("");
  });
}

std::string path_of(const cases::FieldError& error) {
  constexpr std::string_view kInternal = "spec.securityContext.";
  for (const char* member : {"hostNetwork", "hostPID", "hostIPC", "hostUsers", "shareProcessNamespace"})
    if (error.field == std::string(kInternal) + member) return std::string("spec.") + member;
  return error.field;
}

std::string symptom_of(const cases::FieldError& error) {
  const bool is_taken = error.type == "FieldValueDuplicate" || error.message.ends_with("must be unique");
  return is_taken ? "duplicate" : "";
}

std::string identity_of(const cases::FieldError& error, const Value& pod) {
  return shape_of(error.field, pod, pod) + ":" + error.type;
}

}  // namespace fixpoint::properties
