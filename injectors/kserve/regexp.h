#pragma once

#include <string_view>

#include "harness/document/result.h"

namespace fixpoint::injectors::kserve {

/// regexp.MatchString: whether the expression matches anywhere in the text, in time linear in it. An error
/// when Go refuses the expression.
document::Result<bool> matches(std::string_view expression, std::string_view text);

}  // namespace fixpoint::injectors::kserve
