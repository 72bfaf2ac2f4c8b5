#include "harness/apiserver/policies/policy_plugin.h"

#include "harness/apiserver/cel/meter.h"
#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/decoding/decoding_texts.h"
#include "harness/apiserver/decoding/nanoseconds.h"
#include "harness/apiserver/decoding/patch_library.h"
#include "harness/apiserver/decoding/server_status.h"
#include "harness/apiserver/matching/request_match.h"
#include "harness/apiserver/matching/request_variables.h"
#include "harness/apiserver/policies/apply_configuration.h"
#include "harness/apiserver/policies/evaluation.h"
#include "harness/apiserver/policies/mutation_values.h"
#include "harness/apiserver/policies/typed_walk.h"
#include "harness/cases/request_user.h"
#include "harness/document/cut.h"
#include "harness/document/patch.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::policies {

using cases::Status;
using document::go_quoted;
using document::Result;
using document::Text;

namespace {

/// Why a merged object is none of Go. Only types that read themselves fail there, and know no path.
std::string not_converted(std::string why, const cases::Kind& kind) {
  constexpr std::string_view kField = "into Go struct field ", kType = " of type ";
  const auto begin = why.find(kField), end = why.find(kType, begin == std::string::npos ? 0 : begin);
  if (begin != std::string::npos && end != std::string::npos)
    why.replace(begin, end - begin, "into Go value");
  return Text("unable to convert unstructured object to {}/{}, Kind={}: {}")
      .with({kind.group, kind.version, kind.name, why});
}

/// A patched object without a kind or a version is decoded as the kind that it was.
Value with_kind(Value patched, const cases::Kind& kind) {
  if (!patched.is_object()) return patched;
  if (patched.find("apiVersion") == nullptr) patched.set("apiVersion", kind.api_version());
  if (patched.find("kind") == nullptr) patched.set("kind", kind.name);
  return patched;
}

/// Fields that a server set on a Namespace that the Case does not describe, as constants.
constexpr std::string_view kUidOfNamespace = "00000000-0000-0000-0000-000000000000",
                           kTimeOfNamespace = "2023-11-14T22:13:20Z";

std::string key_of_param(const Value& param) {
  const std::string space(param["metadata"]["namespace"].text()), name(param["metadata"]["name"].text());
  return space.empty() ? name : space + "/" + name;
}

}  // namespace

Result<std::optional<cases::Kind>> selected_kind(const Value& criteria, const cases::Kind& kind,
                                                 const cases::Request& request, const cases::Cluster& cluster,
                                                 const Value& object) {
  const Result<bool> in_namespace = selects_namespace(criteria["namespaceSelector"], kind, request, cluster),
                     selected = selects_object(criteria["objectSelector"], request, object);
  if ((in_namespace && !*in_namespace) || (selected && !*selected)) return std::optional<cases::Kind>();
  const bool is_exact = criteria["matchPolicy"].text() == "Exact";
  const auto by_rules = [&](const Value& rules) {
    std::vector<Value> named;
    for (const Value& rule : rules.elements()) {
      const auto names = rule["resourceNames"].elements();
      const bool is_named = names.empty() || std::any_of(names.begin(), names.end(), [&](const Value& name) {
                              return name.text() == cases::name_of(request);
                            });
      if (is_named) named.push_back(rule);
    }
    return selected_version(Value(std::move(named)), kind, request, is_exact);
  };
  if (by_rules(criteria["excludeResourceRules"])) return std::optional<cases::Kind>();
  std::optional<cases::Kind> found = kind;
  if (!criteria["resourceRules"].empty()) found = by_rules(criteria["resourceRules"]);
  if (!found) return found;
  for (const Result<bool>& one : {in_namespace, selected})
    if (!one) return document::Error{Text("Internal error occurred: {}").with({one.error().message})};
  return found;
}

