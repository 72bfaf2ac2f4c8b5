#pragma once

#include <string>
#include <vector>

#include "harness/apiserver/cel/plan.h"

// The steps besides constants and attributes.
namespace fixpoint::apiserver::cel {

/// `&&` and `||`: an error counts only if no other term decides.
struct LogicalStep : Step {
  LogicalStep(int of, bool of_or, std::vector<StepPtr> parts)
      : Step(of), is_or(of_or), terms(std::move(parts)) {}
  Datum run(Frame& frame) const override;
  bool is_or;
  std::vector<StepPtr> terms;
};

/// `==` and `!=`.
struct EqualityStep : Step {
  EqualityStep(int of, bool equals, StepPtr a, StepPtr b)
      : Step(of), is_equal(equals), left(std::move(a)), right(std::move(b)) {}
  Datum run(Frame& frame) const override;
  bool is_equal;
  StepPtr left, right;
};

/// One way to call a function: an overload whose arguments are of these types.
struct Candidate {
  const Overload* overload = nullptr;  ///< nullptr: the function looks at its arguments itself
  Function function = nullptr;
};

struct CallStep : Step {
  explicit CallStep(int of) : Step(of) {}
  Datum run(Frame& frame) const override;
  Datum call(std::span<const Datum> arguments) const;
  std::string name;
  std::vector<Candidate> candidates;
  std::vector<StepPtr> arguments;
  std::vector<int> argument_ids;
  CostRule rule = CostRule::one;
  /// Of two arguments both are evaluated, unless the server calls the function by a list of arguments.
  bool stops_at_error = false;
  bool is_strict = true;   ///< errors of arguments are the result
  bool is_guarded = true;  ///< the types of the arguments are compared with those of the overload
  std::shared_ptr<const Pattern> pattern;
};

/// `x in [constants]`: a look-up without a cost of its own.
struct MembershipStep : Step {
  MembershipStep(int of, StepPtr what, Datum among)
      : Step(of), element(std::move(what)), list(std::move(among)) {}
  Datum run(Frame& frame) const override;
  StepPtr element;
  Datum list;
};

/// `a.or(b)` and `a.orValue(b)`, which evaluate b only if it is needed.
struct OptionalOrStep : Step {
  OptionalOrStep(int of, bool gives_value, StepPtr a, StepPtr b)
      : Step(of), is_value(gives_value), left(std::move(a)), right(std::move(b)) {}
  Datum run(Frame& frame) const override;
  bool is_value;
  StepPtr left, right;
};

/// A list, a map (keys and values in turns) or a message.
struct ConstructStep : Step {
  ConstructStep(int of, Node::Kind which) : Step(of), kind(which) {}
  Datum run(Frame& frame) const override;
  Datum make(Frame& frame) const;
  Node::Kind kind;
  std::string type;
  std::vector<std::string> fields;
  std::vector<StepPtr> parts;
  std::vector<int> part_ids;
  std::vector<bool> is_optional;
};

/// The loop that macros become.
struct FoldStep : Step {
  explicit FoldStep(int of) : Step(of) {}
  Datum run(Frame& frame) const override;
  Datum fold(Frame& frame) const;
  StepPtr range, initial, condition, step, result;
  std::size_t first_slot = 0, second_slot = 0, accumulator_slot = 0;
  bool has_two = false;
};

}  // namespace fixpoint::apiserver::cel
