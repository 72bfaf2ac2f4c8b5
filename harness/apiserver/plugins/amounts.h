#pragma once

#include "harness/document/value.h"

namespace fixpoint::apiserver::plugins {

/// What defaulting does to the quantities of an object in the cluster.
enum class Amounts { kept, rounded_up_to_milli };

/// Adds the quantities of `from` that `into` does not have, as the server writes them after decoding.
void add_missing(document::Value& into, const document::Value& from, Amounts amounts);

}  // namespace fixpoint::apiserver::plugins
