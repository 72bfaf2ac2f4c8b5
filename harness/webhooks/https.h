#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {

/// How a webhook behind a URL is reached. Certificates and keys are PEM texts; a CA bundle may be the base64
/// of one, as in a webhook configuration.
struct HttpsOptions {
  std::string url;
  std::string connect_to = {};  ///< HOST:PORT to connect to, whatever the URL's host is; empty: that host
  std::string ca_bundle = {};   ///< empty: the system's own authorities
  std::string client_certificate = {};
  std::string client_key = {};
  bool allow_remote = false;  ///< else only loopback addresses are connected to
  Limits limits = {};
};

/// Whether the host of a URL is `localhost` or a loopback address.
bool is_loopback_url(const std::string& url);

/// HOST:PORT of an https URL without a path; nothing for any other text.
std::optional<std::string> host_and_port(const std::string& url);

/// Returns true when nothing that can answer is behind a URL or a command: refused, no trust between the two,
/// not to be started, or a program that writes its log among its answers.
bool is_unreachable(const Answer& answer);

/// The handler of a URL: posts the AdmissionReview as the API server does (docs/simulator.md#3-2), over
/// connections that are kept, and tries again after a 429 or 5xx with Retry-After (docs/simulator.md#3-3).
/// TLS is always verified, no redirect is followed, no proxy is used. An answer is bounded by
/// answer_bytes_max after decompression, a call with its retries by the webhook's timeoutSeconds and
/// call_milliseconds_max. The certificate is checked against the URL's host, also where `connect_to` names
/// another: that of a service against NAME.NAMESPACE.svc (ClientManager.HookClient). An error for a URL that
/// the API would refuse: not https, without a host, with user info, query or fragment
/// (docs/simulator.md#1-3); for a host that is not loopback, unless allowed; and for a CA bundle without a
/// certificate.
document::Result<Handler> https(HttpsOptions options);

}  // namespace fixpoint::webhooks