Value namespace_object(const cases::Request& request, const cases::Cluster& cluster) {
  const Value* found = cluster.find("Namespace", "", request.namespace_name);
  Value object = found == nullptr ? Value::empty_object() : *found;
  object.remove("apiVersion");
  object.remove("kind");
  Value& metadata = object.edit("metadata");
  metadata.set("name", request.namespace_name);
  metadata.set("labels", namespace_labels(request, cluster));
  const std::pair<const char*, std::string_view> stored[] = {
      {"uid", kUidOfNamespace}, {"resourceVersion", "1"}, {"creationTimestamp", kTimeOfNamespace}};
  for (const auto& [member, text] : stored)
    if (metadata[member].text().empty()) metadata.set(member, text);
  for (const char* part : {"spec", "status"})
    if (!object[part].is_object()) object.set(part, Value::empty_object());
  if (object["status"]["phase"].text().empty()) object.edit("status").set("phase", "Active");
  if (object["spec"]["finalizers"].empty())
    object.edit("spec").set("finalizers", Value::list({"kubernetes"}));
  return object;
}

struct PolicyPlugin::Invocation {
  const Policy& policy;
  std::string binding;
  Value param;
  cases::Kind kind;  ///< in the version in which it gets the object
  std::string key() const { return policy.name + "\n" + binding + "\n" + key_of_param(param); }
};

/// The end of a mutation: it replaced the object, or it failed, by the failurePolicy or with a status.
struct PolicyPlugin::Attempt {
  std::string error = {};
  std::optional<Status> status = {};
  std::string reason = {}, excerpt = {};
};

PolicyPlugin::PolicyPlugin(std::vector<Policy> policies, const cases::Request& request,
                           const cases::Cluster& cluster, const Strategy& strategy, int minor,
                           const Limits& limits)
    : policies_(std::move(policies)),
      request_(request),
      cluster_(cluster),
      strategy_(strategy),
      kind_(cases::kind_of(request, cluster)),
      minor_(minor),
      limits_(limits) {}

bool PolicyPlugin::is_same(const PolicyObject& a, const PolicyObject& b) const {
  return a.nanoseconds == b.nanoseconds && strategy_.is_same(a.object, b.object);
}

void PolicyPlugin::mark() {
  due_.insert(invoked_.begin(), invoked_.end());
  invoked_.clear();
}

void PolicyPlugin::refuse(std::vector<Status>& refusals, const Policy& policy, const std::string* binding,
                          const std::string& why, bool is_invalid) const {
  if (policy.ignores_failure) return;
  const std::string message =
      binding == nullptr
          ? Text("policy {} denied request: {}").with({go_quoted(policy.name), why})
          : Text("policy '{}' with binding '{}' denied request: {}").with({policy.name, *binding, why});
  refusals.push_back({.code = 403, .reason = is_invalid ? "Invalid" : "Forbidden", .message = message});
}

std::vector<PolicyPlugin::Invocation> PolicyPlugin::matching(const PolicyObject& object,
                                                             std::vector<Status>& refusals) {
  std::vector<Invocation> all;
  const auto misconfigured = [&](const Policy& policy, const std::string* binding, const std::string& why) {
    refuse(refusals, policy, binding,
           Text(binding == nullptr ? "failed to configure policy: {}" : "failed to configure binding: {}")
               .with({why}),
           false);
  };
  for (const Policy& policy : policies_) {
    document::heed_end();
    if (!policy.spec["matchConstraints"].is_object()) {
      misconfigured(policy, nullptr,
                    Text("policy contained no match constraints, a required field").with({}));
      continue;
    }
    const auto matches =
        selected_kind(policy.spec["matchConstraints"], kind_, request_, cluster_, object.object);
    if (!matches) {
      misconfigured(policy, nullptr, matches.error().message);
      continue;
    }
    if (!*matches) continue;
    if (!policy.configuration_error.empty()) {
      misconfigured(policy, nullptr, policy.configuration_error);
      continue;
    }
    for (const Value& binding : policy.bindings) {
      const std::string name(binding["metadata"]["name"].text());
      const auto is_bound =
          selected_kind(binding["spec"]["matchResources"], kind_, request_, cluster_, object.object);
      if (is_bound && !*is_bound) continue;
      auto params = is_bound ? collect_params(policy, binding, cluster_, request_.namespace_name)
                             : Result<std::vector<Value>>(is_bound.error());
      if (!params) {
        misconfigured(policy, &name, params.error().message);
        continue;
      }
      for (Value& param : *params) all.push_back({policy, name, std::move(param), **matches});
    }
  }
  return all;
}

