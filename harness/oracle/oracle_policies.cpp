#include "harness/oracle/oracle_policies.h"

#include <algorithm>

#include "harness/oracle/oracle_admission.h"
#include "harness/oracle/oracle_authorizer.h"
#include "harness/oracle/oracle_cel.h"
#include "harness/oracle/oracle_defaulting.h"
#include "harness/oracle/oracle_match.h"
#include "harness/oracle/oracle_merge.h"
#include "harness/oracle/oracle_mutations.h"
#include "harness/oracle/oracle_patch.h"
#include "harness/oracle/oracle_schema.h"

namespace fixpoint::oracle {

namespace {

constexpr int kVariablesWithinMax = 100;

std::string key_of_param(const Json& param) {
  const Json& metadata = at(param, "metadata");
  const std::string space = text_at(metadata, "namespace"), name = text_at(metadata, "name");
  return space.empty() ? name : space + "/" + name;
}

/// Returns true if matchConstraints or matchResources select the request. Throws PolicyMisconfigured.
bool selects_request(const Json& criteria, const Surroundings& around, const Json& object,
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
Json namespace_object(const Surroundings& around) {
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

/// The variables of a policy, computed where they are read.
class Variables {
 public:
  Variables(const Policy& policy, CelInputs inputs) : policy_(policy), inputs_(std::move(inputs)) {
    inputs_.variable = [this](const std::string& name) { return variable(name); };
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

  CelValue value_of(const PolicyExpression& expression) {
    if (!expression.node) throw CelFailed("does not compile");
    return evaluate_cel(*expression.node, inputs_);
  }

 private:
  CelValue variable(const std::string& name) {
    const auto found = std::find_if(policy_.variables.rbegin(), policy_.variables.rend(),
                                    [&](const PolicyExpression& one) { return one.name == name; });
    if (found == policy_.variables.rend()) throw CelFailed("no such variable");
    if (++within_ > kVariablesWithinMax) throw Unsupported("a variable that reads itself");
    try {
      CelValue value = value_of(*found);
      --within_;
      return value;
    } catch (...) {
      --within_;
      throw;
    }
  }

  const Policy& policy_;
  CelInputs inputs_ = {};
  int within_ = 0;
};

bool is_unchanged(const Json& a, const std::string& its_fractions, const Json& b,
                  const std::string& fractions) {
  if (its_fractions != fractions) return false;
  return is_pod(a) && is_pod(b) ? is_equal("Pod", a, b) : a == b;
}

}  // namespace

struct Policies::Turn {
  const Policy* policy = nullptr;
  std::string binding = {};
  Json param = {};
  std::string key() const { return policy->name + "\n" + binding + "\n" + key_of_param(param); }
  CelInputs inputs(const Surroundings& around, const Json& object, const Json& in_namespace) const {
    const Json& named = around.is_update() ? around.old_object : object;
    const std::string name = text_at(at(named, "metadata"), "name");
    CelInputs inputs{.values = {{"object", cel_of(object)},
                                {"oldObject", cel_of(around.old_object)},
                                {"request", cel_of(review_request(around, name, ""))},
                                {"namespaceObject", cel_of(in_namespace)}}};
    if (at(policy->spec, "paramKind").is_object()) inputs.values["params"] = cel_of(param);
    add_authorizer(inputs, around, name);
    return inputs;
  }
};

struct Policies::State {
  Json& object;
  std::string& fractions;
};

Policies::Policies(const Json& cluster, const Surroundings& around, std::string name_of_request,
                   Forgotten forgotten)
    : policies_(bound_policies(cluster, around)),
      name_of_request_(std::move(name_of_request)),
      forgotten_(forgotten) {
  if (forgotten == Forgotten::order)
    std::sort(policies_.begin(), policies_.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
}

void Policies::mark() {
  due_.insert(invoked_.begin(), invoked_.end());
  invoked_.clear();
}

void Policies::refuse(const Policy& policy, const char* reason) {
  if (!policy.ignores_failure() && forgotten_ != Forgotten::failure_policy) refusals_.emplace_back(reason);
}

bool Policies::takes_part(const Json& criteria, const Surroundings& around, const Json& object) const {
  return forgotten_ == Forgotten::constraints || selects_request(criteria, around, object, name_of_request_);
}

std::vector<Policies::Turn> Policies::turns(const Surroundings& around, const Json& object) {
  std::vector<Turn> all;
  for (const Policy& policy : policies_) {
    const Json& constraints = at(policy.spec, "matchConstraints");
    try {
      if (!constraints.is_object()) throw PolicyMisconfigured("no matchConstraints");
      if (!takes_part(constraints, around, object)) continue;
      if (at(policy.spec, "paramKind").is_object()) params_of(policy, Json(), around);
    } catch (const PolicyMisconfigured&) {
      refuse(policy, "Forbidden");
      continue;
    }
    for (const Json& binding : policy.bindings) {
      try {
        if (!takes_part(in(binding, {"spec", "matchResources"}), around, object)) continue;
        for (Json& param : params_of(policy, binding, around))
          all.push_back({&policy, text_at(at(binding, "metadata"), "name"), std::move(param)});
      } catch (const PolicyMisconfigured&) {
        refuse(policy, "Forbidden");
      }
    }
  }
  return all;
}

bool Policies::holds(const Turn& turn, const Surroundings& around, const State& state) {
  if (forgotten_ == Forgotten::guard) return true;
  // Match conditions have no namespaceObject.
  Variables variables(*turn.policy, turn.inputs(around, state.object, Json()));
  bool is_false = false, has_failed = false;
  for (const PolicyExpression& condition : turn.policy->conditions) {
    try {
      const CelValue value = variables.value_of(condition);
      is_false = is_false || (value.is == CelValue::Is::boolean && !value.truth);
    } catch (const CelFailed&) {
      has_failed = true;
    }
  }
  if (has_failed && !is_false) refuse(*turn.policy, "Invalid");
  return !has_failed && !is_false;
}

void Policies::mutate(const Turn& turn, const PolicyExpression& mutation, const Surroundings& around,
                      State& state) {
  Variables variables(*turn.policy, turn.inputs(around, state.object, namespace_object(around)));
  const CelValue value = variables.value_of(mutation);
  Json changed;
  if (mutation.is_json_patch) {
    if (crashes_the_server(value)) {
      has_crashed_ = true;
      throw Rejected(0, "");
    }
    try {
      changed = apply_patch(state.object, patch_of(value), around.minor, true, true);
    } catch (const PatchRefused& refused) {
      if (refused.kind == PatchRefused::Kind::panic) throw Unsupported("a patch that panics in a policy");
      if (refused.kind == PatchRefused::Kind::test && forgotten_ != Forgotten::failed_test) return;
      throw;
    }
    if (changed.is_object() && !changed.contains("kind")) changed["kind"] = "Pod";
    if (changed.is_object() && !changed.contains("apiVersion")) changed["apiVersion"] = "v1";
  } else {
    Json configuration = configuration_of(value);
    if (!is_pod(state.object)) throw Unsupported("an apply configuration for another kind");
    for (const char* member : {"kind", "apiVersion"}) configuration[member] = at(state.object, member);
    changed = merge_configuration(state.object, configuration, around.minor);
  }
  std::string fractions;
  Json decoded;
  try {
    decoded = decode_object(changed, around.minor, &fractions);
  } catch (const Undecodable&) {
    if (mutation.is_json_patch) throw Rejected(500, "InternalError");
    throw;
  }
  if (mutation.is_json_patch && !is_pod(decoded)) throw Unsupported("a JSON Patch to another kind");
  if (mutation.is_json_patch && has_unknown_members("Pod", changed, around.minor))
    throw Rejected(500, "InternalError");
  const bool has_defaults = is_pod(decoded) && forgotten_ != Forgotten::defaults;
  state.object = has_defaults ? with_defaults(std::move(decoded), around.minor) : std::move(decoded);
  state.fractions = fractions;
}

void Policies::run(const Turn& turn, const Surroundings& around, State& state) {
  const Policy& policy = *turn.policy;
  if (!holds(turn, around, state)) return;
  const std::string key = turn.key();
  if (around.pass == 2 && !due_.contains(key)) return;
  PolicyRun run{around.pass, policy.name, turn.binding, key_of_param(turn.param)};
  const Json before = state.object;
  const std::string had_fractions = state.fractions;
  std::optional<Rejected> rejected;
  for (const PolicyExpression& mutation : policy.mutations) {
    try {
      mutate(turn, mutation, around, state);
      is_dirty_ = true;
      continue;
    } catch (const Rejected& end) {
      rejected = end;
      run.errors += has_crashed_ ? 0 : 1;
      break;
    } catch (const CelFailed&) {
    } catch (const MergeRefused&) {
    } catch (const PatchRefused&) {
    } catch (const Undecodable&) {
    }
    ++run.errors;
    refuse(policy, "Invalid");
  }
  run.changed = !is_unchanged(before, had_fractions, state.object, state.fractions);
  if (run.changed) {
    mark();
    wants_second_pass_ = forgotten_ != Forgotten::second_pass;
  }
  if (!policy.mutations.empty()) runs_.push_back(std::move(run));
  if (policy.is_reinvoked()) invoked_.insert(key);
  if (rejected) throw *rejected;
}

void Policies::admit(const Surroundings& around, Json& object, std::string& fractions) {
  refusals_.clear();
  const std::vector<Turn> all = turns(around, object);
  if (!all.empty()) {
    const bool is_as_left =
        last_output_ && is_unchanged(last_output_->first, last_output_->second, object, fractions);
    if (around.pass == 2 && !is_as_left) mark();
    is_dirty_ = false;
    const Json received = object;
    const std::string had_fractions = fractions;
    State state{object, fractions};
    for (const Turn& turn : all) run(turn, around, state);
    if (is_dirty_) {
      if (forgotten_ != Forgotten::own_run) mark();
      wants_second_pass_ = wants_second_pass_ || forgotten_ != Forgotten::second_pass;
      if (!is_pod(object)) throw Rejected(500, "InternalError");
      object = converted(object);
    } else {
      object = received;
      fractions = had_fractions;
    }
    last_output_ = {object, fractions};
  }
  if (!refusals_.empty()) throw Rejected(403, refusals_.front());
}

}  // namespace fixpoint::oracle
