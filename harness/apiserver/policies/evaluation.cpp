#include "harness/apiserver/policies/evaluation.h"

#include <algorithm>

#include "harness/document/server_text.h"

namespace fixpoint::apiserver::policies {

using cel::Datum;
using document::Text;

namespace {

/// Where the expression failed.
std::string excerpt_of(const PolicyExpression& expression, const cel::Evaluation& evaluation) {
  return cel::excerpt(expression.source, evaluation.error_at);
}

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
  cel::Evaluation evaluation = cel::evaluate_variable(name, row->program.get(), row->error, inputs_);
  variable_cost_ += evaluation.cost;
  costliest_ = std::max(costliest_, evaluation.cost);
  if (evaluation.value.is_error() && failed_in_variable_.empty())
    failed_in_variable_ = excerpt_of(*row, evaluation);
  return std::move(evaluation.value);
}

Evaluated PolicyActivation::evaluate(const PolicyExpression& expression) {
  if (!expression.program) {
    return {.error = Text("compilation error: {}").with({expression.error}), .reason = "compilation error"};
  }
  variable_cost_ = costliest_ = 0;
  failed_in_variable_.clear();
  cel::Evaluation evaluation = expression.program->evaluate(inputs_);
  const std::uint64_t cost = std::max(costliest_, evaluation.cost);
  budget_ -= static_cast<long>(variable_cost_);
  if (budget_ >= 0) budget_ -= static_cast<long>(evaluation.cost);
  if (budget_ < 0) return out_of_budget();
  if (evaluation.value.is_error()) {
    const bool is_of_variable = evaluation.value.text().starts_with("composited variable ");
    constexpr Text kFailed("expression '{}' resulted in error: {}");
    return {.error = kFailed.with({expression.source, evaluation.value.text()}),
            .reason = kFailed.with({"", evaluation.value.text()}),
            .excerpt = is_of_variable && !failed_in_variable_.empty() ? failed_in_variable_
                                                                      : excerpt_of(expression, evaluation),
            .cost = cost};
  }
  return {.value = std::move(evaluation.value), .cost = cost};
}

ConditionsAnswer judge_conditions(const Policy& policy, PolicyActivation& activation) {
  const auto& conditions = policy.compiled->conditions;
  return apiserver::judge_conditions(
      conditions.size(), [&](std::size_t number) { return activation.evaluate(conditions[number]); });
}

}  // namespace fixpoint::apiserver::policies
