#include <algorithm>
#include <string>
#include <string_view>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/server_status.h"
#include "harness/apiserver/decoding/strict_fields.h"
#include "harness/apiserver/registrations/client_config.h"
#include "harness/apiserver/registrations/registration_checks.h"
#include "harness/apiserver/registrations/validate_configuration.h"
#include "harness/apiserver/types/configuration_types.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/base64.h"

namespace fixpoint::apiserver {

namespace validation {

namespace {

constexpr std::string_view kSideEffects[] = {"None", "NoneOnDryRun"};
constexpr std::string_view kReviewVersions[] = {"v1", "v1beta1"};
constexpr long kTimeoutMax = 30;

/// A member that may be absent, and is one of the choices.
void check_optional_choice(const Value& webhook, const char* name, Choices choices, const Path& path,
                           Errors& errors) {
  const Value& value = webhook[name];
  if (!value.is_null() && !is_one_of(value.text(), choices))
    errors.not_supported(path.child(name), value.text(), choices);
}

void check_review_versions(const Value& versions, const Path& path, Errors& errors) {
  if (versions.empty()) return errors.required(path, Text("must specify one of v1, v1beta1"));
  Names seen;
  bool is_known = false;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const std::string_view version = versions.at(i).text();
    if (!seen.insert(version)) {
      errors.invalid(path.at(i), version, Text("duplicate version"));
      continue;
    }
    errors.invalid(path.at(i), version, check_dns_1035_label(version));
    is_known = is_known || is_one_of(version, kReviewVersions);
  }
  if (!is_known) errors.invalid(path, versions, Text("must include at least one of v1, v1beta1"));
}

/// The name of a webhook: a domain of three labels or more (IsFullyQualifiedName).
void check_webhook_name(std::string_view name, const Path& path, Errors& errors) {
  if (name.empty()) return errors.required(path);
  std::string problems;
  for (const Text& problem : check_dns_subdomain(name))
    problems.append(problems.empty() ? "" : ",").append(problem.words());
  if (!problems.empty()) return errors.invalid(path, name, problems);
  if (std::count(name.begin(), name.end(), '.') < 2)
    errors.invalid(path, name, Text("should be a domain with at least three segments separated by dots"));
}

void check_webhook(const Value& webhook, int minor, const Path& path, Errors& errors) {
  check_webhook_name(webhook["name"].text(), path.child("name"), errors);
  const Path rules_path = path.child("rules");
  for (std::size_t i = 0; i < webhook["rules"].size(); ++i)
    check_rule(webhook["rules"].at(i), rules_path.at(i), errors);
  check_optional_choice(webhook, "failurePolicy", kFailurePolicies, path, errors);
  check_optional_choice(webhook, "matchPolicy", kMatchPolicies, path, errors);
  if (webhook["sideEffects"].is_null())
    errors.required(path.child("sideEffects"), Text("must specify one of None, NoneOnDryRun"));
  check_optional_choice(webhook, "sideEffects", kSideEffects, path, errors);
  if (const auto timeout = webhook["timeoutSeconds"].integer();
      timeout && (*timeout < 1 || *timeout > kTimeoutMax))
    errors.invalid(path.child("timeoutSeconds"), webhook["timeoutSeconds"],
                   Text("the timeout value must be between 1 and 30 seconds"));
  check_label_selector(webhook["namespaceSelector"], false, path.child("namespaceSelector"), errors);
  check_label_selector(webhook["objectSelector"], false, path.child("objectSelector"), errors);
  check_optional_choice(webhook, "reinvocationPolicy", kReinvocationPolicies, path, errors);
  check_client_config(webhook["clientConfig"], path.child("clientConfig"), errors);
  check_conditions(webhook["matchConditions"], false, minor, path.child("matchConditions"), errors);
  check_review_versions(webhook["admissionReviewVersions"], path.child("admissionReviewVersions"), errors);
}

void check_configuration(const Value& configuration, int minor, Errors& errors) {
  check_cluster_metadata(configuration["metadata"], Path("metadata"), errors);
  const Path webhooks_path("webhooks");
  Names names;
  const Value& webhooks = configuration["webhooks"];
  for (std::size_t i = 0; i < webhooks.size(); ++i) {
    check_webhook(webhooks.at(i), minor, webhooks_path.at(i), errors);
    const std::string_view name = webhooks.at(i)["name"].text();
    if (!name.empty() && !names.insert(name)) errors.duplicate(webhooks_path.at(i).child("name"), name);
  }
}

/// The configuration with a plain backend for each webhook that says none, and without CA bundles, for which
/// manifests often have a placeholder.
Value with_plain_backends(Value configuration) {
  Value& webhooks = configuration.edit("webhooks");
  if (!webhooks.is_array()) return configuration;
  for (std::size_t i = 0; i < webhooks.size(); ++i) {
    if (!webhooks.at(i).is_object()) continue;
    Value& webhook = webhooks.edit(i);
    if (webhook["clientConfig"].empty())
      webhook.set("clientConfig", Value{{"url", "https://webhook.invalid"}});
    if (webhook["clientConfig"]["caBundle"].is_string()) webhook.edit("clientConfig").remove("caBundle");
  }
  return configuration;
}

}  // namespace

}  // namespace validation

document::Result<std::vector<cases::FieldError>> validate_configuration(const document::Value& sent,
                                                                        int minor) {
  const Type& type = cases::is_validating_configuration(sent) ? kValidatingWebhookConfiguration
                                                              : kMutatingWebhookConfiguration;
  auto decoded = decode_as(type, sent, minor);
  if (!decoded) return std::move(decoded).error();
  if (const auto strict = strict_problems(type, sent, minor); !strict.empty())
    return document::Error{strict_error(strict)};
  for (const document::Value& webhook : (*decoded)["webhooks"].elements()) {
    if (!document::decode_base64(webhook["clientConfig"]["caBundle"].text()))
      return document::Error{"illegal base64 data in caBundle"};
  }
  validation::Errors errors(minor);
  validation::check_configuration(*decoded, minor, errors);
  return std::move(errors).take_sorted();
}

std::optional<document::Error> refusal_of_configuration(const document::Value& sent, int minor) {
  constexpr std::string_view kRemovedVersion = "admissionregistration.k8s.io/v1beta1";
  if (sent["apiVersion"].text() == kRemovedVersion)
    return document::Error{std::string(kRemovedVersion) +
                               ": no API server serves it since Kubernetes 1.22; write v1, which asks for "
                               "sideEffects and admissionReviewVersions",
                           "/apiVersion"};
  auto errors = validate_configuration(validation::with_plain_backends(sent), minor);
  const std::string name(sent["metadata"]["name"].text());
  const std::string kind(cases::is_validating_configuration(sent) ? cases::kValidatingConfiguration.kind
                                                                  : cases::kWebhookConfiguration.kind);
  if (!errors) {
    return document::Error{kind + " \"" + name +
                           "\" cannot be stored by an API server: " + std::move(errors).error().text()};
  }
  if (errors->empty()) return std::nullopt;
  return validation::refusal_of(kind + ".admissionregistration.k8s.io", name, *errors);
}

}  // namespace fixpoint::apiserver