cel::Activation PolicyPlugin::inputs(const Invocation& invocation, const PolicyObject& object,
                                     bool has_namespace) const {
  using cel::Datum;
  using cel::Variable;
  cel::Activation values = request_variables(request_, cluster_, object.object, invocation.kind);
  values[Variable::params] = Datum::of(invocation.param);
  if (has_namespace) values[Variable::namespace_object] = Datum::of(namespace_object(request_, cluster_));
  return values;
}

/// Decodes and defaults what a mutation made of the object.
PolicyPlugin::Attempt PolicyPlugin::replace(PolicyObject& object, const cases::Kind& kind,
                                            const Value& changed, bool is_strict) const {
  auto decoded = strategy_.decode(changed, kind, minor_);
  if (!decoded) {
    if (is_strict) return {.status = internal_error(decoded.error().message)};
    return {.error = not_converted(decoded.error().message, kind)};
  }
  if (is_strict) {
    const auto problems = strategy_.strict_problems(changed, minor_);
    if (!problems.empty()) return {.status = internal_error(strict_error(problems))};
  }
  if (strategy_.has_nanoseconds) object.nanoseconds = nanoseconds_of(changed);
  object.object = strategy_.with_defaults(*std::move(decoded), kind, minor_);
  return {};
}

PolicyPlugin::Attempt PolicyPlugin::mutate(const Invocation& invocation, const Mutation& mutation,
                                           PolicyObject& object, std::uint64_t& cost) {
  if (!mutation.expression.program) return {.error = mutation.expression.error};
  const cel::Metered metered;
  const cases::Kind& kind = invocation.kind;
  object.object = in_version(std::move(object.object), request_, kind);
  PolicyActivation activation(*invocation.policy.compiled, inputs(invocation, object, true), kMutationBudget);
  const Evaluated evaluated = activation.evaluate(mutation.expression);
  cost = evaluated.cost;
  if (!evaluated.error.empty())
    return {.error = evaluated.error, .reason = evaluated.reason, .excerpt = evaluated.excerpt};
  if (!mutation.is_json_patch) {
    auto configuration = configuration_of(evaluated.value);
    if (!configuration) return {.error = configuration.error().message};
    configuration->set("apiVersion", object.object["apiVersion"]);
    configuration->set("kind", object.object["kind"]);
    const Place root =
        kind.is_custom() ? custom_place(custom::schema_of(kind)) : object_place(*strategy_.type);
    auto merged = merge_configuration(object.object, *configuration, root, minor_);
    if (!merged) return {.error = merged.error().message};
    if (kind.is_custom()) return replace(object, kind, *merged, false);
    if (const std::string problem = convert_numbers(root, *merged, minor_); !problem.empty())
      return {.error = not_converted(problem, kind)};
    return replace(object, kind, *merged, false);
  }
  if (crashes_server(evaluated.value)) {
    has_crashed_ = true;
    return {.status = no_answer()};
  }
  const auto patch = patch_of(evaluated.value);
  if (!patch) return {.error = patch.error().message};
  const document::Patched patched =
      document::apply_patch(object.object, *patch, limits_, patch_library(minor_));
  if (patched.ok()) return replace(object, kind, with_kind(patched.document, kind), true);
  if (patched.problem->is_failed_test) return {};
  return {.error = Text("JSON Patch: {}").with({patched.problem->message})};
}

PolicyEvent PolicyPlugin::event_of(const Invocation& invocation, const PolicyObject& object, int pass) {
  return {.pass = pass,
          .policy = invocation.policy.name,
          .binding = invocation.binding,
          .param = key_of_param(invocation.param),
          .before = object.object};
}

