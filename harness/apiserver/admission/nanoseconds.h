#pragma once

#include <string>

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The fractions of seconds that the server keeps in memory of a Pod's times and never writes, by place. Two
/// Pods that are equal as JSON are different objects to the server when these differ (docs/simulator.md#4-3).
/// `sent` is the Pod as it was read, before decoding. Empty for most Pods.
std::string nanoseconds_of(const document::Value& sent);

}  // namespace fixpoint::apiserver
