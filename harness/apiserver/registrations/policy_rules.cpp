#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "harness/apiserver/cel/cel.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/decoding/kinds.h"
#include "harness/apiserver/decoding/server_status.h"
#include "harness/apiserver/decoding/strict_fields.h"
#include "harness/apiserver/registrations/registration_checks.h"
#include "harness/apiserver/registrations/validate_policy.h"
#include "harness/apiserver/types/policy_types.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/lower_case.h"

namespace fixpoint::apiserver {

namespace validation {

namespace {

constexpr std::string_view kMutatingOperations[] = {"*", "CONNECT", "CREATE", "UPDATE"};
constexpr std::string_view kPatchTypes[] = {"ApplyConfiguration", "JSONPatch"};
constexpr std::string_view kNotFoundActions[] = {"Deny", "Allow"};
constexpr std::array<std::string_view, 22> kReservedWords = {
    "true",      "false",  "null",     "in",   "as",     "break", "const", "continue",
    "else",      "for",    "function", "if",   "import", "let",   "loop",  "package",
    "namespace", "return", "var",      "void", "while",  ""};

/// IsPathSegmentName.
void check_segment(std::string_view name, const Path& path, Errors& errors) {
  if (name == ".") return errors.invalid(path, name, Text("may not be '.'"));
  if (name == "..") return errors.invalid(path, name, Text("may not be '..'"));
  if (name.find('/') != std::string_view::npos) errors.invalid(path, name, Text("may not contain '/'"));
  if (name.find('%') != std::string_view::npos) errors.invalid(path, name, Text("may not contain '%'"));
}

void check_named_rule(const Value& rule, const Path& path, Errors& errors) {
  Names names;
  for (std::size_t i = 0; i < rule["resourceNames"].size(); ++i) {
    const std::string_view name = rule["resourceNames"].at(i).text();
    const Path names_path = path.child("resourceNames"), here = names_path.at(i);
    check_segment(name, here, errors);
    if (!names.insert(name)) errors.duplicate(here, name);
  }
  check_rule(rule, path, errors);
}

/// matchConstraints of a policy, or matchResources of a binding.
void check_match_resources(const Value& criteria, const Path& path, Errors& errors) {
  if (const Value& policy = criteria["matchPolicy"];
      !policy.is_null() && !is_one_of(policy.text(), kMatchPolicies))
    errors.not_supported(path.child("matchPolicy"), policy.text(), kMatchPolicies);
  check_label_selector(criteria["namespaceSelector"], false, path.child("namespaceSelector"), errors);
  check_label_selector(criteria["objectSelector"], false, path.child("objectSelector"), errors);
  const Path rules = path.child("resourceRules"), excluded = path.child("excludeResourceRules");
  for (std::size_t i = 0; i < criteria["resourceRules"].size(); ++i)
    check_named_rule(criteria["resourceRules"].at(i), rules.at(i), errors);
  for (std::size_t i = 0; i < criteria["excludeResourceRules"].size(); ++i)
    check_named_rule(criteria["excludeResourceRules"].at(i), excluded.at(i), errors);
}

/// A removal has nothing to mutate.
void check_operations(const Value& criteria, const Path& path, Errors& errors) {
  const Path rules = path.child("resourceRules"), operations = rules.child("operations");
  for (const Value& rule : criteria["resourceRules"].elements()) {
    for (const Value& operation : rule["operations"].elements())
      if (!is_one_of(operation.text(), kMutatingOperations))
        errors.not_supported(operations, operation.text(), kMutatingOperations);
  }
}

void check_param_kind(const Value& kind, const Path& path, Errors& errors) {
  const std::string_view version = kind["apiVersion"].text(), name = kind["kind"].text();
  const Path version_path = path.child("apiVersion"), kind_path = path.child("kind");
  const auto joined = [](const auto& problems) {
    std::string text;
    for (const Text& problem : problems) text.append(text.empty() ? "" : ",").append(problem.words());
    return text;
  };
  if (version.empty()) {
    errors.required(version_path);
  } else if (std::count(version.begin(), version.end(), '/') > 1) {
    errors.invalid(version_path, version, Text("unexpected GroupVersion string: {}").with({version}));
  } else {
    const auto slash = version.find('/');
    const std::string_view group =
        slash == std::string_view::npos ? std::string_view() : version.substr(0, slash);
    const std::string_view own = slash == std::string_view::npos ? version : version.substr(slash + 1);
    if (!group.empty())
      if (const std::string problems = joined(check_dns_subdomain(group)); !problems.empty())
        errors.invalid(version_path, group, problems);
    if (own.empty()) {
      errors.invalid(version_path, version, Text("version must be specified"));
    } else if (const std::string problems = joined(check_dns_1035_label(own)); !problems.empty()) {
      errors.invalid(version_path, own, problems);
    }
  }
  if (name.empty()) return errors.required(kind_path);
  if (const std::string problems = joined(check_dns_1035_label(document::lower_case(name)));
      !problems.empty())
    errors.invalid(kind_path, name,
                   Text("may have mixed case, but should otherwise match: {}").with({problems}));
}

bool is_identifier(std::string_view name) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return is_letter(name.front()) && std::all_of(name.begin(), name.end(), is_part) &&
         std::find(kReservedWords.begin(), kReservedWords.end(), name) == kReservedWords.end();
}

/// The expressions of a policy, each in the environment of a new one: variables are known to those behind
/// them, and to the mutations.
class PolicyExpressions {
 public:
  PolicyExpressions(bool has_params, int minor) {
    environment_.minor = minor - 1;
    environment_.has_params = has_params;
    environment_.has_authorizer = true;
    environment_.has_variables = true;
  }

