#include "harness/runner/bare_answer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "harness/runner/sequences.h"
#include "harness/runner/trace.h"

namespace fixpoint::runner {

namespace {

using cases::Case;
using cases::TraceStep;
using properties::Held;
using properties::Judgement;
using properties::Violated;
using properties::Violation;
using Kind = Answer::Kind;

/// Returns the answers for the judgements of a bare Case: the violations, the worst first, or one answer.
class BareAnswers {
 public:
  void take(std::string_view property, const Judgement& judgement, std::vector<TraceStep> calls) {
    ++asked_;
    if (const auto* violated = std::get_if<Violated>(&judgement)) {
      ++decided_;
      for (const Violation& one : violated->violations)
        violations_.push_back(
            {one.severity, {Kind::still_failing, std::string(property) + ": " + one.reason, calls}});
    }
    if (std::holds_alternative<Held>(judgement)) ++decided_;
  }
  std::vector<Answer> take_all() {
    std::stable_sort(violations_.begin(), violations_.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<Answer> answers;
    for (auto& [severity, answer] : violations_) answers.push_back(std::move(answer));
    if (!answers.empty()) return answers;
    if (decided_ == 0)
      return {{Kind::not_reached, "none of " + std::to_string(asked_) + " properties could be decided"}};
    const std::string of = decided_ == asked_ ? "" : " of " + std::to_string(asked_);
    const bool is_one = decided_ == 1 && decided_ == asked_;
    return {{Kind::holds, std::to_string(decided_) + of + (is_one ? " property was" : " properties were") +
                              " decided, and none is violated"}};
  }

 private:
  std::vector<std::pair<properties::Severity, Answer>> violations_ = {};
  std::size_t asked_ = 0, decided_ = 0;
};

}  // namespace

std::vector<Answer> answers_of(const Case& value, std::string_view property, const ReplayWith& with) {
  const auto prepared = prepare(value, with.resolve, with.limits);
  if (!prepared) return {{Kind::not_run, prepared.error().text()}};
  std::vector<const properties::Property*> which;
  for (const auto* one : with.catalog.of_cases())
    if (property.empty() || one->name == property) which.push_back(one);
  BareAnswers answers;
  for (const PropertyJudgement& asked : ask(*prepared, which, {}, with.limits)) {
    const auto* violated = std::get_if<Violated>(&asked.judgement);
    answers.take(asked.property->name, asked.judgement,
                 trace_of(prepared->admission, violated == nullptr ? std::span<const properties::OwnCall>()
                                                                   : violated->violations.front().calls));
  }
  return answers.take_all();
}

std::vector<Answer> answers_of(const cases::Sequence& value, std::string_view property,
                               const ReplayWith& with) {
  const auto prepared = prepare(value, with.resolve_reconciler);
  if (!prepared) return {{Kind::not_run, prepared.error().text()}};
  BareAnswers answers;
  for (const auto* one : with.catalog.of_sequences())
    if (property.empty() || one->name == property)
      answers.take(one->name, ask(*prepared, *one, with.limits),
                   trace_of(prepared->value, prepared->results));
  return answers.take_all();
}

}  // namespace fixpoint::runner
