#pragma once

#include <string>

namespace fixpoint::external {

/// The address of an API and what a client needs to be let in.
struct KubeconfigParts {
  std::string server;  ///< https://HOST:PORT
  std::string ca_pem;
  std::string token;
};
/// Returns a complete kubeconfig as YAML, with the namespace `default`.
std::string kubeconfig_text(const KubeconfigParts& parts);

}  // namespace fixpoint::external
