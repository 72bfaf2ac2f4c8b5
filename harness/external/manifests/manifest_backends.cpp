#include "harness/external/manifests/manifest_backends.h"

#include <algorithm>

#include "harness/document/fields.h"
#include "harness/external/manifests/subject_triggers.h"
#include "harness/runner/learning/learn.h"

namespace fixpoint::external {

using document::Error;
using document::Value;
using runner::Subject;

namespace {

bool is_own_name(const std::vector<Subject>& subjects, std::string_view own_name) {
  return std::any_of(subjects.begin(), subjects.end(), [&](const Subject& subject) {
    const auto webhooks = subject.configuration["webhooks"].elements();
    return std::any_of(webhooks.begin(), webhooks.end(),
                       [&](const Value& webhook) { return webhook["name"].text() == own_name; });
  });
}

bool is_key(const std::vector<Subject>& subjects, const std::string& key) {
  return std::any_of(subjects.begin(), subjects.end(),
                     [&](const Subject& subject) { return subject.webhooks.contains(key); });
}

}  // namespace

void ManifestBackends::know_names(const Value& document) {
  for (const Value& item : document["items"].elements()) know_names(item);
  if (document["configuration"].is_object()) know_names(document["configuration"]);
  for (const Value& webhook : document["webhooks"].elements()) {
    names_.push_back(key_of(document, webhook));
    names_.emplace_back(webhook["name"].text());
  }
}

std::optional<Error> ManifestBackends::find(Subject& subject) const {
  for (const Value& webhook : subject.configuration["webhooks"].elements()) {
    const std::string key = key_of(subject.configuration, webhook);
    auto backend = backend_of(subject, webhook);
    if (!backend) {
      if (auto problem = misspelt()) return problem;
      return Error{"nothing answers behind " + key + ": say --webhook " + key +
                   "=https://… or =exec:CMD, or --service NAMESPACE/NAME=https://…"};
    }
    const auto named_by = subject.webhooks.contains(key) ? named_by_ : NamedBy::file_of_the_user;
    if (auto problem = outside_.allow_subject(key, *backend, named_by))
      return std::move(*problem).within(key);
    if (auto problem = unreachable(*backend)) return std::move(*problem).within(key);
    if (const auto* script = std::get_if<cases::Script>(&*backend))
      learn_from_script(subject.vocabulary, *script);
    subject.webhooks.insert_or_assign(key, *std::move(backend));
  }
  return std::nullopt;
}

document::Result<Value> ManifestBackends::answered(Value configuration,
                                                   std::vector<std::string>& left_out) const {
  const bool is_any_named =
      std::ranges::any_of(names_, [&](const std::string& name) { return outside_.named(name).has_value(); });
  if (!is_any_named) return configuration;
  Value kept = Value::empty_list();
  for (const Value& webhook : configuration["webhooks"].elements()) {
    const std::string key = key_of(configuration, webhook);
    if (outside_.named(key) || backend_of_client(webhook["clientConfig"]))
      kept.push_back(webhook);
    else
      left_out.push_back(key);
  }
  if (left_out.empty()) return configuration;
  if (auto problem = misspelt()) return *std::move(problem);
  configuration.set("webhooks", std::move(kept));
  return configuration;
}

std::map<std::string, cases::Backend> ManifestBackends::of_validators(
    const Value& configuration, const std::map<std::string, cases::Backend>& stored,
    const std::vector<Subject>& subjects) const {
  std::map<std::string, cases::Backend> backends;
  for (const Value& webhook : configuration["webhooks"].elements()) {
    const std::string key = key_of(configuration, webhook);
    auto backend = is_own_name(subjects, webhook["name"].text()) ? std::nullopt : outside_.named(key);
    const bool is_named = backend.has_value();
    const auto named_by = stored.contains(key) ? named_by_ : NamedBy::file_of_the_user;
    if (const auto own = stored.find(key); !backend && own != stored.end()) backend = own->second;
    if (!backend) backend = backend_of_client(webhook["clientConfig"]);
    const bool is_usable =
        backend && !is_key(subjects, key) &&
        (is_named || (!outside_.allow_subject(key, *backend, named_by) && !unreachable(*backend)));
    if (!is_usable) return {};
    backends.insert_or_assign(key, *std::move(backend));
  }
  return backends;
}

std::optional<cases::Backend> ManifestBackends::backend_of(const Subject& subject,
                                                           const Value& webhook) const {
  const std::string key = key_of(subject.configuration, webhook);
  if (auto named = outside_.named(key)) return named;
  const auto stored = subject.webhooks.find(key);
  if (stored != subject.webhooks.end()) return stored->second;
  return backend_of_client(webhook["clientConfig"]);
}

std::optional<cases::Backend> ManifestBackends::backend_of_client(const Value& client) const {
  if (client["url"].is_string())
    return outside_.of_url(std::string(client["url"].text()), std::string(client["caBundle"].text()));
  return client["service"].is_null() ? std::nullopt : outside_.of_service(client["service"]);
}

std::optional<Error> ManifestBackends::misspelt() const {
  const std::vector<std::string_view> known(names_.begin(), names_.end());
  for (const std::string& name : outside_.unmet()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string hint = document::did_you_mean_suffix(name, known);
    if (!hint.empty()) return Error{"no webhook here has this name" + hint, "--webhook " + name};
  }
  return std::nullopt;
}

std::optional<Error> ManifestBackends::unreachable(const cases::Backend& backend) const {
  if (!std::holds_alternative<cases::Url>(backend)) return std::nullopt;
  auto handler = outside_.resolve().outside(backend);
  return handler ? std::nullopt : std::optional(std::move(handler).error());
}

}  // namespace fixpoint::external
