#include "harness/external/backends/backend_names.h"

#include <algorithm>

#include "harness/cases/replay_flags.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/external/backends/command_text.h"
#include "harness/webhooks/https.h"

namespace fixpoint::external {

using cases::Backend;
using document::Error;
using document::Result;
using document::Value;

namespace {

/// Returns the host name under which the API server calls a service (ClientManager.HookClient).
std::string host_of(std::string_view namespace_name, std::string_view name) {
  return std::string(name).append(".").append(namespace_name).append(".svc");
}

/// Splits LEFT=RIGHT; neither side may be empty.
std::optional<std::pair<std::string, std::string>> split(const std::string& text) {
  const auto at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) return std::nullopt;
  return std::pair(text.substr(0, at), text.substr(at + 1));
}

}  // namespace

bool is_external(const Backend& backend) {
  return std::holds_alternative<cases::Url>(backend) || std::holds_alternative<cases::Command>(backend);
}

std::optional<Error> BackendNames::add_service(const std::string& service) {
  if (!options_.webhooks_file.empty() && !options_.allow_remote)
    return Error{"a service that a file names is called only with --allow-remote", options_.webhooks_file};
  const auto parts = split(service);
  const auto slash = parts ? parts->first.find('/') : std::string::npos;
  if (slash == std::string::npos) return Error{"expected NAMESPACE/NAME=URL", "--service " + service};
  const auto at = webhooks::host_and_port(parts->second);
  if (!at)
    return Error{"expected an https URL without a path: the configuration says that", "--service " + service};
  services_.insert_or_assign(host_of(parts->first.substr(0, slash), parts->first.substr(slash + 1)), *at);
  return std::nullopt;
}

Result<Backend> BackendNames::add_webhook(const std::string& webhook) {
  const auto parts = split(webhook);
  if (!parts) return Error{"expected NAME=URL or NAME=exec:CMD", "--webhook " + webhook};
  Backend backend = of_url(parts->second, "");
  if (parts->second.starts_with("exec:")) {
    auto command = command_of(parts->second.substr(5));
    if (!command) return std::move(command).error().within("--webhook " + webhook);
    backend = *std::move(command);
  }
  if (!options_.webhooks_file.empty()) {
    if (auto refusal = refusal_of(backend))
      return std::move(*refusal).within("--webhook " + parts->first).within(options_.webhooks_file);
  }
  if (!webhooks_.emplace(parts->first, backend).second)
    return Error{"given twice: one backend answers behind a webhook; leave one out",
                 "--webhook " + parts->first};
  return backend;
}

std::string BackendNames::connection_to(const std::string& url) const {
  constexpr std::string_view kScheme = "https://";
  if (!url.starts_with(kScheme)) return "";
  const auto end = url.find_first_of(":/", kScheme.size());
  const auto found = services_.find(url.substr(kScheme.size(), end - kScheme.size()));
  return found == services_.end() ? "" : found->second;
}

bool BackendNames::is_named(const Backend& backend) const {
  const auto is_it = [&](const auto& named) { return named.second == backend; };
  return std::any_of(webhooks_.begin(), webhooks_.end(), is_it) ||
         std::any_of(of_files_.begin(), of_files_.end(), is_it);
}

std::optional<Error> BackendNames::refusal_of(const Backend& backend) const {
  if (std::holds_alternative<cases::Command>(backend) && !options_.allow_exec)
    return Error{"a command that a file names runs only with --allow-exec", "exec"};
  const auto* url = std::get_if<cases::Url>(&backend);
  if (url != nullptr && !options_.allow_remote && connection_to(url->url).empty())
    return Error{"a URL that a file names is called only with --allow-remote", "url"};
  return std::nullopt;
}

std::optional<Error> BackendNames::refusal_of_unnamed(const Backend& backend) const {
  return is_named(backend) ? std::nullopt : refusal_of(backend);
}

std::optional<Backend> BackendNames::named(const std::string& webhook) const {
  auto found = webhooks_.find(webhook);
  if (found == webhooks_.end())
    found =
        std::ranges::find_if(webhooks_, [&](const auto& one) { return cases::is_meant(one.first, webhook); });
  if (found == webhooks_.end()) return std::nullopt;
  met_.insert(found->first);
  return found->second;
}

Backend BackendNames::of_url(const std::string& url, const std::string& ca_bundle) const {
  return cases::Url{.url = url, .ca_bundle = ca_bundle_.empty() ? ca_bundle : ca_bundle_};
}

std::optional<Backend> BackendNames::of_service(const Value& service) const {
  const std::string host = host_of(service["namespace"].text(), service["name"].text());
  if (!services_.contains(host)) return std::nullopt;
  const std::string path(service["path"].text());
  return of_url("https://" + host + (path.empty() || path.starts_with('/') ? "" : "/") + path, "");
}

std::optional<Error> BackendNames::allow_subject(const std::string& webhook, const Backend& backend,
                                                 NamedBy named_by) {
  if (named(webhook)) return std::nullopt;
  if (is_external(backend) && (named_by == NamedBy::document_of_a_chart || !options_.subjects_file.empty())) {
    auto refusal = refusal_of(backend);
    if (refusal && options_.subjects_file.empty())
      refusal->message += ", or if the command line names a file that holds Subjects alone";
    if (refusal) return refusal;
  }
  const std::lock_guard lock(mutex_);
  of_files_.insert_or_assign(webhook, backend);
  return std::nullopt;
}

std::optional<Backend> BackendNames::of_file(const std::string& webhook) const {
  const auto found = of_files_.find(webhook);
  return found == of_files_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> BackendNames::unmet() const {
  std::vector<std::string> names;
  for (const auto& [name, backend] : webhooks_) {
    if (!met_.contains(name)) names.push_back(name);
  }
  return names;
}

std::string BackendNames::flags_to_replay(const cases::Case& value) const {
  std::string routes;
  for (const auto& [name, backend] : value.webhooks) {
    const auto* url = std::get_if<cases::Url>(&backend);
    const std::string at = url == nullptr ? "" : connection_to(url->url);
    if (at.empty()) continue;
    const std::string host = url->url.substr(8, url->url.find_first_of(":/", 8) - 8);
    const auto dot = host.find('.');
    const std::string route = " --service " + host.substr(dot + 1, host.size() - dot - 5) + "/" +
                              host.substr(0, dot) + "=https://" + at;
    if (routes.find(route) == std::string::npos) routes += route;
  }
  return routes.insert(
      0, cases::replay_flags(value, [&](const cases::Url& url) { return !connection_to(url.url).empty(); }));
}

}  // namespace fixpoint::external
