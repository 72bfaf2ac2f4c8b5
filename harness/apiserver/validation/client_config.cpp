#include "harness/apiserver/validation/client_config.h"

#include <string>
#include <string_view>

#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::validation {

namespace {

constexpr long kPortMax = 65535;

void check_url(std::string_view url, const Path& path, Errors& errors) {
  const auto colon = url.find("://");
  const std::string_view scheme = colon == std::string_view::npos ? std::string_view() : url.substr(0, colon);
  std::string_view rest = colon == std::string_view::npos ? std::string_view() : url.substr(colon + 3);
  if (scheme != "https")
    errors.invalid(path, scheme,
                   Text("'https' is the only allowed URL scheme; desired format: https://host[/path]"));
  const auto hash = rest.find('#');
  const std::string_view fragment =
      hash == std::string_view::npos ? std::string_view() : rest.substr(hash + 1);
  rest = rest.substr(0, hash);
  const auto mark = rest.find('?');
  const std::string_view query = mark == std::string_view::npos ? std::string_view() : rest.substr(mark + 1);
  rest = rest.substr(0, mark);
  std::string_view host = rest.substr(0, rest.find('/'));
  const auto at = host.rfind('@');
  const std::string_view user = at == std::string_view::npos ? std::string_view() : host.substr(0, at);
  if (at != std::string_view::npos) host.remove_prefix(at + 1);
  if (host.empty())
    errors.invalid(path, host, Text("host must be specified; desired format: https://host[/path]"));
  if (at != std::string_view::npos)
    errors.invalid(path, user, Text("user information is not permitted in the URL"));
  if (!fragment.empty()) errors.invalid(path, fragment, Text("fragments are not permitted in the URL"));
  if (!query.empty()) errors.invalid(path, query, Text("query parameters are not permitted in the URL"));
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
