#include "harness/apiserver/registrations/registration_checks.h"

#include <string>

#include "harness/apiserver/cel/cel.h"
#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::validation {

namespace {

constexpr std::string_view kOperations[] = {"*", "CONNECT", "CREATE", "DELETE", "UPDATE"};
constexpr std::string_view kScopes[] = {"*", "Cluster", "Namespaced"};
constexpr std::size_t kConditionsMax = 64;

bool holds_star(const Value& list) {
  for (const Value& one : list.elements())
    if (one.text() == "*") return true;
  return false;
}

/// A list of a rule: not empty, and nothing beside a star.
void check_star_alone(const Value& list, const char* others, const Path& path, Errors& errors) {
  if (list.empty()) errors.required(path);
  if (list.size() > 1 && holds_star(list))
    errors.invalid(path, list, Text("if '*' is present, must not specify other {}").with({others}));
}

void check_no_empty_texts(const Value& list, const Path& path, Errors& errors) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list.at(i).text().empty()) errors.required(path.at(i));
}

/// RESOURCE, RESOURCE/SUBRESOURCE, and stars in both places that exclude what they contain.
void check_rule_resources(const Value& list, const Path& path, Errors& errors) {
  if (list.empty()) errors.required(path);
  Names all_below, below_all;
  bool has_double_star = false, has_star = false, has_plain = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string_view text = list.at(i).text();
    if (text.empty()) {
      errors.required(path.at(i));
      continue;
    }
    has_double_star = has_double_star || text == "*/*";
    has_star = has_star || text == "*";
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) {
      has_plain = text != "*";
      continue;
    }
    const std::string_view resource = text.substr(0, slash), below = text.substr(slash + 1);
    const auto excludes = [&](const std::string& star) {
      errors.invalid(path.at(i), text, Text("if '{}' is present, must not specify {}").with({star, text}));
    };
    if (all_below.contains(resource)) excludes(std::string(resource) + "/*");
    if (below_all.contains(below)) excludes("*/" + std::string(below));
    if (below == "*") all_below.insert(resource);
    if (resource == "*") below_all.insert(below);
  }
  if (list.size() > 1 && has_double_star)
    errors.invalid(path, list, Text("if '*/*' is present, must not specify other resources"));
  if (has_star && has_plain)
    errors.invalid(path, list,
                   Text("if '*' is present, must not specify other resources without subresources"));
}

void check_condition(const Value& condition, bool has_params, int minor, const Path& path, Errors& errors) {
  const std::string_view text = trimmed(condition["expression"].text());
  if (text.empty()) {
    errors.required(path.child("expression"));
  } else {
    cel::Environment environment;
    environment.minor = minor;
    environment.has_authorizer = true;
    environment.has_params = has_params;
    const cel::Compiled compiled = cel::compile(text, environment, cel::read_type("bool"));
    if (!compiled.error.empty()) errors.invalid(path.child("expression"), text, compiled.error);
  }
  const std::string_view name = condition["name"].text();
  if (name.empty()) return errors.required(path.child("name"));
  errors.invalid(path.child("name"), name, check_qualified_name(name));
}

}  // namespace

void check_rule(const Value& rule, const Path& path, Errors& errors) {
  const Path operations_path = path.child("operations"), versions_path = path.child("apiVersions");
  const Value& operations = rule["operations"];
  check_star_alone(operations, "operations", operations_path, errors);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (!is_one_of(operations.at(i).text(), kOperations))
      errors.not_supported(operations_path.at(i), operations.at(i).text(), kOperations);
  }
  check_star_alone(rule["apiGroups"], "API groups", path.child("apiGroups"), errors);
  check_star_alone(rule["apiVersions"], "API versions", versions_path, errors);
  check_no_empty_texts(rule["apiVersions"], versions_path, errors);
  check_rule_resources(rule["resources"], path.child("resources"), errors);
  if (const Value& scope = rule["scope"]; !scope.is_null() && !is_one_of(scope.text(), kScopes))
    errors.not_supported(path.child("scope"), scope.text(), kScopes);
}

void check_conditions(const Value& conditions, bool has_params, int minor, const Path& path, Errors& errors) {
  if (conditions.size() > kConditionsMax) errors.too_many(path, conditions.size(), kConditionsMax);
  Names names;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    check_condition(conditions.at(i), has_params, minor, path.at(i), errors);
    const std::string_view name = conditions.at(i)["name"].text();
    if (!name.empty() && !names.insert(name)) errors.duplicate(path.at(i).child("name"), name);
  }
}

void check_cluster_metadata(const Value& metadata, const Path& path, Errors& errors) {
  const std::string_view name = metadata["name"].text(), generate_name = metadata["generateName"].text();
  if (!generate_name.empty())
    errors.invalid(path.child("generateName"), generate_name, check_generate_name(generate_name));
  if (name.empty() && generate_name.empty())
    errors.required(path.child("name"), Text("name or generateName is required"));
  else if (!name.empty())
    errors.invalid(path.child("name"), name, check_dns_subdomain(name));
  check_labels(metadata["labels"], path.child("labels"), errors);
  check_annotation_keys(metadata["annotations"], path.child("annotations"), errors);
}

}  // namespace fixpoint::apiserver::validation
