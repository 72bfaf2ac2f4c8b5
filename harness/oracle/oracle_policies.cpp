#include "harness/oracle/oracle_policies.h"

#include <algorithm>

#include "harness/oracle/oracle_match.h"

namespace fixpoint::oracle {

namespace {

std::string key_of_param(const Json& param) {
  const Json& metadata = at(param, "metadata");
  const std::string space = text_at(metadata, "namespace"), name = text_at(metadata, "name");
  return space.empty() ? name : space + "/" + name;
}

/// Returns true if matchConstraints or matchResources select the request. Throws PolicyMisconfigured.
bool selects_request(const Json& criteria, const RequestContext& around, const Json& object,
                     const std::string& name) {
  const Selected space = in_namespace(at(criteria, "namespaceSelector"), around),
                 chosen = selects_object(at(criteria, "objectSelector"), around, object);
  if (space == Selected::no || chosen == Selected::no) return false;
  const auto takes_one = [&](const Json& rules) {
    return std::any_of(each(rules).begin(), each(rules).end(), [&](const Json& rule) {
      const auto& names = each(at(rule, "resourceNames"));
      const bool is_named = names.empty() || std::find(names.begin(), names.end(), Json(name)) != names.end();
      return is_named && takes(rule, around);
    });
  };
  const Json& wanted = at(criteria, "resourceRules");
  if (takes_one(at(criteria, "excludeResourceRules"))) return false;
  if (is_given(wanted) && !takes_one(wanted)) return false;
  if (space == Selected::error || chosen == Selected::error) throw PolicyMisconfigured("a selector");
  return true;
}

/// `namespaceObject`: the Namespace of the request without apiVersion and kind.
Json namespace_object(const RequestContext& around) {
  Json object = around.find("Namespace", "", around.namespace_name);
  if (!object.is_object()) object = Json::object();
  object.erase("apiVersion");
  object.erase("kind");
  Json& metadata = object["metadata"];
  metadata["name"] = around.namespace_name;
  metadata["labels"] = namespace_labels(around);
  if (text_at(metadata, "uid").empty()) metadata["uid"] = "00000000-0000-0000-0000-000000000000";
  if (text_at(metadata, "resourceVersion").empty()) metadata["resourceVersion"] = "1";
  if (text_at(metadata, "creationTimestamp").empty()) metadata["creationTimestamp"] = "2023-11-14T22:13:20Z";
  for (const char* part : {"spec", "status"})
    if (!at(object, part).is_object()) object[part] = Json::object();
  if (each(at(object["spec"], "finalizers")).empty()) object["spec"]["finalizers"] = {"kubernetes"};
  if (text_at(object["status"], "phase").empty()) object["status"]["phase"] = "Active";
  return object;
}

}  // namespace

struct Policies::Turn {
  const Policy* policy = nullptr;
  std::string binding = {};
  Json param = {};
  std::string key() const { return policy->name + "\n" + binding + "\n" + key_of_param(param); }
  Expression expression(const RequestContext& around, const Json& object) const {
    const Json& named = around.is_update() ? around.old_object : object;
    Expression one{
        .owner = policy->name,
        .names = {{"object", object},
                  {"oldObject", around.old_object},
                  {"request", review_request(around, text_at(at(named, "metadata"), "name"), "")}}};
    if (at(policy->spec, "paramKind").is_object()) one.names["params"] = param;
    return one;
  }
};

Policies::Policies(const Json& cluster, const RequestContext& around, std::string name_of_request,
                   const Environment& environment)
    : policies_(bound_policies(cluster, around)),
      name_of_request_(std::move(name_of_request)),
      environment_(environment) {
  if (forgets(Forgotten::order))
    std::sort(policies_.begin(), policies_.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
}

void Policies::mark() {
  due_.insert(invoked_.begin(), invoked_.end());
  invoked_.clear();
}

void Policies::refuse(const Policy& policy, const char* reason) {
  if (!policy.ignores_failure() && !forgets(Forgotten::failure_policy)) refusals_.emplace_back(reason);
}

bool Policies::takes_part(const Json& criteria, const RequestContext& around, const Json& object) const {
  return forgets(Forgotten::constraints) || selects_request(criteria, around, object, name_of_request_);
}

std::vector<Policies::Turn> Policies::turns(const RequestContext& around, const Json& object) {
  std::vector<Turn> all;
  for (const Policy& policy : policies_) {
    const Json& constraints = at(policy.spec, "matchConstraints");
    try {
      if (!constraints.is_object()) throw PolicyMisconfigured("no matchConstraints");
      if (!takes_part(constraints, around, object)) continue;
      if (at(policy.spec, "paramKind").is_object()) params_of(policy, Json(), around, environment_.steps);
    } catch (const PolicyMisconfigured&) {
      refuse(policy, "Forbidden");
      continue;
    }
    for (const Json& binding : policy.bindings) {
      try {
        if (!takes_part(in(binding, {"spec", "matchResources"}), around, object)) continue;
        for (Json& param : params_of(policy, binding, around, environment_.steps))
          all.push_back({&policy, text_at(at(binding, "metadata"), "name"), std::move(param)});
      } catch (const PolicyMisconfigured&) {
        refuse(policy, "Forbidden");
      }
    }
  }
  return all;
}

bool Policies::holds(const Turn& turn, const RequestContext& around, const Object& object) {
  if (forgets(Forgotten::guard)) return true;
  // Match conditions have no namespaceObject.
  Expression condition = turn.expression(around, object.document);
  condition.use = Expression::Use::policy_condition;
  bool is_false = false, has_failed = false;
  for (const Json& one : turn.policy->conditions()) {
    condition.text = text_at(one, "expression");
    try {
      is_false = environment_.evaluate(condition) == Json(false) || is_false;
    } catch (const ExpressionFailed&) {
      has_failed = true;
    }
    ++condition.number;
  }
  if (has_failed && !is_false) refuse(*turn.policy, "Invalid");
  return !has_failed && !is_false;
}

void Policies::mutate(const Turn& turn, std::size_t number, const RequestContext& around, Object& object) {
  const Json& mutation = turn.policy->mutations()[number];
  const bool is_json_patch = text_at(mutation, "patchType") == "JSONPatch";
  Expression expression = turn.expression(around, object.document);
  expression.use = is_json_patch ? Expression::Use::json_patch : Expression::Use::apply_configuration;
  expression.number = number;
  expression.text = text_at(at(mutation, is_json_patch ? "jsonPatch" : "applyConfiguration"), "expression");
  expression.names["namespaceObject"] = namespace_object(around);
  Json value;
  try {
    value = environment_.evaluate(expression);
  } catch (const ServerCrashed&) {
    has_crashed_ = true;
    throw Rejected(0, "");
  }
  if (!is_json_patch) {
    for (const char* member : {"kind", "apiVersion"}) value[member] = at(object.document, member);
    return replace(object, environment_.steps.merge(object.document, value), false);
  }
  Json changed;
  try {
    changed = environment_.steps.apply_patch(object.document, value.get<std::string>());
  } catch (const PatchRefused& refused) {
    if (refused.kind == PatchRefused::Kind::panic) throw Unsupported("a patch that panics in a policy");
    if (refused.kind == PatchRefused::Kind::test && !forgets(Forgotten::failed_test)) return;
    throw;
  }
  if (changed.is_object() && !changed.contains("kind")) changed["kind"] = "Pod";
  if (changed.is_object() && !changed.contains("apiVersion")) changed["apiVersion"] = "v1";
  replace(object, std::move(changed), true);
}

/// Takes the object that a mutation made. Only the one of a JSON Patch is decoded strictly, and at once.
void Policies::replace(Object& object, Json changed, bool is_json_patch) const {
  const Steps& steps = environment_.steps;
  Object decoded;
  try {
    decoded = steps.decode(changed);
  } catch (const Undecodable&) {
    if (is_json_patch) throw Rejected(500, "InternalError");
    throw;
  }
  if (is_json_patch && steps.has_unknown_members(changed)) throw Rejected(500, "InternalError");
  object = std::move(decoded);
  if (!forgets(Forgotten::defaults)) object.document = steps.with_defaults(object.document);
}

void Policies::run(const Turn& turn, const RequestContext& around, Object& object) {
  const Policy& policy = *turn.policy;
  if (!holds(turn, around, object)) return;
  const std::string key = turn.key();
  if (around.pass == 2 && !due_.contains(key)) return;
  PolicyRun run{around.pass, policy.name, turn.binding, key_of_param(turn.param)};
  const Object before = object;
  std::optional<Rejected> rejected;
  for (std::size_t number = 0; number < policy.mutations().size(); ++number) {
    try {
      mutate(turn, number, around, object);
      is_dirty_ = true;
      continue;
    } catch (const Rejected& end) {
      rejected = end;
      run.errors += has_crashed_ ? 0 : 1;
      break;
    } catch (const ExpressionFailed&) {
    } catch (const MergeRefused&) {
    } catch (const PatchRefused&) {
    } catch (const Undecodable&) {
    }
    ++run.errors;
    refuse(policy, "Invalid");
  }
  run.changed = !environment_.steps.is_unchanged(before, object);
  if (run.changed) {
    mark();
    wants_second_pass_ = !forgets(Forgotten::second_pass);
  }
  if (!policy.mutations().empty()) runs_.push_back(std::move(run));
  if (policy.is_reinvoked()) invoked_.insert(key);
  if (rejected) throw *rejected;
}

void Policies::admit(const RequestContext& around, Object& object) {
  refusals_.clear();
  const std::vector<Turn> all = turns(around, object.document);
  if (!all.empty()) {
    const bool is_as_left = last_output_ && environment_.steps.is_unchanged(*last_output_, object);
    if (around.pass == 2 && !is_as_left) mark();
    is_dirty_ = false;
    const Object received = object;
    for (const Turn& turn : all) run(turn, around, object);
    if (is_dirty_) {
      if (!forgets(Forgotten::own_run)) mark();
      wants_second_pass_ = wants_second_pass_ || !forgets(Forgotten::second_pass);
      try {
        object.document = environment_.steps.convert(object.document);
      } catch (const Undecodable&) {
        throw Rejected(500, "InternalError");
      }
    } else {
      object = received;
    }
    last_output_ = object;
  }
  if (!refusals_.empty()) throw Rejected(403, refusals_.front());
}

}  // namespace fixpoint::oracle
