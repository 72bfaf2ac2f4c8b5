#include "generators/draw_expression.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/apiserver/cel/cel.h"

namespace fixpoint::generators {
namespace {

TEST(DrawExpression, MostCompileAndManyHaveAValue) {
  apiserver::cel::Activation activation;
  activation[apiserver::cel::Variable::object] = apiserver::cel::Datum::of(expression_variables()["object"]);
  int compiled = 0, valued = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    runner::Choices choices(2026, i);
    const std::string expression = draw_expression(choices, 1 + static_cast<int>(i % 5));
    const auto program = apiserver::cel::compile(expression, {});
    EXPECT_EQ(program.unsupported, "") << expression;
    if (!program.program) continue;
    ++compiled;
    valued += program.program->evaluate(activation).value.is_error() ? 0 : 1;
  }
  EXPECT_GT(compiled, 700);
  EXPECT_GT(valued, 350);
}

TEST(DrawExpression, EqualDecisionsGiveEqualExpressions) {
  runner::Choices one(7, 3), other(7, 3);
  EXPECT_EQ(draw_expression(one), draw_expression(other));
}

}  // namespace
}  // namespace fixpoint::generators
