#pragma once

#include <string>

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The fractions of seconds in a Pod's times, by path, that the server keeps in memory and never writes. Pods
/// that are equal as JSON are different objects to the server if these differ (docs/simulator.md#4-3). `sent`
/// is the Pod as received, before decoding. Empty for most Pods.
std::string nanoseconds_of(const document::Value& sent);

}  // namespace fixpoint::apiserver
