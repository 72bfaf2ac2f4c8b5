#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>

#include "harness/cli/program_test.h"
#include "harness/properties/message_shape.h"

namespace fixpoint::properties {
namespace {

TEST(MessageShape, IsThatOfTheMessageWithoutItsQuotes) {
  EXPECT_EQ(without_quoted("no key \"a\" in 'b'"), "no key \" in '");
  EXPECT_EQ(without_quoted("can't read \"a\\\"b\" at it's end"), "can't read \" at it's end");
  EXPECT_EQ(without_quoted("'it's' is none"), "' is none");
  EXPECT_EQ(without_quoted("an open \"quote"), "an open \"quote");
  EXPECT_EQ(without_quoted("expression 'a.b' failed", "…'"), "expression '…' failed");
}

/// The shape does not depend on what stands in quotes, not even on other quotes.
TEST(MessageShape, IsOneForAllValues) {
  std::mt19937 random(7);
  const std::string characters = "ab'`c. d";
  for (int round = 0; round < 2000; ++round) {
    std::string value = "v";
    for (int i = 0; i < 12; ++i) {
      const char c = characters[random() % characters.size()];
      // A quote before a blank ends what it quotes.
      value += c == ' ' && (value.back() == '\'' || value.back() == '`') ? 'x' : c;
    }
    value += 'v';
    EXPECT_EQ(without_quoted("key \"" + value + "\" is not there"), "key \" is not there") << value;
  }
}

/// A policy with this match condition and this mutation.
std::string policy_text(const std::string& condition, const std::string& mutation) {
  return "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: {name: "
         "p}\nspec:\n  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: "
         "[CREATE], resources: [pods]}]}\n  failurePolicy: Fail\n  reinvocationPolicy: Never\n" +
         (condition.empty()
              ? ""
              : "  matchConditions:\n    - name: c\n      expression: >-\n        " + condition + "\n") +
         "  mutations:\n    - patchType: JSONPatch\n      jsonPatch:\n        expression: >-\n          " +
         mutation + "\n";
}

constexpr const char* kLabel = "[JSONPatch{op: 'add', path: '/spec/schedulerName', value: 'mine'}]";

class ExpressionsOfUser : public cli::ProgramTest {
 protected:
  Outcome fuzz(const std::string& policy, const std::string& more = "") const {
    write("policy.yaml", policy);
    return run("fuzz policy.yaml --seed 3 --cases 300 --all " + more, path("corpus"));
  }
  /// The fingerprints of the findings, which name their files.
  std::vector<std::string> fingerprints() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "run/findings"))
      all.push_back(entry.path().stem().string());
    std::sort(all.begin(), all.end());
    return all;
  }
};

/// The expression and its quotes are no part of a finding's identity.
TEST_F(ExpressionsOfUser, FailAsOneFindingHoweverTheyAreQuoted) {
  EXPECT_EQ(fuzz(policy_text("",
                             "[JSONPatch{op: 'add', path: '/spec/schedulerName', value: "
                             "object.spec.nodeSelector['disk']}]"))
                .code,
            1);
  const auto plain = fingerprints();
  EXPECT_EQ(fuzz(policy_text("",
                             "[JSONPatch{op: \"add\", path: '/spec/' + \"it's\".replace(\"it's\", "
                             "'schedulerName'), value: object.spec.nodeSelector['it\\'s']}]"))
                .code,
            1);
  // The key that the second policy reads is another one; that there is no nodeSelector is one finding.
  const auto quoted = fingerprints();
  std::vector<std::string> shared;
  std::set_intersection(plain.begin(), plain.end(), quoted.begin(), quoted.end(), std::back_inserter(shared));
  EXPECT_EQ(shared.size(), 1U);
}

TEST_F(ExpressionsOfUser, AreShownWithACaretBelowWhatFailed) {
  const Outcome said = fuzz(policy_text("",
                                        "[JSONPatch{op: 'add', path: '/spec/schedulerName', value: "
                                        "object.spec.nodeSelector['disk']}]"),
                            "--report html=run.html");
  const auto line = said.out.find("      …");
  const auto next = said.out.find('\n', line) + 1;
  const std::string first = said.out.substr(line, next - line - 1),
                    second = said.out.substr(next, said.out.find('\n', next) - next);
  // The dots are one character of three bytes.
  EXPECT_EQ(second, std::string(first.find("nodeSelector") - 2, ' ') + "^") << first << "\n" << second;
  EXPECT_NE(read("run.html").find("<pre class=\"excerpt\""), std::string::npos);
  write("policy.yaml", policy_text("",
                                   "[JSONPatch{op: 'add', path: '/spec/schedulerName', value: "
                                   "variables.disk}]") +
                           "  variables: [{name: disk, expression: object.spec.nodeSelector.disk}]\n");
  const Outcome of_variable = run("fuzz policy.yaml --seed 3 --cases 300 --all", path("corpus"));
  EXPECT_NE(of_variable.out.find("      object.spec.nodeSelector.disk\n                  ^\n"),
            std::string::npos)
      << of_variable.out;
}

/// A condition that never changes is no defect; a run reports it once, at the end.
TEST_F(ExpressionsOfUser, AreObservedIfTheyAreAlwaysTrueOrCostly) {
  const std::string always = "matchConditions[c] was true in every Case";
  const Outcome said = fuzz(policy_text("object.kind == 'Pod'", kLabel));
  EXPECT_NE(said.out.find(always), std::string::npos) << said.out;
  EXPECT_EQ(said.out.find(always), said.out.rfind(always));
  const Outcome varies = fuzz(policy_text("object.spec.containers.size() < 2", kLabel));
  EXPECT_EQ(varies.out.find("in every Case"), std::string::npos) << varies.out;
  const Outcome never = fuzz(policy_text("object.kind == 'Service'", kLabel));
  EXPECT_NE(never.out.find("matchConditions[c] was false in every Case"), std::string::npos) << never.out;
  // A check of the authorizer costs 350,000 units.
  const Outcome costly =
      fuzz(policy_text("authorizer.requestResource.check('get').allowed() != "
                       "authorizer.requestResource.check('list').allowed() || true",
                       kLabel));
  EXPECT_NE(costly.out.find("takes at least half of the 1000000 cost units"), std::string::npos)
      << costly.out;
  EXPECT_EQ(said.out.find("takes at least half"), std::string::npos) << said.out;
}

}  // namespace
}  // namespace fixpoint::properties
