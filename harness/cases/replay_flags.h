#pragma once

#include <functional>
#include <string>

#include "harness/cases/case.h"

namespace fixpoint::cases {

/// Returns the flags that `fixpoint replay` needs to run a stored Case, each after a blank: `--allow-exec` if
/// the Case has a command, `--allow-remote` if it has a URL. `is_routed` returns true for a URL that is
/// directed to this machine in another way, and that needs no flag.
std::string replay_flags(const Case& value, const std::function<bool(const Url&)>& is_routed = {});

}  // namespace fixpoint::cases
