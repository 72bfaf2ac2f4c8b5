#pragma once

#include <span>
#include <string_view>

#include "harness/document/result.h"

namespace fixpoint::injectors {

/// Returns the release that NAME@RELEASE requests, if it is one of `releases`; without a release the newest
/// one, which is empty for an injector without releases. An error says what was expected.
document::Result<std::string_view> release_of(std::string_view name,
                                              std::span<const std::string_view> releases);

}  // namespace fixpoint::injectors
