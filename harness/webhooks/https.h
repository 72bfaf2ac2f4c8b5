#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {

/// Options for calling a webhook at a URL. Certificates and keys are PEM texts; a CA bundle may also be PEM
/// in base64, as in a webhook configuration.
struct HttpsOptions {
  std::string url;
  std::string connect_to = {};  ///< HOST:PORT to connect to instead of the URL's host; empty: that host
  std::string ca_bundle = {};   ///< empty: the system's own authorities
  std::string client_certificate = {};
  std::string client_key = {};
  bool allow_remote = false;  ///< false: connect to loopback addresses only
  Limits limits = {};
};

/// Returns true if the host of a URL is `localhost` or a loopback address.
bool is_loopback_url(const std::string& url);

/// Returns HOST:PORT of an https URL without a path; empty for any other text.
std::optional<std::string> host_and_port(const std::string& url);

/// Returns true if no webhook is reachable at the URL or command: the connection is refused, the two sides do
/// not trust each other, or the program cannot be started or writes its log among its answers.
bool is_unreachable(const Answer& answer);

/// Returns the handler of a URL. It posts the AdmissionReview as the API server does (docs/simulator.md#3-2)
/// over persistent connections, and retries after a 429 or 5xx with Retry-After (docs/simulator.md#3-3). TLS
/// is always verified, no redirect is followed, and no proxy is used. An answer is limited to
/// answer_bytes_max after decompression; a call with its retries is limited by the webhook's timeoutSeconds
/// and call_milliseconds_max. The certificate is verified against the URL's host, even if `connect_to` names
/// another host: that of a service is verified against NAME.NAMESPACE.svc (ClientManager.HookClient). Returns
/// an error for a URL that the API would reject (not https, without a host, or with user info, query or
/// fragment, docs/simulator.md#1-3), for a host that is not loopback unless that is allowed, and for a CA
/// bundle without a certificate.
document::Result<Handler> https(HttpsOptions options);

}  // namespace fixpoint::webhooks
