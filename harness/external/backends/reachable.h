#pragma once

#include <optional>
#include <string>

#include "harness/document/result.h"

namespace fixpoint::external {

/// Waits until a server accepts connections at the host and port of an https URL: a webhook that reads its
/// kubeconfig starts after the file is there. Returns an error if none does within that time.
std::optional<document::Error> wait_until_reachable(const std::string& url, int seconds_max);

}  // namespace fixpoint::external
