#pragma once

#include <string>

#include "harness/document/result.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::conformance {

/// Reads how to reach the server of a context of a kubeconfig (the current one if no name is given):
/// certificates and keys as data or files, a token or a token file. An error for a server without TLS, and
/// for settings that would run a command (`exec`, `auth-provider`), trust any server
/// (`insecure-skip-tls-verify`), use a proxy (`proxy-url`), or need impersonation or a password.
document::Result<webhooks::RestOptions> read_kubeconfig(const std::string& path,
                                                        const std::string& context = "");

/// Returns the path of this user's kubeconfig: $KUBECONFIG if it names one file, else ~/.kube/config.
std::string kubeconfig_path();

}  // namespace fixpoint::conformance
