#include "harness/apiserver/custom/definition_checks.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "harness/apiserver/custom/version_checks.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/text/formats.h"
#include "harness/apiserver/types/definition_types.h"
#include "harness/apiserver/validation/errors.h"
#include "harness/document/joined.h"
#include "harness/document/lower_case.h"

namespace fixpoint::apiserver::custom {

namespace {

using document::Text;
using document::Value;
using validation::Errors;
using validation::Path;

constexpr std::string_view kScopes[] = {"Cluster", "Namespaced"};
constexpr std::string_view kStrategies[] = {"None", "Webhook"};
constexpr const char* kApproval = "api-approved.kubernetes.io";

/// The definition with one schema where Go also reads a list of schemas, and none where it also reads a bool:
/// the table of types has only schemas there.
Value with_plain_schemas(Value value) {
  if (!value.is_object() && !value.is_array()) return value;
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
    value.edit(i) = with_plain_schemas(value.at(i));
  const Value before = value;
  for (const document::Member& member : before.members()) {
    const bool is_list = member.key.is("items") && member.value.is_array();
    const bool is_bool = member.key.is("additionalProperties") && member.value.is_boolean();
    if (is_list || is_bool)
      value.remove(member.key.name());
    else
      value.set(member.key.name(), with_plain_schemas(member.value));
  }
  return value;
}

class DefinitionChecker {
 public:
  DefinitionChecker(const Value& definition, int minor, Errors& errors)
      : definition_(definition), spec_(definition["spec"]), minor_(minor), errors_(errors) {}

  void check() {
    const Path spec("spec");
    check_metadata();
    check_group(spec.child("group"));
    if (spec_["scope"].text().empty())
      errors_.required(spec.child("scope"));
    else
      validation::check_choice(spec_["scope"], kScopes, spec.child("scope"), errors_);
    check_versions(spec_["versions"], spec.child("versions"), minor_, errors_);
    check_names(spec.child("names"));
    if (spec_["preserveUnknownFields"].is_true())
      errors_.invalid(spec.child("preserveUnknownFields"), Value(true),
                      Text("cannot set to true, set x-kubernetes-preserve-unknown-fields to true in "
                           "spec.versions[*].schema instead"));
    if (!spec_["conversion"].is_null()) check_conversion(spec_["conversion"], spec.child("conversion"));
  }

 private:
  void check_conversion(const Value& conversion, const Path& path) {
    const Value& strategy = conversion["strategy"];
    const Value &client = conversion["webhook"]["clientConfig"],
                &versions = conversion["webhook"]["conversionReviewVersions"];
    if (strategy.text().empty())
      errors_.required(path.child("strategy"));
    else
      validation::check_choice(strategy, kStrategies, path.child("strategy"), errors_);
    const Path at = path.child("webhookClientConfig"), of_versions = path.child("conversionReviewVersions");
    if (strategy.text() != "Webhook") {
      constexpr Text kOfWebhooks("should not be set when strategy is not set to Webhook");
      if (!client.is_null()) errors_.forbidden(at, kOfWebhooks);
      if (!versions.empty()) errors_.forbidden(of_versions, kOfWebhooks);
      return;
    }
    if (client.is_null())
      errors_.required(at, Text("required when strategy is set to Webhook"));
    else if (client["url"].is_null() == client["service"].is_null())
      errors_.required(at, Text("exactly one of url or service is required"));
    // The server exchanges the two names when it asks for them.
    const std::pair<const char*, const char*> reported_as[] = {{"name", "namespace"}, {"namespace", "name"}};
    for (const auto& [member, name] : reported_as)
      if (client["service"].is_object() && client["service"][member].text().empty())
        errors_.required(at.child("service").child(name));
    if (versions.empty()) return errors_.required(of_versions);
    const bool has_known = std::any_of(
        versions.elements().begin(), versions.elements().end(),
        [](const Value& version) { return version.text() == "v1" || version.text() == "v1beta1"; });
    if (!has_known) errors_.invalid(of_versions, versions, Text("must include at least one of v1, v1beta1"));
  }

  void check_label(std::string_view text, const Path& path) { check_name_label(text, path, errors_); }

  void check_metadata() {
    const Path name("metadata.name");
    const std::string_view own = definition_["metadata"]["name"].text();
    if (own.empty()) return errors_.required(name, Text("name or generateName is required"));
    for (const Text& problem : validation::check_dns_subdomain(own)) errors_.invalid(name, own, problem);
    const std::string wanted =
        std::string(spec_["names"]["plural"].text()) + "." + std::string(spec_["group"].text());
    if (own != wanted) errors_.invalid(name, own, Text("must be spec.names.plural+\".\"+spec.group"));
    const Path labels("metadata.labels");
    for (const document::Member& label : definition_["metadata"]["labels"].members()) {
      errors_.invalid(labels, label.key.text(), validation::check_qualified_name(label.key.text()));
      errors_.invalid(labels, label.value.text(), validation::check_label_value(label.value.text()));
    }
    const Path annotations("metadata.annotations");
    for (const document::Member& one : definition_["metadata"]["annotations"].members())
      errors_.invalid(annotations, one.key.text(), validation::check_qualified_name_lowered(one.key.text()));
    check_approval();
  }

