#pragma once

#include <span>
#include <string_view>

namespace fixpoint::generators {

/// Returns the texts that a member with that name usually has where its schema says nothing of their form,
/// such as durations for `renewBefore`; `description` is the schema's. Empty for any other member.
std::span<const char* const> usual_texts(std::string_view name, std::string_view description);

}  // namespace fixpoint::generators
