#include "harness/runner/learning/member_values.h"

#include <gtest/gtest.h>

#include "harness/runner/learning/learn.h"

namespace fixpoint::runner {
namespace {

using Values = std::vector<std::string>;

Values values_in(const char* program, const char* member) {
  const ProgramText text{"webhook.src", program};
  Vocabulary words;
  learn_member_values(words, ProgramLines({&text, 1}));
  const Values* values = values_of_member(words, member);
  return values == nullptr ? Values{} : *values;
}

TEST(MemberValues, AreThoseOfComparisons) {
  const Values socket{"socket"};
  EXPECT_EQ(values_in(R"(if controller.get("agentMode") == "socket":)", "agentMode"), socket);
  EXPECT_EQ(values_in(R"(if controller["agentMode"] != "socket":)", "agentMode"), socket);
  EXPECT_EQ(values_in(R"(if cr.Spec.AgentMode == "socket" {)", "agentMode"), socket);
  EXPECT_EQ(values_in(R"(if string(cr.Spec.AgentMode) == "socket" {)", "agentMode"), socket);
  EXPECT_EQ(values_in(R"(  if (spec.agentMode === 'socket') {)", "agentMode"), socket);
  EXPECT_EQ(values_in("const ModeSocket = \"socket\"\nif spec.AgentMode == ModeSocket {", "agentMode"),
            socket);
  EXPECT_EQ(values_in("mode = spec.get(\"agentMode\", \"host\")\nif mode == \"socket\":", "agentMode"),
            socket);
  EXPECT_EQ(values_in(R"(if spec.get("agentMode") in ("socket", "host"):)", "agent_mode"),
            (Values{"socket", "host"}));
  EXPECT_EQ(values_in("switch cr.Spec.AgentMode {\ncase \"socket\", \"host\":\n", "agentMode"),
            (Values{"socket", "host"}));
}

TEST(MemberValues, AreThoseOfListsThatAreLookedThrough) {
  const Values both{"mesh-init", "mesh-proxy"};
  EXPECT_EQ(values_in("KNOWN = (\"mesh-init\", \"mesh-proxy\")\nif c[\"name\"] in KNOWN:", "name"), both);
  EXPECT_EQ(values_in("KNOWN = [\"mesh-init\", \"mesh-proxy\"]\nif c.name not in KNOWN:", "name"), both);
  EXPECT_EQ(
      values_in("const KNOWN = new Set(['mesh-init', 'mesh-proxy']);\nif (KNOWN.has(c.name)) {", "name"),
      both);
  EXPECT_EQ(values_in("const KNOWN = ['mesh-init', 'mesh-proxy'];\nreturn KNOWN.includes(c.name)", "name"),
            both);
  EXPECT_EQ(values_in("KNOWN = (\"a\", \"b\")\nif c[\"name\"] in KNOWN_ONES:", "name"), Values{});
  EXPECT_EQ(values_in("KNOWN = {\"a\": 1}\nif c[\"name\"] in KNOWN:", "name"), Values{});
}

TEST(MemberValues, NamesThatAreComparedMayBeThoseOfContainers) {
  const ProgramText text{"webhook.py", "if c[\"name\"] == \"mesh-init\" or e[\"name\"] == \"LOG_LEVEL\":\n"};
  Vocabulary words;
  learn_member_values(words, ProgramLines({&text, 1}));
  EXPECT_EQ(words.names[NameKind::container], (Names::List{"mesh-init"}));
  EXPECT_EQ(words.names[NameKind::init_container], (Names::List{"mesh-init"}));
}

TEST(MemberValues, AMemberIsNamedInAnySpelling) {
  const ProgramText text{"webhook.py",
                         "for worker in spec.get(\"workers\") or []:\n  env = podTemplate(worker)\n"};
  Vocabulary words;
  learn_named_members(words, ProgramLines({&text, 1}));
  for (const char* name : {"workers", "Workers", "pod_template", "env"})
    EXPECT_TRUE(names_member(words, name)) << name;
  for (const char* name : {"template", "or", "volumes"}) EXPECT_FALSE(names_member(words, name)) << name;
}

// All words of a large program are no hint at one of them.
TEST(MemberValues, ALargeProgramNamesNone) {
  std::string program;
  for (int i = 0; i < 500; ++i) program += "word" + std::to_string(i) + "\n";
  const ProgramText text{"webhook.py", program};
  Vocabulary words;
  learn_named_members(words, ProgramLines({&text, 1}));
  EXPECT_FALSE(names_member(words, "word1"));
}

TEST(MemberValues, AreNotThoseOfCalls) {
  EXPECT_EQ(values_in(R"(log.info("agentMode", "socket"))", "agentMode"), Values{});
  EXPECT_EQ(values_in(R"(ops.append({"op": "add", "path": "/spec/agentMode"}))", "op"), Values{});
}

}  // namespace
}  // namespace fixpoint::runner