  void check_variable(const Value& variable, const Path& path, Errors& errors) {
    const std::string_view name = variable["name"].text(), text = variable["expression"].text();
    if (trimmed(name).empty())
      errors.required(path.child("name"), Text("name is not specified"));
    else if (!is_identifier(name))
      errors.invalid(path.child("name"), name, Text("must be a valid CEL identifier"));
    if (trimmed(text).empty())
      return errors.required(path.child("expression"), Text("expression is not specified"));
    const cel::Compiled compiled = cel::compile(text, environment_);
    if (!compiled.error.empty()) errors.invalid(path.child("expression"), text, compiled.error);
    environment_.variables[std::string(name)] =
        compiled.program ? cel::composed_type(compiled.program->type()) : cel::read_type("dyn");
  }

  void check_mutation(const Value& mutation, const Path& path, Errors& errors) {
    const std::string_view type = mutation["patchType"].text();
    if (type.empty()) return errors.required(path.child("patchType"));
    if (!is_one_of(type, kPatchTypes))
      return errors.not_supported(path.child("patchType"), type, kPatchTypes);
    const bool is_json_patch = type == "JSONPatch";
    const char *own = is_json_patch ? "jsonPatch" : "applyConfiguration",
               *other = is_json_patch ? "applyConfiguration" : "jsonPatch";
    if (mutation[own].is_null()) {
      errors.required(path.child(own), is_json_patch
                                           ? Text("must be specified when patchType is JSONPatch")
                                           : Text("must be specified when patchType is ApplyConfiguration"));
    } else {
      check_mutating(mutation[own], is_json_patch, path.child(own).child("expression"), errors);
    }
    if (mutation[other].is_null()) return;
    errors.invalid(path.child(other), is_json_patch ? "{applyConfiguration}" : "{jsonPatch}",
                   is_json_patch ? Text("must not be specified when patchType is JSONPatch")
                                 : Text("must not be specified when patchType is ApplyConfiguration"));
  }

 private:
  void check_mutating(const Value& source, bool is_json_patch, const Path& path, Errors& errors) {
    const std::string_view text = trimmed(source["expression"].text());
    if (text.empty()) return errors.required(path);
    cel::Environment environment = environment_;
    environment.has_patch_types = true;
    const cel::TypePtr type = cel::make_type(cel::TypeKind::message, is_json_patch ? "JSONPatch" : "Object");
    const cel::Compiled compiled =
        cel::compile(text, environment, is_json_patch ? cel::list_type(type) : type);
    if (!compiled.error.empty()) errors.invalid(path, text, compiled.error);
  }

