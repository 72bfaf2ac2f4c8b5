#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/webhooks/server.h"

namespace fixpoint::webhooks {

/// A CA, and a certificate that it signed for the names of a server.
struct Authority {
  Identity authority;
  Identity server;
};
/// Makes an authority that is valid for a year. `names` are host names and addresses.
Authority make_authority(const std::vector<std::string>& names);

/// The address on which a server listens.
struct Address {
  std::string host;
  int port = 0;  ///< 0: any free port
};
/// Reads HOST:PORT, with an IPv6 host in brackets. Returns nothing for any other text.
std::optional<Address> parse_address(const std::string& text);
/// Returns https://HOST:PORT.
std::string url_of(const std::string& host, int port);

/// Returns the names for a server's certificate: the host, localhost, the given names, and those of the
/// service NAMESPACE/NAME if there is one.
std::vector<std::string> names_of_server(const std::string& host, const std::vector<std::string>& names,
                                         const std::string& service);

/// The PEM files for a server.
struct CertificateFiles {
  std::string certificate = {}, key = {};
  std::string authority = {};  ///< the CA that callers trust; empty: the certificate itself
};
document::Result<Authority> read_authority(const CertificateFiles& files);

}  // namespace fixpoint::webhooks
