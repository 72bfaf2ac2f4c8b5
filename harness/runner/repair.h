#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/cases/finding.h"
#include "harness/runner/examine.h"

namespace fixpoint::runner {

/// The first repair that heals a violation which a Case shows: a wrapper around the webhook that changes what
/// the webhook did, element by element, and nothing of its patch's form. In this order: add only what is not
/// there, find containers by name, merge, keep unknown fields, keep the order, leave its own result alone. A
/// repair brings no duplicate and no invalid field with it. Nothing where none heals it, and where another
/// form of the same patch does.
std::optional<cases::Repair> find_repair(const Prepared& prepared, const properties::Property& property,
                                         std::string_view fingerprint, const std::string& webhook,
                                         const cases::Cause& cause, const Limits& limits);

}  // namespace fixpoint::runner
