#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::properties {

/// The names in `$(NAME)` of a text, as the kubelet expands it: `$$` is an escape, a name may stand there
/// twice.
std::vector<std::string_view> references_in(std::string_view text);

/// Which names the value of an env entry refers to that an earlier entry of the list defines: what it will be
/// expanded with. Empty for most.
std::string resolved_references(const document::Value& env, std::size_t index);

/// Whether an entry before `index` has that name.
bool is_defined_before(const document::Value& env, std::size_t index, std::string_view name);

}  // namespace fixpoint::properties
