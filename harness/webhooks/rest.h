#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::webhooks {

/// Options for calling an API server. Certificates and keys are PEM texts.
struct RestOptions {
  std::string server;            ///< https://HOST:PORT
  std::string ca_bundle = {};    ///< empty: the system's own authorities
  std::string server_name = {};  ///< the name in its certificate; empty: the server's host
  std::string client_certificate = {};
  std::string client_key = {};
  std::string token = {};
  int seconds_max = 60;  ///< the timeout of one request
  Limits limits = {};
};

struct RestAnswer {
  int status = 0;
  document::Value body = {};
  std::vector<std::string> warnings = {};  ///< the texts of the Warning headers, in order
};

/// Exchanges JSON with an API server over one persistent connection. TLS is always verified, no redirect is
/// followed, and no proxy is used. Not safe to share between threads.
class Rest {
 public:
  explicit Rest(RestOptions options);
  ~Rest();
  Rest(const Rest&) = delete;
  Rest& operator=(const Rest&) = delete;

  /// Sends a request, without a body if it is null, with these headers ("Name: value") besides the usual
  /// ones. Returns an error if there is no answer or it is not JSON.
  document::Result<RestAnswer> send(const std::string& method, const std::string& path,
                                    const document::Value& body = {},
                                    const std::vector<std::string>& headers = {});

 private:
  struct Hidden;
  std::unique_ptr<Hidden> hidden_;
};

}  // namespace fixpoint::webhooks
