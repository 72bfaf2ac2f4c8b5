#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/apiserver/cel/cel.h"
#include "harness/apiserver/matching/condition_verdict.h"

namespace fixpoint::apiserver {

/// The evaluation of an expression: a value, or why there is none in the server's words.
struct Evaluated {
  cel::Datum value = {};
  std::string error = {};
  std::string reason = {};        ///< the error without the expression
  std::string excerpt = {};       ///< where it failed (cel::excerpt)
  std::uint64_t cost = 0;         ///< of the costliest of its evaluations, those of variables among them
  bool is_out_of_budget = false;  ///< nothing more is evaluated
};

/// The answer of an evaluation for which no budget is left.
Evaluated out_of_budget();

/// The joint answer of the match conditions of a webhook or a policy.
struct ConditionsAnswer {
  bool matches = false;  ///< all are true
  /// Why they cannot tell: one fails and none is false. failurePolicy Ignore then passes the webhook or the
  /// policy over.
  std::string error = {}, reason = {}, excerpt = {};
  std::vector<ConditionVerdict> verdicts = {};  ///< of the conditions that were evaluated, in order
};

/// Evaluates conditions by their numbers from 0 until the budget is used up
/// (apiserver/pkg/admission/plugin/webhook/matchconditions/matcher.go Match).
ConditionsAnswer judge_conditions(std::size_t count,
                                  const std::function<Evaluated(std::size_t number)>& evaluate);

}  // namespace fixpoint::apiserver
