#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "harness/apiserver/cel/cel_value.h"
#include "harness/apiserver/cel/environment.h"

// Kubernetes' CEL: an expression is compiled once and evaluated often, by several threads if need be.
// docs/cel.md says what is supported and where it differs from the server.
namespace fixpoint::apiserver::cel {

/// The variables that the server binds.
enum class Variable {
  object,
  old_object,
  namespace_object,
  request,
  params,
  authorizer,
  request_resource,
  variables,
  self,
  old_self
};
inline constexpr std::size_t kVariableCount = 10;

/// The values of the variables; those that are not set are null.
struct Activation {
  std::array<Datum, kVariableCount> values = {};
  Datum& operator[](Variable variable) { return values[static_cast<std::size_t>(variable)]; }
  const Datum& operator[](Variable variable) const { return values[static_cast<std::size_t>(variable)]; }
};

/// A value for Variable::variables whose members are computed when they are first read.
Datum lazy_members(std::function<Datum(std::string_view name, bool& found)> compute);

/// The cost units that one evaluation may take (apiserver/pkg/apis/cel/config.go PerCallLimit), and that all
/// match conditions of one webhook may take together (RuntimeCELCostBudgetMatchConditions).
inline constexpr std::uint64_t kCallCostMax = 1'000'000;
inline constexpr std::uint64_t kMatchConditionsCostMax = 2'500'000;

struct Evaluation {
  Datum value;             ///< or an error
  std::uint64_t cost = 0;  ///< in the server's units
  int error_at = -1;       ///< the number of code points before what failed; -1 if it is not known
};

/// The line of an expression around a place, cut if it is long, and below it a caret under the place. Empty
/// for a place that is not known.
std::string excerpt(std::string_view source, int at);

/// A compiled expression.
class Program {
 public:
  struct Plan;
  explicit Program(std::unique_ptr<const Plan> plan);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  Evaluation evaluate(const Activation& activation, std::uint64_t cost_max = kCallCostMax) const;
  const TypePtr& type() const;
  /// Returns true if the expression names `oldSelf`.
  bool reads_old_self() const;

 private:
  std::unique_ptr<const Plan> plan_;
};

/// Evaluates a variable that other expressions read as variables.NAME: its program, or what the server said
/// of it when it compiled it. An error names the variable
/// (apiserver/pkg/admission/plugin/cel/composition.go).
Evaluation evaluate_variable(std::string_view name, const Program* program, std::string_view compile_error,
                             const Activation& activation);

/// A program, or what the server says of the expression. Without either, fixpoint cannot tell: `unsupported`
/// says what is not supported yet.
struct Compiled {
  std::shared_ptr<const Program> program = {};
  std::string error = {};
  std::string unsupported = {};
};

/// Compiles an expression; `returns` is the type that it must have, null for any
/// (apiserver/pkg/admission/plugin/cel/compile.go CompileCELExpression).
Compiled compile(std::string_view source, const Environment& environment, const TypePtr& returns = {});

}  // namespace fixpoint::apiserver::cel