bool PolicyPlugin::meets_conditions(const Invocation& invocation, const PolicyObject& object, int pass,
                                    std::vector<Status>& refusals) {
  const Policy& policy = invocation.policy;
  if (policy.compiled->conditions.empty()) return true;
  PolicyActivation activation(*policy.compiled, inputs(invocation, object, false),
                              cel::kMatchConditionsCostMax);
  const ConditionsAnswer answer = judge_conditions(policy, activation);
  for (std::size_t i = 0; i < answer.verdicts.size(); ++i)
    conditions_.push_back(
        {policy.name, invocation.binding, policy.compiled->conditions[i].name, answer.verdicts[i]});
  if (!answer.error.empty()) {
    refuse(refusals, policy, &invocation.binding, answer.error, true);
    PolicyEvent event = event_of(invocation, object, pass);
    event.after = object.object;
    event.is_condition = true;
    event.errors.push_back(answer.error);
    event.reason = answer.reason;
    event.excerpt = answer.excerpt;
    events_.push_back(std::move(event));
  }
  return answer.matches;
}

std::optional<Status> PolicyPlugin::invoke(const Invocation& invocation, PolicyObject& object, int pass,
                                           std::vector<Status>& refusals) {
  document::heed_end();
  const Policy& policy = invocation.policy;
  if (!meets_conditions(invocation, object, pass, refusals)) return {};
  const std::string key = invocation.key();
  if (pass == 2 && !due_.contains(key)) return {};
  PolicyEvent event = event_of(invocation, object, pass);
  const PolicyObject before = object;
  std::optional<Status> status;
  for (const Mutation& mutation : policy.compiled->mutations) {
    std::uint64_t cost = 0;
    Attempt attempt = mutate(invocation, mutation, object, cost);
    event.costs.push_back(cost);
    if (attempt.status) {
      if (!has_crashed_) {
        if (event.errors.empty()) event.reason = attempt.status->message;
        event.errors.push_back(attempt.status->message);
      }
      status = std::move(attempt.status);
      break;
    }
    if (attempt.error.empty()) {
      is_dirty_ = true;
      continue;
    }
    refuse(refusals, policy, &invocation.binding, attempt.error, true);
    if (event.errors.empty()) {
      event.reason = attempt.reason.empty() ? attempt.error : std::move(attempt.reason);
      event.excerpt = std::move(attempt.excerpt);
    }
    event.errors.push_back(std::move(attempt.error));
  }
  event.after = object.object;
  event.changed = !is_same(before, object);
  if (event.changed) {
    mark();
    wants_second_pass_ = true;
  }
  if (!policy.compiled->mutations.empty()) events_.push_back(std::move(event));
  if (policy.if_needed) invoked_.insert(key);
  return status;
}

std::optional<Status> PolicyPlugin::admit(PolicyObject& object, int pass) {
  if (policies_.empty()) return {};
  std::vector<Status> refusals;
  const std::vector<Invocation> invocations = matching(object, refusals);
  if (!invocations.empty()) {
    if (pass == 2 && !(last_output_ && is_same(*last_output_, object))) mark();
    is_dirty_ = false;
    const PolicyObject received = object;
    for (const Invocation& invocation : invocations) {
      auto status = invoke(invocation, object, pass, refusals);
      if (status) return status;
    }
    if (is_dirty_) {
      mark();
      wants_second_pass_ = true;
      auto converted = strategy_.convert(object.object, kind_);
      if (!converted)
        return internal_error(Text("failed to convert object: {}").with({converted.error().message}));
      object.object = *std::move(converted);
    } else {
      object = received;
    }
    last_output_ = object;
  }
  if (refusals.empty()) return {};
  Status first = refusals.front();
  for (const Status& refusal : refusals) first.causes.push_back(refusal.message);
  return first;
}

}  // namespace fixpoint::apiserver::policies
