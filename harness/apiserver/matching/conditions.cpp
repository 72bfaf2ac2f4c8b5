#include "harness/apiserver/matching/conditions.h"

#include <utility>

#include "harness/apiserver/matching/request_variables.h"
#include "harness/document/cut.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

Evaluated out_of_budget() {
  constexpr document::Text kOutOfBudget(
      "validation failed due to running out of cost budget, no further validation rules will be run");
  return {.error = kOutOfBudget.with({}), .reason = kOutOfBudget.with({}), .is_out_of_budget = true};
}

ConditionsAnswer judge_conditions(std::size_t count,
                                  const std::function<Evaluated(std::size_t number)>& evaluate) {
  using Is = ConditionVerdict::Is;
  ConditionsAnswer answer;
  std::vector<std::string> errors, reasons;
  bool is_false = false;
  for (std::size_t number = 0; number < count; ++number) {
    document::heed_end();
    Evaluated evaluated = evaluate(number);
    const bool is_no = evaluated.error.empty() && evaluated.value.is_false();
    answer.verdicts.push_back(
        {evaluated.error.empty() ? (is_no ? Is::no : Is::yes) : Is::failed, evaluated.cost});
    if (evaluated.is_out_of_budget) {
      answer.error = std::move(evaluated.error);
      answer.reason = std::move(evaluated.reason);
      return answer;
    }
    is_false = is_false || is_no;
    if (evaluated.error.empty()) continue;
    if (errors.empty()) answer.excerpt = std::move(evaluated.excerpt);
    errors.push_back(std::move(evaluated.error));
    reasons.push_back(std::move(evaluated.reason));
  }
  answer.matches = !is_false && errors.empty();
  if (is_false || errors.empty()) return answer;
  answer.error = aggregate(errors);
  answer.reason = aggregate(reasons);
  return answer;
}

}  // namespace fixpoint::apiserver
