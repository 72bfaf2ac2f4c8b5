#pragma once

#include <string>

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The fractions of seconds in a Pod's times, by path, that the server keeps in memory and never writes. Pods
/// that are equal as JSON are different objects to the server if these differ (docs/simulator.md#4-3). `sent`
/// is the Pod as received, before decoding. Empty for most Pods.
std::string nanoseconds_of(const document::Value& sent);

/// The managedFields that the server gives to an object that has just changed. In memory its time has
/// nanoseconds, which a JSON round trip loses (docs/simulator.md#4-3).
const document::Value& fresh_managed_fields();

}  // namespace fixpoint::apiserver
