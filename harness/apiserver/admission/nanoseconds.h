#pragma once

#include <string>

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// What the server keeps in memory of a Pod's times and never writes: fractions of seconds, by place. Two
/// Pods that are equal as JSON are another object to the server when these differ (spec §4.3). `sent` is the
/// Pod as it was read, before decoding; empty for most.
std::string nanoseconds_of(const document::Value& sent);

}  // namespace fixpoint::apiserver
