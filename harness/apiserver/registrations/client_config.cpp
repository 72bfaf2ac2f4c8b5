#include "harness/apiserver/registrations/client_config.h"

#include <string>
#include <string_view>

#include "harness/apiserver/text/urls.h"
#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::validation {

namespace {

constexpr long kPortMax = 65535;

/// ValidateWebhookURL.
void check_url(std::string_view text, const Path& path, Errors& errors) {
  cel::Url url;
  std::string problem;
  if (!cel::read_url(text, false, url, problem)) {
    return errors.required(
        path, Text("url must be a valid URL: {}; desired format: https://host[/path]").with({problem}));
  }
  if (url.scheme != "https")
    errors.invalid(path, std::string_view(url.scheme),
                   Text("'https' is the only allowed URL scheme; desired format: https://host[/path]"));
  if (url.host.empty())
    errors.invalid(path, std::string_view(url.host),
                   Text("host must be specified; desired format: https://host[/path]"));
  if (url.has_user)
    errors.invalid(path, std::string_view(url.user), Text("user information is not permitted in the URL"));
  if (!url.fragment.empty())
    errors.invalid(path, std::string_view(url.fragment), Text("fragments are not permitted in the URL"));
  if (!url.query.empty())
    errors.invalid(path, std::string_view(url.query), Text("query parameters are not permitted in the URL"));
}

void check_service_path(std::string_view text, const Path& path, Errors& errors) {
  if (text.empty() || text == "/") return;
  if (text == "//") return errors.invalid(path, text, Text("segment[0] may not be empty"));
  if (!text.starts_with('/')) errors.invalid(path, text, Text("must start with a '/'"));
  std::string_view rest = text.substr(1);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  for (std::size_t segment = 0;; ++segment) {
    const auto slash = rest.find('/');
    const std::string_view step = rest.substr(0, slash);
    const std::string label = "segment[" + std::to_string(segment) + "]";
    if (step.empty()) errors.invalid(path, text, Text("{} may not be empty").with({label}));
    if (!step.empty())
      for (const Text& problem : check_dns_subdomain(step))
        errors.invalid(path, text, Text("{}: {}").with({label, problem.words()}));
    if (slash == std::string_view::npos) return;
    rest.remove_prefix(slash + 1);
  }
}

void check_service(const Value& service, const Path& path, Errors& errors) {
  // The server confuses the two: it reports a missing name at the namespace, and a missing namespace at the
  // name.
  if (service["namespace"].text().empty()) errors.required(path.child("name"));
  if (service["name"].text().empty()) errors.required(path.child("namespace"));
  if (const auto port = service["port"].integer(); port && (*port < 1 || *port > kPortMax))
    errors.invalid(path.child("port"), service["port"],
                   Text("port is not valid: must be between 1 and 65535, inclusive"));
  if (const Value& below = service["path"]; !below.is_null())
    check_service_path(below.text(), path.child("path"), errors);
}

}  // namespace

void check_client_config(const Value& config, const Path& path, Errors& errors) {
  const Value &url = config["url"], &service = config["service"];
  if (url.is_null() == service.is_null())
    return errors.required(path, Text("exactly one of url or service is required"));
  if (!url.is_null()) return check_url(url.text(), path.child("url"), errors);
  check_service(service, path.child("service"), errors);
}

}  // namespace fixpoint::apiserver::validation
