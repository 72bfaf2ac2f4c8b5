#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::properties {

/// Returns the names in `$(NAME)` of a text, as the kubelet expands it: `$$` is an escape, and a name may
/// occur twice.
std::vector<std::string_view> references_in(std::string_view text);

/// Returns the names that the value of an env entry refers to and that an earlier entry of the list defines:
/// it will be expanded with those. Empty for most entries.
std::string resolved_references(const document::Value& env, std::size_t index);

/// Returns true if an entry before `index` has that name.
bool is_defined_before(const document::Value& env, std::size_t index, std::string_view name);

}  // namespace fixpoint::properties
