#pragma once

#include <string>

#include "harness/cases/case.h"
#include "harness/document/value.h"
#include "harness/webhooks/rest.h"

// Answers of a real API server (live_cluster.h).
namespace fixpoint::conformance {

/// The names of all objects of all runs begin with this.
inline constexpr const char* kNamePrefix = "fixpoint-live-";

/// The type and field of each cause of a refusal, sorted, and its message if texts are wanted: those of Pods
/// are compared with a recorder's.
document::Value invalid_of(const document::Value& status, bool has_texts);

/// Puts the simulator's placeholders in the place of what the server has generated: of each uid that the Case
/// does not have (apiserver/kinds/typed_kind.h), and of the end of the object's name in messages.
document::Value with_placeholders_of_generated(document::Value answer, const cases::Case& value);

/// Returns why the answer says nothing of the Case: the server may not act as its user, or another run of
/// `live` has a class of its own as the default at the moment. Empty for an answer to the Case. `prefix` is
/// that of the names of this run.
std::string foreign_answer(const webhooks::RestAnswer& answer, const cases::Case& value,
                           const std::string& prefix);

/// Returns the minor in the server's /version, or the newest that the simulator supports.
std::string version_of(const document::Value& info);

}  // namespace fixpoint::conformance
