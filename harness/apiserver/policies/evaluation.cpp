#include "harness/apiserver/policies/evaluation.h"

#include <algorithm>

#include "harness/apiserver/matching/request_variables.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::policies {

using cel::Datum;
using document::go_quoted;
using document::Text;

namespace {

constexpr Text kOutOfBudget(
    "validation failed due to running out of cost budget, no further validation rules will be run");

}  // namespace

PolicyActivation::PolicyActivation(const CompiledPolicy& policy, cel::Activation inputs, long budget)
    : policy_(policy), inputs_(std::move(inputs)), budget_(budget) {
  inputs_[cel::Variable::variables] =
      cel::lazy_members([this](std::string_view name, bool& found) { return variable(name, found); });
}

Datum PolicyActivation::variable(std::string_view name, bool& found) {
  // Of two variables of one name the later one counts.
  const auto row = std::find_if(policy_.variables.rbegin(), policy_.variables.rend(),
                                [&](const PolicyExpression& one) { return one.name == name; });
  found = row != policy_.variables.rend();
  if (!found) return {};
  if (!row->program) {
    return Datum::error(
        Text("composited variable {} fails to compile: {}").with({go_quoted(name), row->error}));
  }
  const cel::Evaluation evaluation = row->program->evaluate(inputs_);
  variable_cost_ += evaluation.cost;
  if (!evaluation.value.is_error()) return evaluation.value;
  return Datum::error(
      Text("composited variable {} fails to evaluate: {}").with({go_quoted(name), evaluation.value.text()}));
}

Evaluated PolicyActivation::evaluate(const PolicyExpression& expression) {
  if (!expression.program) return {.error = Text("compilation error: {}").with({expression.error})};
  variable_cost_ = 0;
  cel::Evaluation evaluation = expression.program->evaluate(inputs_);
  budget_ -= static_cast<long>(variable_cost_);
  if (budget_ >= 0) budget_ -= static_cast<long>(evaluation.cost);
  if (budget_ < 0) return {.error = kOutOfBudget.with({}), .is_out_of_budget = true};
  if (evaluation.value.is_error()) {
    return {
        .error =
            Text("expression '{}' resulted in error: {}").with({expression.source, evaluation.value.text()})};
  }
  return {.value = std::move(evaluation.value)};
}

ConditionsAnswer judge_conditions(const Policy& policy, PolicyActivation& activation) {
  std::vector<std::string> errors;
  bool is_false = false;
  for (const PolicyExpression& condition : policy.compiled->conditions) {
    Evaluated evaluated = activation.evaluate(condition);
    if (evaluated.is_out_of_budget) return {.error = std::move(evaluated.error)};
    is_false = is_false || evaluated.value.is_false();
    if (!evaluated.error.empty()) errors.push_back(std::move(evaluated.error));
  }
  if (is_false) return {};
  if (errors.empty()) return {.matches = true};
  return {.error = aggregate(errors)};
}

}  // namespace fixpoint::apiserver::policies
