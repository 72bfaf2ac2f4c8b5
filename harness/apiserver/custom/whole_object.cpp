#include "harness/apiserver/custom/whole_object.h"

#include <algorithm>

#include "harness/apiserver/custom/embedded_resources.h"
#include "harness/apiserver/custom/rules.h"
#include "harness/apiserver/custom/unique_elements.h"
#include "harness/apiserver/custom/validate_schema.h"

namespace fixpoint::apiserver::custom {

namespace {

using document::Value;
using validation::Errors;

/// Returns true for errors after which the server does not ask the rules (hasBlockingErr).
bool is_blocking(const cases::FieldError& error) {
  for (const char* type : {"FieldValueNotSupported", "FieldValueRequired", "FieldValueTooLong",
                           "FieldValueTooMany", "FieldValueTypeInvalid"})
    if (error.type == type) return true;
  return false;
}

}  // namespace

void check_by_schema(const WholeObject& whole, Errors& errors, std::vector<std::string>& warnings) {
  const auto& [object, old, schema, is_status, minor] = whole;
  if (is_status)
    check_status(object, old, schema, minor, errors);
  else
    check_schema(object, old, schema, minor, errors);
  check_embedded_resources(object, schema, errors);
  Errors unique_before(minor);
  if (!old.is_null()) check_unique_elements(old, schema, unique_before);
  if (unique_before.empty()) check_unique_elements(object, schema, errors);
  const auto found = errors.all();
  if (!std::any_of(found.begin(), found.end(), is_blocking))
    check_rules(object, old, schema, minor, errors, warnings);
  else if (has_rules(schema, minor))
    errors.invalid(validation::Path("<nil>"), Value(),
                   std::string("some validation rules were not checked because the object was invalid; "
                               "correct the existing errors to complete validation"));
}

bool is_valid(const Value& object, const Value& schema, int minor) {
  if (rule_problem(schema, minor)) return false;
  Errors errors(minor);
  std::vector<std::string> warnings;
  const Value none;
  check_by_schema({.object = object, .old = none, .schema = schema, .minor = minor}, errors, warnings);
  return errors.empty();
}

}  // namespace fixpoint::apiserver::custom
