#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/document/result.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::external {

/// Waits until a server completes a TLS handshake at the host and port of an https URL: a webhook that reads
/// its kubeconfig starts after the file is there. If none does within some seconds, `when_slow` is called
/// once, which may let it start. Returns an error if nothing accepts a connection within `seconds_max`; a
/// server without TLS is not waited for much longer than for `when_slow`, as its calls say best what is
/// wrong.
std::optional<document::Error> wait_until_reachable(const std::string& url, int seconds_max,
                                                    const std::function<void()>& when_slow);

/// Counts how often a server was gone and came back.
struct Restarts {
  std::atomic<int> count = 0;
};
/// Wraps the handler of a server that ends and is started again meanwhile, as a kubelet does: a call that
/// nothing accepts is made once more when `is_back` says that something does. The request on which a server
/// ends has not been refused but broken off, and is answered so. A server that does not come back is waited
/// for once.
webhooks::Handler across_restarts(webhooks::Handler inner, std::function<bool()> is_back,
                                  std::shared_ptr<Restarts> restarts);

}  // namespace fixpoint::external