  /// Groups of Kubernetes' own community.
  void check_approval() {
    const std::string_view group = spec_["group"].text();
    const auto is_below = [&](std::string_view domain) {
      return group == domain || group.ends_with("." + std::string(domain));
    };
    if (!is_below("k8s.io") && !is_below("kubernetes.io")) return;
    const std::string_view approval = definition_["metadata"]["annotations"][kApproval].text();
    const Path annotations("metadata.annotations");
    if (approval.empty())
      errors_.required(
          annotations.key(kApproval),
          Text("protected groups must have approval annotation \"api-approved.kubernetes.io\", see "
               "https://github.com/kubernetes/enhancements/pull/1111"));
    else if (!approval.starts_with("unapproved") && approval.find("://") == std::string_view::npos)
      errors_.invalid(
          annotations.key(kApproval), approval,
          Text("protected groups must have approval annotation \"api-approved.kubernetes.io\" with "
               "either a URL or a reason starting with \"unapproved\", see "
               "https://github.com/kubernetes/enhancements/pull/1111"));
  }

  void check_group(const Path& path) {
    const std::string_view group = spec_["group"].text();
    if (group.empty()) return errors_.required(path);
    if (const auto problems = validation::check_dns_subdomain(group); !problems.empty())
      errors_.invalid(path, group, joined_problems(problems));
    else if (group.find('.') == std::string_view::npos)
      errors_.invalid(path, group, Text("should be a domain with at least one dot"));
  }

  void check_names(const Path& path) {
    const Value& names = spec_["names"];
    const std::string kind(names["kind"].text());
    const auto or_else = [&](const char* member, const std::string& by_default) {
      const std::string_view own = names[member].text();
      return own.empty() ? by_default : std::string(own);
    };
    const std::string plural(names["plural"].text()),
        singular = or_else("singular", document::lower_case(kind)),
        list = or_else("listKind", kind.empty() ? kind : kind + "List");
    const std::pair<const char*, const std::string*> required[] = {
        {"plural", &plural}, {"singular", &singular}, {"kind", &kind}, {"listKind", &list}};
    for (const auto& [member, text] : required)
      if (text->empty()) errors_.required(path.child(member));
    if (!plural.empty()) check_label(plural, path.child("plural"));
    if (!singular.empty()) check_label(singular, path.child("singular"));
    check_kind(kind, path.child("kind"));
    check_kind(list, path.child("listKind"));
    if (!kind.empty() && kind == list)
      errors_.invalid(path.child("listKind"), std::string_view(list),
                      Text("kind and listKind may not be the same"));
    for (const char* member : {"shortNames", "categories"}) {
      const Path all = path.child(member);
      for (std::size_t i = 0; i < names[member].size(); ++i)
        check_label(names[member].at(i).text(), all.at(i));
    }
  }

  void check_kind(const std::string& kind, const Path& path) {
    if (kind.empty()) return;
    if (const auto problems = validation::check_dns_1035_label(document::lower_case(kind)); !problems.empty())
      errors_.invalid(
          path, std::string_view(kind),
          Text("may have mixed case, but should otherwise match: {}").with({joined_problems(problems)}));
  }

  const Value& definition_;
  const Value& spec_;
  const int minor_;
  Errors& errors_;
};

}  // namespace

document::Result<std::vector<cases::FieldError>> validate_definition(const Value& definition, int minor) {
  if (auto decoded = decode_as(kCustomResourceDefinition, with_plain_schemas(definition), minor); !decoded)
    return std::move(decoded).error();
  Errors errors(minor);
  DefinitionChecker(definition, minor, errors).check();
  return std::move(errors).take_sorted();
}

std::optional<document::Error> refusal_of_definition(const Value& definition, int minor) {
  const std::string_view name = definition["metadata"]["name"].text();
  const std::string_view version = definition["apiVersion"].text();
  if (version != "apiextensions.k8s.io/v1")
    return document::Error{"CustomResourceDefinition \"" + std::string(name) + "\" has apiVersion \"" +
                           std::string(version) +
                           "\", expected apiextensions.k8s.io/v1: no Kubernetes since 1.22 serves v1beta1"};
  auto errors = validate_definition(definition, minor);
  if (!errors)
    return document::Error{"CustomResourceDefinition \"" + std::string(name) +
                           "\" cannot be stored by an API server: " + std::move(errors).error().text()};
  // Its labels may be templates of a chart, and its conversion may stand in a patch of kustomize.
  std::erase_if(*errors, [](const cases::FieldError& error) {
    return error.field == "metadata.labels" || error.field == "metadata.annotations" ||
           error.field.starts_with("spec.conversion");
  });
  if (errors->empty()) return std::nullopt;
  return validation::refusal_of("CustomResourceDefinition.apiextensions.k8s.io", name, *errors);
}

}  // namespace fixpoint::apiserver::custom
