#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/dispatch/configuration.h"
#include "harness/cases/outcome.h"
#include "harness/properties/property.h"

namespace fixpoint::properties {

/// Returns the validating webhooks of a Case that are under test: those that are called, without its
/// neighbours'.
std::vector<apiserver::ConfiguredWebhook> tested_validators(const cases::Case& value);

/// A validating webhook under test, and the record of its call in the admission of the Case.
struct ValidatorCall {
  apiserver::ConfiguredWebhook webhook;
  const cases::Validating::Call& record;
};
std::vector<ValidatorCall> validator_calls(const Examination& examination);

/// The verdict of a cluster's validating plugins on an object that no webhook changes any more: the plugins
/// run once more, and the registry stores it. None if it is refused before it is judged, which other
/// properties are about.
std::optional<cases::Validating> verdict_on(const Examination& examination, Value object);

/// Returns the paths of the changes by a call of which each alone makes a judge refuse the object, the
/// annotation instead of the map that it is the first of.
std::vector<std::string> refused_changes(const Value& before, const apiserver::CallResult& result,
                                         const std::function<bool(const Value&)>& is_refused);

}  // namespace fixpoint::properties
