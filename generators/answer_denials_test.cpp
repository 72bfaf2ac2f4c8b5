#include "generators/answer_denials.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/trigger.h"
#include "harness/runner/learning/wanted_values.h"

namespace fixpoint::generators {
namespace {

using Where = runner::Trigger::Where;

std::string annotation_of(const cases::Case& value, const std::string& key) {
  return std::string(value.request.object["metadata"]["annotations"][document::Name(key)].text());
}
bool is_bool(const std::string& text) { return text.empty() || text == "true" || text == "false"; }

/// Answers as a webhook that requires a switch, a role and a duration, in the way of injectors written in Go.
Reply injector(const cases::Case& value) {
  const std::string inject = annotation_of(value, "vault.example.com/agent-inject");
  if (!is_bool(inject)) return {.denial = "strconv.ParseBool: parsing \"" + inject + "\": invalid syntax"};
  if (inject != "true") return {};
  const std::string backoff = annotation_of(value, "vault.example.com/min-backoff");
  if (!backoff.empty() && backoff.back() != 's')
    return {.denial = "error parsing min backoff as duration: time: invalid duration \"" + backoff + "\""};
  if (annotation_of(value, "vault.example.com/role").empty()) return {.denial = "no Vault role found"};
  return {.has_changed = true};
}

runner::Vocabulary words_of_executable() {
  runner::Vocabulary prepared_vocabulary;
  runner::learn_from_keys(prepared_vocabulary,
                          {"vault.example.com/agent-inject", "vault.example.com/min-backoff",
                           "vault.example.com/role", "vault.example.com/tls"});
  return prepared_vocabulary;
}

cases::Case annotated(const std::vector<std::pair<std::string, std::string>>& annotations) {
  cases::Case value;
  value.request.object = document::Value{{"metadata", document::Value{{"name", "p"}}}};
  for (const auto& [key, text] : annotations)
    value.request.object.edit("metadata").edit("annotations").set(document::Name(key), text);
  return value;
}

TEST(AnswerDenials, LeadsToACaseThatTheWebhookChanges) {
  runner::Vocabulary prepared_vocabulary = words_of_executable();
  int calls = 0;
  const Ask ask = [&](const cases::Case& value) -> std::optional<Reply> {
    if (++calls > 40) return {};
    return injector(value);
  };
  const auto denied = annotated({{"vault.example.com/agent-inject", "64Mi"},
                                 {"vault.example.com/min-backoff", "enabled"},
                                 {"vault.example.com/tls", "64Mi"}});
  const auto found = answer_denials(prepared_vocabulary, denied, injector(denied).denial, ask);
  ASSERT_TRUE(found);
  EXPECT_TRUE(injector(*found).has_changed);
  EXPECT_EQ(annotation_of(*found, "vault.example.com/agent-inject"), "true");
  EXPECT_EQ(annotation_of(*found, "vault.example.com/tls"), "") << "it is not needed";
  for (const runner::Trigger& trigger : runner::triggers_of(prepared_vocabulary)) {
    if (trigger.where != Where::annotation) continue;
    const bool is_needed = trigger.key.ends_with("inject") || trigger.key.ends_with("role");
    EXPECT_EQ(trigger.is_rare, !is_needed) << trigger.key;
    if (trigger.key.ends_with("inject")) {
      EXPECT_EQ(trigger.values, (std::vector<std::string>{"true", "false"}));
    }
    if (trigger.key.ends_with("backoff")) {
      EXPECT_EQ(trigger.values, (std::vector<std::string>{"30s", "5m"}));
    }
  }
}

TEST(AnswerDenials, EndsWhereNoStepHelps) {
  runner::Vocabulary prepared_vocabulary = words_of_executable();
  int calls = 0;
  const Ask ask = [&](const cases::Case&) -> std::optional<Reply> {
    ++calls;
    return Reply{.denial = "no"};
  };
  EXPECT_FALSE(answer_denials(prepared_vocabulary, annotated({{"vault.example.com/tls", "1"}}), "no", ask));
  EXPECT_LT(calls, 20);
  const Ask nobody = [](const cases::Case&) -> std::optional<Reply> { return {}; };
  EXPECT_FALSE(
      answer_denials(prepared_vocabulary, annotated({{"vault.example.com/tls", "1"}}), "no", nobody));
}

TEST(WantedValues, AreOfTheKindThatAMessageAsksFor) {
  const auto first = [](std::string_view message) {
    const auto values = runner::wanted_values(message);
    return values.empty() ? std::string() : std::string(values.front());
  };
  EXPECT_EQ(first(R"(strconv.ParseBool: parsing "64Mi": invalid syntax)"), "true");
  EXPECT_EQ(first(R"(time: unknown unit "Mi" in duration "64Mi")"), "30s");
  EXPECT_EQ(first(R"(strconv.Atoi: parsing "enabled": invalid syntax)"), "1");
  EXPECT_EQ(first("invalid literal for int() with base 10: 'enabled'"), "1");
  EXPECT_EQ(first("could not convert string to float: 'enabled'"), "0.5");
  EXPECT_EQ(first("json: cannot unmarshal number into Go value of type jsonpatch.Patch"), "[]");
  EXPECT_EQ(first("Unexpected token e in JSON at position 0"), "[]");
  EXPECT_EQ(first("quantities must match the regular expression '^([+-]?[0-9.]+)'"), "64Mi");
  EXPECT_EQ(first("no Vault role found"), "");
}

}  // namespace
}  // namespace fixpoint::generators
