#pragma once

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"
#include "harness/runner/choices.h"

namespace fixpoint::generators {

struct EditOptions {
  int minor = apiserver::kNewestMinor;
  bool is_careless = false;  ///< values of wrong types, odd spellings and unknown members join in
};

/// Changes a Pod at one place of the table of types (or, now and then, of the Pod itself): sets a field to a
/// boundary value, or removes, duplicates, moves or clears a member or an element. Missing parents are
/// created.
void edit_pod(document::Value& pod, runner::Choices& choices, const EditOptions& options);

/// A value of the field's type.
document::Value typed_value(const apiserver::Field& field, runner::Choices& choices,
                            const EditOptions& options);

}  // namespace fixpoint::generators
