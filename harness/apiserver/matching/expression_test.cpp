#include "harness/apiserver/matching/expression.h"

#include <gtest/gtest.h>

namespace fixpoint::apiserver {
namespace {

using document::Value;

enum class Truth { no, yes, error, exhausted };

Truth truth(std::string_view text) {
  const auto expression = compile_expression(text, cel::kNewestMinor);
  if (!expression) return Truth::exhausted;  // marks an unsupported expression
  cel::Activation variables;
  variables[cel::Variable::object] =
      cel::Datum::of(Value{{"metadata", {{"name", "web"}, {"labels", {{"app", "web"}}}}}});
  variables[cel::Variable::request] =
      cel::Datum::of(Value{{"operation", "CREATE"}, {"userInfo", {{"groups", Value::list({"a"})}}}});
  long budget = cel::kMatchConditionsCostMax;
  const Evaluated evaluated = evaluate(**expression, variables, budget);
  if (evaluated.is_out_of_budget) return Truth::exhausted;
  if (!evaluated.error.empty()) return Truth::error;
  return evaluated.value.is_true() ? Truth::yes : Truth::no;
}

TEST(Expression, IsAnErrorWhereTypesDoNotFitWhateverElseHolds) {
  for (const char* text : {"'a' == 1 || true",
                           "1 < 'a' || true",
                           "request.operation == null || true",
                           "request.nosuch == 'a' || true",
                           "has(request.kind.nosuch) || true",
                           "request.kind == request || true",
                           "['a', object.metadata.name] == [] || true",
                           "[1, 'a'].exists(x, true) || true",
                           "[[], [1], ['a']] == [] || true",
                           "[1].all(x, x == 'a') || true",
                           "[1].exists(x, has(x.a)) || true",
                           "'a'.exists(x, true) || true",
                           "1 in ['a'] || true",
                           "1 in request.userInfo.extra || true",
                           "size(1) == 1 || true",
                           "request.userInfo.groups['a'] == 'a' || true",
                           "'a'.startsWith(1) || true",
                           "!'a' || true",
                           "1 && true || true",
                           "object.metadata.name",
                           "1",
                           "request.userInfo"}) {
    EXPECT_EQ(truth(text), Truth::error) << text;
  }
}

TEST(Expression, IsAConditionWhereTypesMayFit) {
  for (const char* text :
       {"object == 1 || true", "request.options == null || true", "request.userInfo != null",
        "request.userInfo.groups == ['a']", "[] == request.userInfo.groups || true", "[[1], [2]] != [[]]",
        "[[], [1]] != [[1], []]", "request.userInfo.groups[0] == 'a'", "request.operation in ['CREATE']",
        "false < true", "[].all(x, x.a)", "object.metadata.labels.all(key, key == 'app')", "'a' < 'b'"}) {
    EXPECT_EQ(truth(text), Truth::yes) << text;
  }
}

TEST(Expression, NothingIsInAListWithoutElements) {
  EXPECT_EQ(truth("object.nosuch in []"), Truth::no);
  EXPECT_EQ(truth("object.nosuch in ['a']"), Truth::error);
}

TEST(Expression, AScalarHasNoMembersAndAListIsAnError) {
  EXPECT_EQ(truth("has(object.metadata.name.first)"), Truth::no);
  EXPECT_EQ(truth("object.metadata.labels.exists(key, has(key.first))"), Truth::no);
  EXPECT_EQ(truth("[object].exists(x, has(x.metadata.name))"), Truth::yes);
  EXPECT_EQ(truth("has(object.nosuch.deeper)"), Truth::error);
}

}  // namespace
}  // namespace fixpoint::apiserver
