#include "harness/differential/expressions_model.h"

#include <algorithm>
#include <string>

#include "harness/apiserver/matching/expression.h"
#include "harness/apiserver/matching/request_variables.h"
#include "harness/apiserver/policies/evaluation.h"
#include "harness/apiserver/policies/mutation_values.h"
#include "harness/differential/server_steps_model.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {

namespace {

using oracle::ExpressionFailed;
using oracle::Json;
using Use = oracle::Expression::Use;

template <typename Rows>
const auto& row_of(const Rows& rows, const std::string& owner) {
  const auto name_of = [](const auto& row) {
    if constexpr (requires { row.key; })
      return row.key;
    else
      return row.name;
  };
  return *std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return name_of(row) == owner; });
}

bool truth_of(const Evaluated& evaluated) {
  if (!evaluated.error.empty()) throw ExpressionFailed(evaluated.error);
  return !evaluated.value.is_false();
}

/// The value of a mutation, or its error. Values that no document has are texts there, which the step that
/// follows knows.
Value value_or_throw(document::Result<Value> found) {
  if (!found) throw ExpressionFailed(found.error().message);
  return *std::move(found);
}

}  // namespace

Expressions::Expressions(const cases::Case& value) : value_(value) {
  if (auto policies = policies::read_policies(value.cluster)) policies_ = *std::move(policies);
  if (auto webhooks = read_configurations(value)) webhooks_ = *std::move(webhooks);
}

Json Expressions::evaluate(const oracle::Expression& expression) const {
  const auto named = [&](const char* name) {
    const auto found = expression.names.find(name);
    return found == expression.names.end() ? Value() : read_anew(found->second);
  };
  cases::Request request = value_.request;
  request.old_object = named("oldObject");
  cel::Activation inputs =
      request_variables(request, value_.cluster, named("object"), cases::kind_of(request, value_.cluster));
  inputs[cel::Variable::request] = cel::Datum::of(named("request"));
  inputs[cel::Variable::params] = cel::Datum::of(named("params"));
  inputs[cel::Variable::namespace_object] = cel::Datum::of(named("namespaceObject"));
  long budget = static_cast<long>(cel::kMatchConditionsCostMax);
  if (expression.use == Use::webhook_condition) {
    const auto& conditions = row_of(webhooks_, expression.owner).conditions;
    return truth_of(apiserver::evaluate(*conditions.at(expression.number).expression, inputs, budget));
  }
  const policies::CompiledPolicy& policy = *row_of(policies_, expression.owner).compiled;
  if (expression.use != Use::policy_condition) budget = policies::kMutationBudget;
  policies::PolicyActivation activation(policy, std::move(inputs), budget);
  if (expression.use == Use::policy_condition)
    return truth_of(activation.evaluate(policy.conditions.at(expression.number)));
  const policies::Mutation& mutation = policy.mutations.at(expression.number);
  if (!mutation.expression.program) throw ExpressionFailed(mutation.expression.error);
  const Evaluated evaluated = activation.evaluate(mutation.expression);
  if (!evaluated.error.empty()) throw ExpressionFailed(evaluated.error);
  if (expression.use == Use::apply_configuration)
    return oracle_json(value_or_throw(policies::configuration_of(evaluated.value)));
  if (policies::crashes_server(evaluated.value)) throw oracle::ServerCrashed("a value with an Object in it");
  return document::write_go_json(value_or_throw(policies::patch_of(evaluated.value)));
}

}  // namespace fixpoint::apiserver
