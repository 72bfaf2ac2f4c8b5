#pragma once

#include <optional>
#include <string>

#include "harness/document/value.h"

namespace fixpoint::apiserver {

/// Removes from an object the owner references that equal an earlier one, and returns the server's warning
/// about them; nothing if there is none (apiserver/pkg/endpoints/handlers/rest.go
/// dedupOwnerReferencesAndAddWarning). `is_mutated` says whether mutating admission has run: the server does
/// this before and after it.
std::optional<std::string> remove_repeated_owners(document::Value& object, bool is_mutated);

}  // namespace fixpoint::apiserver
