#pragma once

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::generators {

struct EditOptions {
  int minor = apiserver::kNewestMinor;
  bool is_careless = false;  ///< also draws values of wrong types, unusual notations and unknown members
};

/// Changes a Pod at one place of the table of types (sometimes the Pod itself): sets a field to a boundary
/// value, or removes, duplicates, moves or clears a member or an element. Missing parents are created.
void edit_pod(document::Value& pod, runner::Choices& choices, const EditOptions& options);

/// The same for an object of any type of the tables.
void edit_object(document::Value& object, const apiserver::Type& type, runner::Choices& choices,
                 const EditOptions& options);

/// Draws a value of the field's type.
document::Value typed_value(const apiserver::Field& field, runner::Choices& choices,
                            const EditOptions& options);

}  // namespace fixpoint::generators
