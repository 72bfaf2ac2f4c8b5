#include "harness/apiserver/cel/cel.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <thread>
#include <vector>

#include "harness/apiserver/cel/numbers.h"
#include "harness/document/cut.h"
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

/// Recorded from cel-go 0.26 with golang.org/x/text 0.33.
TEST(Cel, FormatsNumbersAsTheServerDoes) {
  const std::string tenth = "0.1000000000000000055511151231257827021181583404541015625";
  const std::pair<const char*, std::string> rows[] = {
      {"'%.2e|%.20e|%.14e'.format([1.5, 1.5, -1.5])", "1.500000×10⁰⁰|       1.500000×10⁰⁰|-1.500000×10⁰⁰"},
      {"'%.2000e'.format([1.5]).size()", "2000"},
      {"'%.1000000e'.format([1.5]).size()", "16960"},
      {"'%.300f'.format([0.1])", tenth},
      {"'%.256f|%.258f'.format([1.5, 0.1])", "1.5|" + tenth},
      {"'%.9999f'.format([1.5])", "1.500000000000000"},
      {"'%.40000f'.format([0.123456789])", "0.123456789" + std::string(55, '0')},
      {"'%.65536f|%.65538f'.format([0.123456789, 0.123456789])", "0|0.12"},
      {"'%.99999999f|%.99999999e'.format([1.5, 1.5])", "%!(NOVERB)|%!(NOVERB)"},
      {"'%.9999999999f'.format([1.0])", "%!(NOVERB)"},
      {"'%.32767f'.format([5e-324]).size()", "1076"},
      {"'%.2f|%.0f|%.3f'.format([-0.0, 2.5, -1e-10])", "0.00|2|-0.000"},
      {"'%.8e|%.8f'.format([double('NaN'), double('Infinity')])", "     NaN|∞"},
      {"'%.2f'.format([1234567.891])", "1,234,567.89"},
  };
  for (const auto& [expression, value] : rows) EXPECT_EQ(value_of(expression), value) << expression;
}

/// The limit of ours that ended an evaluation; empty if it ended by itself.
std::string cut_of(const std::string& expression, const Activation& activation = {}) {
  try {
    value_of(expression, activation);
  } catch (const document::Cut& cut) {
    EXPECT_TRUE(cut.is_limit());
    return cut.what();
  }
  return {};
}

/// A list that holds 2^44 numbers in the memory of 44 lists.
Activation with_doubled_object() {
  Activation activation;
  Datum doubled = Datum::of(std::int64_t{1});
  for (int i = 0; i < 44; ++i) doubled = Datum::of(std::vector<Datum>{doubled, doubled});
  activation[Variable::object] = doubled;
  return activation;
}

TEST(Cel, CountsACostBeforeTheCallThatItEnds) {
  constexpr const char* kExceeded = "error: operation cancelled: actual cost limit exceeded";
  const std::string text(30, 'a'), more = ".replace('a', '" + text + "')";
  EXPECT_EQ(value_of("'" + text + "'" + more + more + more + more + more + ".size() > 0"), kExceeded);
  EXPECT_EQ(value_of("sets.equivalent(lists.range(200000), lists.range(200000))"), kExceeded);
  EXPECT_EQ(value_of("lists.range(9223372036854775807).size()"), kExceeded);
}

TEST(Cel, EndsAtLimitsOfItsOwnWithoutAnAnswer) {
  const std::string text(100, 'a'), more = ".replace('a', '" + text + "')";
  const std::string too_long = "not run: limit kValueBytesMax (67108864) of a CEL evaluation";
  EXPECT_EQ(cut_of("'" + text + "'" + more + more + more + ".size() > 0"), too_long);
  const Activation doubled = with_doubled_object();
  EXPECT_EQ(cut_of("object == object", doubled),
            "not run: limit kEvaluationStepsMax (50000000) of a CEL evaluation");
  EXPECT_EQ(cut_of("'%s'.format([object])", doubled), too_long);
  EXPECT_EQ(cut_of("object.size() == 2", doubled), "");
  Activation deep;
  for (int i = 0; i < 1000; ++i)
    deep[Variable::object] = Datum::of(std::vector<Datum>{deep[Variable::object]});
  EXPECT_EQ(cut_of("[object].size() > 0", deep), "not run: limit kNestingMax (1000) of a CEL evaluation");
}

TEST(Cel, HeedsTheEndOfTheRun) {
  const auto program = compile("object == object", {}).program;
  const document::Bounded bounded([] { return true; });
  EXPECT_THROW(program->evaluate(with_doubled_object()), document::Cut);
}

TEST(Cel, SaysWhatTheServerSays) {
  EXPECT_EQ(value_of("object.a + b"),
            "compilation failed: ERROR: <input>:1:12: undeclared reference to 'b' (in container '')\n"
            " | object.a + b\n | ...........^");
  EXPECT_EQ(value_of("{'a': 1}.b"), "error: no such key: b");
  EXPECT_EQ(value_of("'a'.matches(object)"), "error: no such overload");
  EXPECT_EQ(value_of("[['a']].flatten(1 / 0)"),
            "error: internal error: interface conversion: ref.Val is *types.Err, not types.Int");
  EXPECT_EQ(value_of("dyn('x').flatten(1)"), "error: no such overload: string.flatten(int)");
  EXPECT_EQ(value_of("lists.range(1 / 0)"), "error: division by zero");
  EXPECT_EQ(value_of("timestamp('2026-01-02T03:04:05Z').getHours('America')"), "error: is a directory");
  EXPECT_EQ(value_of("timestamp('2026-01-02T03:04:05Z').getHours('9223372036854775807:0')"), "2");
  EXPECT_EQ(value_of("timestamp('2026-01-02T03:04:05Z').getHours('-100000000000:7')"), "16");
  const Compiled compiled = compile("'a'", {}, read_type("bool"));
  EXPECT_EQ(compiled.error, "must evaluate to bool but got string");
}

/// Each ended the program, or read what is no number.
TEST(Cel, WithstandsWhatItsFuzzTargetFound) {
  EXPECT_NE(value_of("quantity('1').sub(-9223372036854775807 - 1).asApproximateFloat()"), "");
  EXPECT_NE(value_of("quantity('1').sub(quantity('-9223372036854775808')).asApproximateFloat()"), "");
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
