#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/cases/finding.h"
#include "harness/runner/examine.h"

namespace fixpoint::runner {

/// Returns the first repair that heals a violation which a Case shows: a wrapper around the webhook that
/// changes the result of the webhook, element by element, and not the form of its patch. In this order: add
/// only missing elements, find containers by name, merge, keep unknown fields, keep the order, leave its own
/// result alone. A repair must not cause a duplicate or an invalid field. Nothing if none heals it, or if
/// another form of the same patch does.
std::optional<cases::Repair> find_repair(const Prepared& prepared, const properties::Property& property,
                                         std::string_view fingerprint, const std::string& webhook,
                                         const cases::Cause& cause, const Limits& limits);

}  // namespace fixpoint::runner
