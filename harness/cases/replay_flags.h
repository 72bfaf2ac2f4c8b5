#pragma once

#include <functional>
#include <string>

#include "harness/cases/case.h"

namespace fixpoint::cases {

/// The flags without which `fixpoint replay` refuses a stored Case, each with a blank in front:
/// `--allow-exec` when it has a command, `--allow-remote` when it has a URL, but for those that `is_routed`
/// says reach a host of this machine otherwise.
std::string replay_flags(const Case& value, const std::function<bool(const Url&)>& is_routed = {});

}  // namespace fixpoint::cases