  cel::Environment environment_ = {};
};

void check_policy(const Value& policy, int minor, Errors& errors) {
  check_cluster_metadata(policy["metadata"], Path("metadata"), errors);
  const Value& spec = policy["spec"];
  const Path path("spec");
  if (const Value& failure = spec["failurePolicy"];
      !failure.is_null() && !is_one_of(failure.text(), kFailurePolicies))
    errors.not_supported(path.child("failurePolicy"), failure.text(), kFailurePolicies);
  const bool has_params = spec["paramKind"].is_object();
  if (has_params) check_param_kind(spec["paramKind"], path.child("paramKind"), errors);
  const Path constraints = path.child("matchConstraints");
  if (!spec["matchConstraints"].is_object()) {
    errors.required(constraints);
  } else {
    check_match_resources(spec["matchConstraints"], constraints, errors);
    if (spec["matchConstraints"]["resourceRules"].empty())
      errors.required(constraints.child("resourceRules"));
    check_operations(spec["matchConstraints"], constraints, errors);
  }
  check_conditions(spec["matchConditions"], has_params, minor - 1, path.child("matchConditions"), errors);
  PolicyExpressions expressions(has_params, minor);
  for (std::size_t i = 0; i < spec["variables"].size(); ++i)
    expressions.check_variable(spec["variables"].at(i), path.child("variables").at(i), errors);
  if (spec["mutations"].empty())
    errors.required(path.child("mutations"), Text("mutations must contain at least one item"));
  for (std::size_t i = 0; i < spec["mutations"].size(); ++i)
    expressions.check_mutation(spec["mutations"].at(i), path.child("mutations").at(i), errors);
  const std::string_view again = spec["reinvocationPolicy"].text();
  if (again.empty())
    errors.required(path.child("reinvocationPolicy"));
  else if (!is_one_of(again, kReinvocationPolicies))
    errors.not_supported(path.child("reinvocationPolicy"), again, kReinvocationPolicies);
}

void check_param_ref(const Value& ref, const Path& path, Errors& errors) {
  if (!ref.is_object()) return;
  const std::string_view name = ref["name"].text(), action = ref["parameterNotFoundAction"].text();
  const bool has_selector = ref["selector"].is_object();
  if (!name.empty()) {
    check_segment(name, path.child("name"), errors);
    if (has_selector) errors.forbidden(path.child("name"), Text("name and selector are mutually exclusive"));
  }
  if (has_selector) {
    check_label_selector(ref["selector"], false, path.child("selector"), errors);
    if (!name.empty())
      errors.forbidden(path.child("selector"), Text("name and selector are mutually exclusive"));
  }
  if (name.empty() && !has_selector) errors.required(path, Text("one of name or selector must be specified"));
  if (action.empty())
    errors.required(path.child("parameterNotFoundAction"));
  else if (!is_one_of(action, kNotFoundActions))
    errors.not_supported(path.child("parameterNotFoundAction"), action, kNotFoundActions);
}

void check_binding(const Value& binding, Errors& errors) {
  check_cluster_metadata(binding["metadata"], Path("metadata"), errors);
  const Value& spec = binding["spec"];
  const Path path("spec");
  const std::string_view name = spec["policyName"].text();
  if (name.empty())
    errors.required(path.child("policyName"));
  else
    errors.invalid(path.child("policyName"), name, check_dns_subdomain(name));
  check_param_ref(spec["paramRef"], path.child("paramRef"), errors);
  if (!spec["matchResources"].is_object()) return;
  check_match_resources(spec["matchResources"], path.child("matchResources"), errors);
  check_operations(spec["matchResources"], path.child("matchResources"), errors);
}

bool is_known_kind(const Value& sent, int minor) {
  const std::string_view kind = sent["kind"].text();
  return (kind == cases::kPolicy.kind || kind == cases::kPolicyBinding.kind) &&
         knows_policies(sent["apiVersion"].text(), minor);
}

}  // namespace

}  // namespace validation

document::Result<std::vector<cases::FieldError>> validate_policy(const document::Value& sent, int minor) {
  const bool is_policy = sent["kind"].text() == cases::kPolicy.kind;
  const Type& type = is_policy ? kMutatingAdmissionPolicy : kMutatingAdmissionPolicyBinding;
  if (!validation::is_known_kind(sent, minor))
    return document::Error{unregistered_kind(sent["kind"].text(), sent["apiVersion"].text(), minor)};
  auto decoded = decode_as(type, sent, minor);
  if (!decoded) return std::move(decoded).error();
  if (const auto strict = strict_problems(type, sent, minor); !strict.empty())
    return document::Error{strict_error(strict)};
  validation::Errors errors(minor);
  if (is_policy)
    validation::check_policy(*decoded, minor, errors);
  else
    validation::check_binding(*decoded, errors);
  return std::move(errors).take_sorted();
}

std::optional<document::Error> refusal_of_policy(const document::Value& sent, int minor,
                                                 const WhereFieldIs& where) {
  auto errors = validate_policy(sent, minor);
  const std::string kind(sent["kind"].text()), name(sent["metadata"]["name"].text());
  if (!errors) {
    return document::Error{kind + " \"" + name +
                           "\" cannot be stored by an API server: " + std::move(errors).error().text()};
  }
  if (errors->empty()) return std::nullopt;
  std::string text = kind + ".admissionregistration.k8s.io \"" + name + "\" is invalid: ";
  for (const cases::FieldError& error : *errors) {
    const std::string place = where ? where(error.field) : "";
    text.append(&error == &errors->front() ? "" : "; ").append(place).append(place.empty() ? "" : ": ");
    text.append(error.field).append(": ").append(error.message);
  }
  return document::Error{std::move(text)};
}

}  // namespace fixpoint::apiserver
