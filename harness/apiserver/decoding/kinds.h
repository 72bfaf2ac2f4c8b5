#pragma once

#include <string>
#include <string_view>

#include "harness/cases/kind.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// The kind of object that the API server's scheme sees in a document, before it looks at anything else
/// (docs/simulator.md#3-6, docs/simulator.md#4-2).
enum class ObjectKind {
  expected,  ///< also if apiVersion or kind is missing or empty: those of the expected kind are the defaults
  registered,    ///< another kind the scheme knows: decodes, and fails when it is converted
  unregistered,  ///< decoding fails at once
  malformed,     ///< not an object or null, apiVersion or kind not a string, or two slashes in apiVersion
};
ObjectKind kind_of(const document::Value& object, const cases::Kind& expected = cases::pod_kind());

/// The server's error for an unregistered or malformed one.
std::string kind_refusal(const document::Value& object, int minor,
                         const cases::Kind& expected = cases::pod_kind());
std::string unregistered_kind(std::string_view kind, std::string_view version, int minor);

}  // namespace fixpoint::apiserver
