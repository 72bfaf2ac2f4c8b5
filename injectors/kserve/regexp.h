#pragma once

#include <string_view>

#include "harness/document/result.h"

namespace fixpoint::injectors::kserve {

/// Does Go's regexp.MatchString: returns true if the expression matches anywhere in the text, in time linear
/// in the text. Returns an error if Go refuses the expression.
document::Result<bool> matches(std::string_view expression, std::string_view text);

}  // namespace fixpoint::injectors::kserve
