#pragma once

#include <span>
#include <string_view>

#include "harness/document/result.h"

namespace fixpoint::injectors {

/// The release that NAME@RELEASE asks for, of those there are; without one the newest, which is empty for an
/// injector that has none. An error tells what was expected.
document::Result<std::string_view> release_of(std::string_view name,
                                              std::span<const std::string_view> releases);

}  // namespace fixpoint::injectors
