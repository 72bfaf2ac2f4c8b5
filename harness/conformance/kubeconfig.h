#pragma once

#include <string>

#include "harness/document/result.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::conformance {

/// Reads how to reach the server of a context of a kubeconfig (the current one if no name is given):
/// certificates and keys as data or files, a token or a token file. An error for settings that would run a
/// command (`exec`, `auth-provider`), trust anybody (`insecure-skip-tls-verify`) or use a proxy
/// (`proxy-url`), for impersonation or a password, and for a server without TLS.
document::Result<webhooks::RestOptions> read_kubeconfig(const std::string& path,
                                                        const std::string& context = "");

/// The kubeconfig of this user: $KUBECONFIG when it names one file, else ~/.kube/config.
std::string kubeconfig_path();

}  // namespace fixpoint::conformance
