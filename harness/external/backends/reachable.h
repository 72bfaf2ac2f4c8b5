#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/document/result.h"

namespace fixpoint::external {

/// Waits until a server completes a TLS handshake at the host and port of an https URL: a webhook that reads
/// its kubeconfig starts after the file is there. If none does within some seconds, `when_slow` is called
/// once, which may let it start. Returns an error if nothing accepts a connection within `seconds_max`; a
/// server without TLS is not waited for much longer than for `when_slow`, as its calls say best what is
/// wrong.
std::optional<document::Error> wait_until_reachable(const std::string& url, int seconds_max,
                                                    const std::function<void()>& when_slow);

}  // namespace fixpoint::external
