#pragma once

#include "harness/document/value.h"

namespace fixpoint::apiserver::plugins {

/// The effect of defaulting on the quantities of an object in the cluster.
enum class Amounts { kept, rounded_up_to_milli };

/// Adds the quantities of `from` that `into` lacks, in the server's form after decoding.
void add_missing(document::Value& into, const document::Value& from, Amounts amounts);

}  // namespace fixpoint::apiserver::plugins
