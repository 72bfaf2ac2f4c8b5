#include "harness/apiserver/cel/cel.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <thread>
#include <vector>

#include "harness/apiserver/cel/numbers.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver::cel {
namespace {

/// The value of an expression in words: the message of an error with its kind in front.
std::string value_of(std::string_view expression, const Activation& activation = {}) {
  const Compiled compiled = compile(expression, {});
  if (!compiled.unsupported.empty()) return "unsupported: " + compiled.unsupported;
  if (!compiled.program) return compiled.error;
  const Evaluation evaluation = compiled.program->evaluate(activation);
  if (evaluation.value.is_error()) return "error: " + std::string(evaluation.value.text());
  if (evaluation.value.is(Kind::boolean)) return evaluation.value.is_true() ? "true" : "false";
  if (is_number(evaluation.value)) {
    return evaluation.value.is(Kind::integer) ? std::to_string(evaluation.value.integer())
                                              : real_text(evaluation.value.real());
  }
  return std::string(evaluation.value.text());
}

TEST(Cel, EvaluatesWhatTheLanguageHas) {
  const std::pair<const char*, const char*> rows[] = {
      {"1 + 2 * 3", "7"},
      {"'a' + \"b\" + '''c''' + r'\\d'", "abc\\d"},
      {"[1, 2, 3].filter(x, x % 2 == 1).map(x, x * 10).sum()", "40"},
      {"{'a': {'b': 1}}.?a.?c.orValue(7)", "7"},
      {"[1, 2].transformMap(i, v, v)[1]", "2"},
      {"duration('1h') == duration('60m')", "true"},
      {"timestamp('2024-02-29T12:00:00Z').getMonth()", "1"},
      {"1 / 0 == 1 || true", "true"},
      {"1 / 0 == 1 && true", "error: division by zero"},
      {"'%s is %.2f'.format(['pi', 3.14159])", "pi is 3.14"},
      {"quantity('1Gi').compareTo(quantity('1024Mi'))", "0"},
      {"cidr('10.0.0.0/8').containsIP('10.1.2.3')", "true"},
      {"semver('1.2.3').minor()", "2"},
      {"url('https://example.com:80/a').getPort()", "80"},
      {"format.dns1123Label().validate('a').hasValue()", "false"},
      {"sets.contains([1, 2], [2])", "true"},
      {"dyn(1) == 1.0 && dyn(1u) == 1", "true"},
  };
  for (const auto& [expression, value] : rows) EXPECT_EQ(value_of(expression), value) << expression;
}

TEST(Cel, SaysWhatTheServerSays) {
  EXPECT_EQ(value_of("object.a + b"),
            "compilation failed: ERROR: <input>:1:12: undeclared reference to 'b' (in container '')\n"
            " | object.a + b\n | ...........^");
  EXPECT_EQ(value_of("{'a': 1}.b"), "error: no such key: b");
  EXPECT_EQ(value_of("'a'.matches(object)"), "error: no such overload");
  const Compiled compiled = compile("'a'", {}, read_type("bool"));
  EXPECT_EQ(compiled.error, "must evaluate to bool but got string");
}

TEST(Cel, NeverBlamesTheUserForWhatItDoesNotKnow) {
  const Compiled compiled = compile("google.protobuf.Int64Value{value: 1} == 1", {});
  EXPECT_EQ(compiled.program, nullptr);
  EXPECT_EQ(compiled.error, "");
  EXPECT_EQ(compiled.unsupported, "google.protobuf.Int64Value is not supported yet");
}

TEST(Cel, KnowsTheLibrariesOfEachMinor) {
  Environment old;
  old.minor = 29;
  EXPECT_EQ(compile("ip('::1')", old).program, nullptr);
  EXPECT_NE(compile("sets.contains([1], [1])", old).program, nullptr);
  old.is_stored = true;
  EXPECT_NE(compile("ip('::1')", old).program, nullptr);
}

TEST(Cel, StopsAtTheLimitOfItsCost) {
  const Compiled compiled = compile("[1, 2, 3].all(x, [1, 2, 3].all(y, x + y > 0))", {});
  ASSERT_NE(compiled.program, nullptr);
  const Evaluation whole = compiled.program->evaluate({});
  EXPECT_TRUE(whole.value.is_true());
  const Evaluation stopped = compiled.program->evaluate({}, whole.cost - 1);
  EXPECT_EQ(stopped.value.text(), "operation cancelled: actual cost limit exceeded");
  EXPECT_GE(stopped.cost, whole.cost - 1);
  EXPECT_TRUE(compiled.program->evaluate({}, whole.cost).value.is_true());
}

TEST(Cel, ComputesALazyVariableOnceAndOnlyIfItIsRead) {
  Environment environment;
  environment.has_variables = true;
  environment.variables["a"] = read_type("int");
  int computed = 0;
  const auto activation = [&] {
    Activation made;
    made[Variable::variables] = lazy_members([&](std::string_view name, bool& found) {
      found = name == "a";
      ++computed;
      return Datum::of(std::int64_t{21});
    });
    return made;
  };
  const auto value = compile("variables.a + variables.a", environment).program->evaluate(activation()).value;
  EXPECT_EQ(value.integer(), 42);
  EXPECT_EQ(computed, 1);
  compile("true || variables.a == 1", environment).program->evaluate(activation());
  EXPECT_EQ(computed, 1);
}

TEST(Cel, SeveralThreadsEvaluateOneProgram) {
  const Compiled compiled = compile("object.list.map(x, x + 1).sum() == 9 && [1, 2, 3] == object.list", {});
  Activation activation;
  activation[Variable::object] = Datum::of(document::read_json(R"({"list":[1,2,3]})").value());
  std::vector<std::thread> threads;
  std::array<bool, 4> found{};
  for (bool& one : found) {
    threads.emplace_back([&one, &compiled, &activation] {
      one = true;
      for (int i = 0; i < 200; ++i) one = one && compiled.program->evaluate(activation).value.is_true();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const bool one : found) EXPECT_TRUE(one);
}

Activation with_list(const std::vector<int>& numbers) {
  std::vector<document::Value> values(numbers.begin(), numbers.end());
  Activation activation;
  activation[Variable::object] = Datum::of(document::Value(std::move(values)));
  return activation;
}

RC_GTEST_PROP(CelLaws, SortedListsAreSortedAndHaveTheSameSum, (const std::vector<int>& numbers)) {
  const Activation activation = with_list(numbers);
  RC_ASSERT(value_of("object.sort().isSorted()", activation) == "true");
  RC_ASSERT(value_of("object.sort().sum() == object.sum()", activation) ==
            (numbers.empty() ? "true" : value_of("true")));
  RC_ASSERT(value_of("object.reverse().reverse() == object", activation) == "true");
}

RC_GTEST_PROP(CelLaws, AFoldIsTheNegationOfItsNegation, (const std::vector<int>& numbers)) {
  const Activation activation = with_list(numbers);
  RC_ASSERT(value_of("object.all(x, x > 3) == !object.exists(x, !(x > 3))", activation) == "true");
  RC_ASSERT(value_of("object.filter(x, x > 3).size() + object.filter(x, x <= 3).size() == object.size()",
                     activation) == "true");
}

RC_GTEST_PROP(CelLaws, EqualNumbersAreOneKeyWhateverTheirTypes, (int number)) {
  const std::string text = std::to_string(number);
  RC_ASSERT(value_of("{" + text + ": 'a'}[dyn(" + text + ".0)] == 'a'") == "true");
  RC_ASSERT(value_of("dyn(" + text + ") == " + text + ".0") == "true");
}

/// The place of an error is that of the innermost step that failed.
TEST(Cel, TellsWhereAnExpressionFails) {
  const struct {
    const char *expression, *excerpt;
  } rows[] = {
      {"object.spec.disk['a'] == 'b'", "object.spec.disk['a'] == 'b'\n            ^"},
      {"true && 1 / object.zero == 1", "true && 1 / object.zero == 1\n          ^"},
      {"[1, 2].map(x, [x][x]) == []", "[1, 2].map(x, [x][x]) == []\n                 ^"},
      {"object.none == 1 || object.?a.hasValue()", ""},
      {"1 == 1 &&\n  'ä' + object.name == ''", "  'ä' + object.name == ''\n               ^"},
  };
  for (const auto& row : rows) {
    const Compiled compiled = compile(row.expression, {});
    ASSERT_NE(compiled.program, nullptr) << compiled.error;
    Activation values;
    values[Variable::object] = Datum::of(document::read_json(R"({"spec":{},"zero":0,"a":1})", {}).value());
    const Evaluation evaluation = compiled.program->evaluate(values);
    EXPECT_EQ(excerpt(row.expression, evaluation.error_at), row.excerpt) << row.expression;
  }
  const std::string longer(200, 'x');
  EXPECT_EQ(excerpt(longer, 100), "…" + std::string(91, 'x') + "…\n" + std::string(61, ' ') + "^");
}

}  // namespace
}  // namespace fixpoint::apiserver::cel
