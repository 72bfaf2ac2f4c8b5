#pragma once

#include <optional>
#include <string_view>

#include "harness/properties/property.h"

namespace fixpoint::properties {

/// Returns an observation if the value that the server refuses in the Pod's spec is one of the user's: the
/// value of an annotation or a label, or a part of a list, a URL or a JSON text in it. The user asked for it
/// and sees the server's message; a webhook that checks its settings would give a better one. The evidence is
/// a call with another value in its place, which causes no such error. If two elements have one key, each
/// must have it from the user.
std::optional<Observation> refused_value(const Examination& examination, const apiserver::CallEvent& event,
                                         const cases::FieldError& error);

/// Returns true if the server refuses a number for its range.
bool is_number_out_of_range(const Value& pod, const cases::FieldError& error);

/// Returns true if the server refuses that text in the Pod's spec and nothing else.
bool is_refused_as_it_is(const Value& pod, const cases::FieldError& error, std::string_view text);

}  // namespace fixpoint::properties
