#pragma once

#include <string>
#include <vector>

#include "harness/properties/property.h"

namespace fixpoint::properties {

/// What the registry would refuse in a Pod as the request's.
std::vector<cases::FieldError> errors_of(const Examination& examination, Value pod);

/// An error wherever its element stands: with names for indices, so that one who puts something in front of
/// an invalid element is not taken for its author.
std::string identity_of(const cases::FieldError& error, const Value& pod);

}  // namespace fixpoint::properties
