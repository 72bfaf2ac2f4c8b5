#pragma once

#include <string>

#include "harness/document/result.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::conformance {

/// How the context of a kubeconfig, the current one without a name, reaches its server: certificates and keys
/// as data or files, a token or the file of one. An error for what would run a command (`exec`,
/// `auth-provider`), trust anybody (`insecure-skip-tls-verify`) or go elsewhere (`proxy-url`), for another
/// user's name or password, and for a server without TLS.
document::Result<webhooks::RestOptions> read_kubeconfig(const std::string& path,
                                                        const std::string& context = "");

/// The kubeconfig of this user: $KUBECONFIG when it names one file, else ~/.kube/config.
std::string kubeconfig_path();

}  // namespace fixpoint::conformance
