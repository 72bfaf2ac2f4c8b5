#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/judges/judged_pod.h"
#include "harness/apiserver/matching/request_variables.h"
#include "harness/apiserver/policies/evaluation.h"
#include "harness/apiserver/policies/policy_plugin.h"
#include "harness/cases/kind.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::validating {

namespace {

using cel::Datum;
using cel::Variable;
using document::Text;
using document::Value;
using policies::Policy;
using policies::PolicyActivation;

/// A validation that does not hold, or an expression that fails.
struct Complaint {
  std::string message = {};
  std::string_view reason = {};
};

/// The code of a validation's reason (validating/dispatcher.go reasonToCode).
int code_of(std::string_view reason) {
  if (reason == "Unauthorized") return 401;
  if (reason == "Forbidden") return 403;
  return reason == "RequestEntityTooLarge" ? 413 : 422;
}

/// Judges by one policy, bound once, with one param (validating/validator.go Validate).
class PolicyJudge {
 public:
  /// The policy gets the object in the version of the kind.
  PolicyJudge(const JudgedPod& judged, const Policy& policy, const Value& param, const cases::Kind& kind)
      : judged_(judged), policy_(policy), param_(param), kind_(kind) {}

  std::vector<Complaint> complaints() {
    std::vector<Complaint> all;
    PolicyActivation conditions(*policy_.compiled, inputs(), cel::kMatchConditionsCostMax);
    const ConditionsAnswer answer = judge_conditions(policy_, conditions);
    if (!answer.error.empty() && !policy_.ignores_failure) all.push_back({answer.error});
    if (!answer.matches) return all;
    cel::Activation values = inputs();
    values[Variable::namespace_object] =
        Datum::of(policies::namespace_object(judged_.request, judged_.cluster));
    PolicyActivation activation(*policy_.compiled, std::move(values), policies::kMutationBudget);
    for (std::size_t i = 0; i < policy_.compiled->validations.size(); ++i) {
      const policies::Validation& one = policy_.compiled->validations[i];
      const Value& said = policy_.spec["validations"].at(i);
      const Evaluated evaluated = activation.evaluate(one.expression);
      if (!evaluated.error.empty()) {
        if (!policy_.ignores_failure) all.push_back({evaluated.error});
      } else if (!evaluated.value.is_true()) {
        all.push_back({message_of(one, said, activation), said["reason"].text()});
      }
    }
    return all;
  }

 private:
  cel::Activation inputs() const {
    cel::Activation values = request_variables(judged_.request, judged_.cluster, judged_.pod, kind_);
    values[Variable::params] = Datum::of(param_);
    return values;
  }
  /// The text of messageExpression unless it fails or is none, else the message, else the expression.
  static std::string message_of(const policies::Validation& one, const Value& said,
                                PolicyActivation& activation) {
    if (!one.message.source.empty()) {
      const Evaluated evaluated = activation.evaluate(one.message);
      const std::string text(evaluated.error.empty() ? evaluated.value.text() : "");
      if (text.find_first_not_of(" \t") != std::string::npos && text.find('\n') == std::string::npos)
        return text;
    }
    if (!said["message"].text().empty()) return std::string(said["message"].text());
    return Text("failed expression: {}").with({one.expression.source});
  }

  const JudgedPod& judged_;
  const Policy& policy_;
  const Value& param_;
  const cases::Kind kind_;
};

bool has_action(const Value& binding, std::string_view action) {
  const auto actions = binding["spec"]["validationActions"].elements();
  return std::ranges::any_of(actions, [&](const Value& one) { return one.text() == action; });
}

/// The kind in the version in which a policy that is bound to the request gets the object; nothing if it
/// does not select the request. Selectors that no server can parse exclude nothing.
std::optional<cases::Kind> bound_kind(const JudgedPod& judged, const Policy& policy, const Value& binding) {
  const cases::Kind own = cases::kind_of(judged.request, judged.cluster);
  std::optional<cases::Kind> kind = own;
  for (const Value& criteria : {binding["spec"]["matchResources"], policy.spec["matchConstraints"]}) {
    const auto selected =
        policies::selected_kind(criteria, own, judged.request, judged.cluster, judged.pod);
    if (!selected) continue;
    kind = *selected;
    if (!kind) return kind;
  }
  return kind;
}

/// The params of each way in which a policy is bound to the request. What cannot be configured is a complaint
/// by itself.
std::vector<Value> params_of(const JudgedPod& judged, const Policy& policy, const Value& binding,
                             std::vector<Complaint>& complaints) {
  std::string problem = policy.configuration_error;
  if (problem.empty()) {
    auto params = policies::collect_params(policy, binding, judged.cluster, judged.request.namespace_name);
    if (params) return *std::move(params);
    problem = params.error().message;
  }
  if (!policy.ignores_failure)
    complaints.push_back({Text("failed to configure binding: {}").with({problem}), "Forbidden"});
  return {};
}

}  // namespace

Judgement judge_by_policies(const JudgedPod& judged, Said& said) {
  std::optional<Refused> refused;
  for (const Policy& policy : policies::read_validating_policies(judged.cluster)) {
    for (const Value& binding : policy.bindings) {
      const auto kind = bound_kind(judged, policy, binding);
      if (!kind) continue;
      std::vector<Complaint> complaints;
      for (const Value& param : params_of(judged, policy, binding, complaints))
        for (Complaint& one : PolicyJudge(judged, policy, param, *kind).complaints())
          complaints.push_back(std::move(one));
      const std::string name(binding["metadata"]["name"].text());
      for (const Complaint& one : complaints) {
        if (has_action(binding, "Warn"))
          said.warnings.push_back(
              Text("Validation failed for ValidatingAdmissionPolicy '{}' with binding '{}': {}")
                  .with({policy.name, name, one.message}));
        if (!has_action(binding, "Deny") || refused) continue;
        refused = Refused{.code = code_of(one.reason)};
        refused->messages.push_back(
            Text("ValidatingAdmissionPolicy '{}' with binding '{}' denied request: {}")
                .with({policy.name, name, one.message}));
      }
    }
  }
  return refused;
}

}  // namespace fixpoint::apiserver::validating
