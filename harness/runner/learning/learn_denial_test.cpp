#include <gtest/gtest.h>

#include <algorithm>

#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/member_values.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {
namespace {

using Where = Trigger::Where;

std::vector<Trigger> learned(const char* message, Vocabulary words = {}) {
  learn_from_denial(words, message);
  complete(words);
  return triggers_of(words);
}

TEST(LearnDenial, ReadsTheKeysThatAMessageNames) {
  const std::vector<std::string> truths{"true", "false"};
  EXPECT_EQ(learned("missing annotation vault.example.com/role."),
            (std::vector<Trigger>{{Where::annotation, "vault.example.com/role", truths}}));
  EXPECT_EQ(learned(R"(label "team" must be one of "red", "blue")"),
            (std::vector<Trigger>{{Where::label, "team", {"red", "blue"}}}));
  EXPECT_EQ(learned("namespace lacks the label agent.example.com/mode='strict'"),
            (std::vector<Trigger>{{Where::label, "agent.example.com/mode", {"strict"}},
                                  {Where::namespace_label, "agent.example.com/mode", {"strict"}}}));
  EXPECT_EQ(learned("label flags.example.io/stage: 1 is none of dev, staging or prod."),
            (std::vector<Trigger>{{Where::label, "flags.example.io/stage", {"dev", "staging", "prod"}}}));
  EXPECT_EQ(learned("expected annotation flags.example.io/on to be set").at(0).values, truths) << "no list";
  EXPECT_EQ(learned(R"(could not parse the "size.example.io/min" annotation: "many" is not a number)"),
            (std::vector<Trigger>{{Where::annotation, "size.example.io/min", {"many"}}}))
      << "a value is no key";
  EXPECT_TRUE(learned("see https://docs.example.com/guide/start for more").empty());
  EXPECT_TRUE(learned("no role found").empty());
  EXPECT_TRUE(learned("").empty());
}

TEST(LearnDenial, ReadsWhatAMemberTakes) {
  Vocabulary words;
  learn_from_denial(words, R"(spec.mode: Unsupported value: "x": supported values: "daily", "weekly")");
  learn_from_denial(words, R"(spec.window.offset: Invalid value: "a": time: invalid duration "a")");
  const auto has = [&](const char* member, const char* value) {
    const auto* values = values_of_member(words, member);
    return values != nullptr && std::ranges::find(*values, value) != values->end();
  };
  EXPECT_TRUE(has("mode", "weekly"));
  EXPECT_TRUE(has("offset", "24h"));
  EXPECT_EQ(values_of_member(words, "window"), nullptr);
}

TEST(LearnDenial, ReadsOfWhichMembersThereIsOne) {
  Vocabulary words;
  learn_from_denial(words, "exactly one of [sklearn, triton, model] must be specified in predictor");
  learn_from_denial(words, "expected exactly one of spec.taskRef or spec.taskSpec");
  learn_from_denial(words, "only one of your Pods is allowed");
  EXPECT_EQ(words.alternatives,
            (std::vector<std::vector<std::string>>{{"sklearn", "triton", "model"}, {"taskRef", "taskSpec"}}));
}

/// "no Vault role found": the key is known from the program, and what was missing is no longer rare.
TEST(LearnDenial, KnowsARareKeyByItsName) {
  Vocabulary words;
  words.add_rare(Where::annotation, {{"vault.example.com/role", {"true"}}, {"vault.example.com/tls", {"x"}}});
  EXPECT_EQ(learned("error: no Vault role found", words),
            (std::vector<Trigger>{{Where::annotation, "vault.example.com/role", {"true"}, false},
                                  {Where::annotation, "vault.example.com/tls", {"x"}, true}}));
}

TEST(LearnDenial, FormsWithPlaceholders) {
  Vocabulary words;
  learn_from_denial(words, "container main: env TEXT: 'safe:x' must be safe:<path>#<key>");
  const auto fields = words.common(Where::field);
  ASSERT_EQ(fields.size(), 1u);
  EXPECT_EQ(fields[0].second, (std::vector<std::string>{R"([{"name":"TEXT","value":"safe:path#key"}])"}));
  Vocabulary none;
  learn_from_denial(none, "env TEXT: <nil> is no value, and <b> is bold");
  EXPECT_TRUE(none.common(Where::field).empty());
}

TEST(LearnDenial, ValuesOfAKeyThatItSpeaksOfByItsWords) {
  Vocabulary words;
  learn_trigger(words, Where::namespace_label, "a.example.com/node-pool", "true");
  learn_trigger(words, Where::label, "a.example.com/team", "true");
  learn_from_denial(words, "node pool true is not known; known are batch, general, gpu");
  const auto pools = words.common(Where::namespace_label);
  ASSERT_EQ(pools.size(), 1u);
  EXPECT_EQ(pools[0].second, (std::vector<std::string>{"true", "batch", "general", "gpu"}));
  EXPECT_EQ(words.common(Where::label)[0].second, std::vector<std::string>{"true"});
}

}  // namespace
}  // namespace fixpoint::runner
