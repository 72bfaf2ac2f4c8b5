#include "harness/differential/expressions_model.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "harness/apiserver/matching/expression.h"
#include "harness/apiserver/matching/request_variables.h"
#include "harness/apiserver/policies/evaluation.h"
#include "harness/apiserver/policies/mutation_values.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {

namespace {

using oracle::ExpressionFailed;
using oracle::Json;
using Use = oracle::Expression::Use;

/// Values that no document has stand in those of the simulator as texts that begin with a control character.
constexpr std::string_view kForeign =
                               "\x01"
                               "foreign\x01",
                           kDouble =
                               "\x01"
                               "float64",
                           kNullOfAnExpression = "\x01null of an expression";

Value value_of(const Json& json) {
  return *document::read_json(oracle::write(json), {}, document::Strictness::foreign);
}

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

/// Writes the values that no document has as the reference model does, of which it has NaN and Inf.
void replace_foreign(Json& json) {
  for (Json& element : json)
    if (json.is_structured()) replace_foreign(element);
  if (!json.is_string()) return;
  const std::string text = json.get<std::string>();
  if (text == kNullOfAnExpression) json = nullptr;
  if (!text.starts_with(kForeign)) return;
  if (!text.ends_with(kDouble)) throw ExpressionFailed("a value that no schema takes");
  const std::string plain =
      text.substr(kForeign.size(), text.find('\x01', kForeign.size()) - kForeign.size());
  json = Json::binary({plain.begin(), plain.end()});
}

Json document_of(const document::Result<Value>& found) {
  if (!found) throw ExpressionFailed(found.error().message);
  Json json = oracle::read(document::write_json(*found));
  replace_foreign(json);
  return json;
}

}  // namespace

Expressions::Expressions(const cases::Case& value) : value_(value) {
  if (auto policies = policies::read_policies(value.cluster)) policies_ = *std::move(policies);
  if (auto webhooks = read_configurations(value)) webhooks_ = *std::move(webhooks);
}

Json Expressions::evaluate(const oracle::Expression& expression) const {
  const auto named = [&](const char* name) {
    const auto found = expression.names.find(name);
    return found == expression.names.end() ? Value() : value_of(found->second);
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
    return document_of(policies::configuration_of(evaluated.value));
  if (policies::crashes_server(evaluated.value)) throw oracle::ServerCrashed("a value with an Object in it");
  return document_of(policies::patch_of(evaluated.value));
}

}  // namespace fixpoint::apiserver
