#include "harness/external/manifests/policy_tests.h"

#include <gtest/gtest.h>

#include "harness/cli/program_test.h"

namespace fixpoint::external {
namespace {

std::string tested_policy(const std::string& name, const std::string& expression,
                          const std::string& more = "") {
  return "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: {name: " +
         name + "}\nspec:\n" + more +
         "  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE, "
         "UPDATE], resources: [pods]}]}\n  failurePolicy: Fail\n  reinvocationPolicy: Never\n  mutations:\n"
         "  - {patchType: JSONPatch, jsonPatch: {expression: \"" +
         expression + "\"}}\n";
}

const std::string kTierPolicy = tested_policy(
    "tier", "[JSONPatch{op: 'add', path: '/metadata/labels/tier', value: object.metadata.labels.a}]");
constexpr const char* kTeamKind = "  paramKind: {apiVersion: rules.example.com/v1, kind: Team}\n";
constexpr const char* kTeam =
    "apiVersion: rules.example.com/v1\nkind: Team\nmetadata: {name: rules}\nspec: {team: red}\n";

std::string tested_pod(const std::string& metadata) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: web" + metadata +
         "}\nspec: {containers: [{name: app, image: 'app:1'}]}\n";
}

/// Files as kat has them, in a folder of their own.
class PolicyTestsOfUser : public cli::ProgramTest {
 protected:
  void add(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    write(name, text);
  }
  void add_tier() const {
    add("p/tier/policy.yaml", kTierPolicy);
    add("p/tier/tests/tier.labels.object.yaml", tested_pod(", labels: {a: b}"));
    add("p/tier/tests/tier.labels.gold.yaml", tested_pod(", labels: {a: b, tier: b}"));
  }
  Outcome conform(const std::string& arguments) const { return run("conform " + arguments, path("corpus")); }
};

TEST_F(PolicyTestsOfUser, AreRunAsTheyAre) {
  add_tier();
  add("p/tier/binding.yaml",
      "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\nmetadata: {name: "
      "b}\nspec: {policyName: tier, matchResources: {namespaceSelector: {matchLabels: {env: prod}}}}\n");
  // Outside prod nothing is mutated, so that no gold is needed there.
  add("p/tier/tests/tier.prod.request.yaml",
      "operation: CREATE\nnamespace: shop\nnamespaceObject: {apiVersion: v1, kind: Namespace, metadata: "
      "{name: shop, labels: {env: prod}}}\nobject:\n  apiVersion: v1\n  kind: Pod\n  metadata: {name: w, "
      "labels: {a: x}}\n  spec: {containers: [{name: app, image: a}]}\n");
  add("p/tier/tests/tier.prod.gold.yaml",
      "apiVersion: v1\nkind: Pod\nmetadata: {name: w, labels: {a: x, tier: x}}\nspec: {containers: [{name: "
      "app, image: a}]}\n");
  add("p/tier/tests/tier.labels.gold.yaml", tested_pod(", labels: {a: b}"));
  const Outcome said = conform("p");
  EXPECT_EQ(said.out,
            "p/tier: 2 agreed, 0 disagreed, 0 unsupported, 0 not run\n"
            "total: 2 agreed, 0 disagreed, 0 unsupported\n")
      << said.err;
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(conform("p/tier").code, 0);
  EXPECT_EQ(conform("p/tier/tests/").code, 0) << "the policy is in the folder above";
}

TEST_F(PolicyTestsOfUser, DisagreeWithAWrongGold) {
  add_tier();
  add("p/tier/tests/tier.wrong.object.yaml", tested_pod(", labels: {a: b}"));
  add("p/tier/tests/tier.wrong.gold.yaml", tested_pod(", labels: {a: b, tier: c}"));
  add("p/tier/tests/tier.forgotten.object.yaml", tested_pod(", labels: {a: b}"));
  add("p/tier/tests/tier.defaults.object.yaml", tested_pod(", labels: {a: b}"));
  add("p/tier/tests/tier.defaults.gold.yaml", tested_pod(", labels: {a: b, tier: b}") + "  \n");
  const std::string gold = tested_pod(", labels: {a: b, tier: b}");
  add("p/tier/tests/tier.defaults.gold.yaml", gold.substr(0, gold.rfind('}')) + ", restartPolicy: Never}\n");
  const Outcome said = conform("p");
  EXPECT_EQ(said.code, 1) << said.err;
  EXPECT_EQ(said.out,
            "test tier.defaults disagrees with p/tier/tests/tier.defaults.gold.yaml\n"
            "  /spec/restartPolicy: expected \"Never\", found \"Always\", which the server sets before the "
            "policy sees the Pod\n"
            "test tier.forgotten disagrees\n"
            "  the policy changed the Pod, and there is no tier.forgotten.gold.yaml that expects it\n"
            "  /metadata/labels/tier: expected nothing, found \"b\"\n"
            "test tier.wrong disagrees with p/tier/tests/tier.wrong.gold.yaml\n"
            "  /metadata/labels/tier: expected \"c\", found \"b\"\n"
            "p/tier: 1 agreed, 3 disagreed, 0 unsupported, 0 not run\n"
            "total: 1 agreed, 3 disagreed, 0 unsupported\n");
}

TEST_F(PolicyTestsOfUser, CompareRefusals) {
  add("p/policy.yaml", kTierPolicy);
  add("p/tests/tier.missing.deny.object.yaml", tested_pod(", labels: {b: c}"));
  add("p/tests/tier.missing.deny.message.txt",
      "expression '[JSONPatch{op: 'add', path: '/metadata/labels/tier', value: object.metadata.labels.a}]' "
      "resulted in error: no such key: a\n");
  EXPECT_EQ(conform("p").code, 0) << conform("p").out;
  add("p/tests/tier.missing.deny.message.txt", "no team\n");
  add("p/tests/tier.there.deny.object.yaml", tested_pod(", labels: {a: b}"));
  add("p/tests/tier.not.object.yaml", tested_pod(""));
  const Outcome said = conform("p");
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.out.find("  message: expected \"no team\", found \"policy 'tier'"), std::string::npos)
      << said.out;
  EXPECT_NE(said.out.find("test tier.there.deny disagrees\n  expected a refusal, found none\n"),
            std::string::npos)
      << said.out;
  EXPECT_NE(said.out.find("test tier.not disagrees\n  expected the Pod to be admitted, found a refusal: "),
            std::string::npos)
      << said.out;
}

/// Params of a kind that only the test knows, for a policy without a binding; an authorizer.
TEST_F(PolicyTestsOfUser, BringParamsUsersAndAuthorizers) {
  add("p/team.policy.yaml",
      tested_policy("team",
                    "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'t': params.spec.team}}]",
                    kTeamKind));
  add("p/tests/labels.object.yaml", tested_pod(""));
  add("p/tests/labels.params.yaml", kTeam);
  add("p/tests/labels.gold.yaml", tested_pod(", labels: {t: red}"));
  EXPECT_EQ(conform("p").code, 0) << conform("p").out << conform("p").err;
  add("q/policies.yaml",
      tested_policy(
          "may",
          "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'may': "
          "string(authorizer.group('').resource('secrets').namespace('default').check('get').allowed()), "
          "'who': request.userInfo.username}}]"));
  add("q/tests/may.ask.object.yaml", tested_pod(""));
  add("q/tests/may.ask.request.yaml", "userInfo: {username: ann, groups: [dev]}\n");
  add("q/tests/may.ask.authorizer.yaml",
      "- {group: '', resource: secrets, namespace: default, verb: get, decision: allow}\n");
  add("q/tests/may.ask.gold.yaml", tested_pod(", labels: {may: 'true', who: ann}"));
  EXPECT_EQ(conform("q").code, 0) << conform("q").out << conform("q").err;
  const Outcome fuzzed = run("fuzz p --seed 1 --cases 100", path("corpus"));
  EXPECT_EQ(fuzzed.out.find("NO VERDICT"), std::string::npos) << fuzzed.out << fuzzed.err;
}

TEST_F(PolicyTestsOfUser, AreNamedIfTheyAreNotRun) {
  add_tier();
  add("p/tier/tests/tier.deployment.object.yaml", "apiVersion: apps/v1\nkind: Deployment\nspec: {}\n");
  add("p/tier/tests/tier.deletion.oldObject.yaml", tested_pod(""));
  add("p/tier/tests/tier.alone.gold.yaml", tested_pod(""));
  add("p/owner/policy.yaml",
      "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: "
      "owner}\n");
  add("p/owner/tests/owner.a.allow.object.yaml", tested_pod(""));
  const Outcome said = conform("p");
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out,
            "not run: owner.a.allow: policy owner is a ValidatingAdmissionPolicy\n"
            "p/owner: 0 agreed, 0 disagreed, 0 unsupported, 1 not run\n"
            "not run: tier.deletion: mutating policies do not see DELETE\n"
            "not run: tier.deployment: the object is a Deployment, and only Pods are simulated\n"
            "not run: p/tier/tests/tier.alone.gold.yaml: it is no part of a test\n"
            "p/tier: 1 agreed, 0 disagreed, 0 unsupported, 3 not run\n"
            "total: 1 agreed, 0 disagreed, 0 unsupported\n");
  EXPECT_EQ(conform("p/owner").code, 2) << "nothing was run";
}

TEST_F(PolicyTestsOfUser, AreRefusedWithTheFileAndWhatToDo) {
  struct Row {
    const char *file, *text, *says;
  };
  const Row rows[] = {
      {"tests/tier.a.request.yaml", "object: {apiVersion: v1, kind: Pod}\n",
       "p/tests/tier.a.object.yaml: request.yaml has object, too: remove one of the two"},
      {"tests/tier.a.request.yaml", "operation: UPDATE\n",
       "p/tests/tier.a.request.yaml: /operation: expected CREATE by the files of the test, found UPDATE"},
      {"tests/tier.b.params.yaml", kTeam,
       "p/tests/tier.b.params.yaml: the test has no object: expected tier.b.object.yaml or "
       "tier.b.oldObject.yaml beside it"},
      {"tests/tier.a.gold.yaml", "apiVersion: v1\nkind: Pod\nspec: {containers: 1}\n",
       "p/tests/tier.a.gold.yaml: "},
      {"tests/tier.a.gold.yaml", "kind: Pod\n---\nkind: Pod\n",
       "p/tests/tier.a.gold.yaml: expected one document, found 2"},
      {"tests/tier.a.authorizer.yaml", "decision: allow\n",
       "p/tests/tier.a.authorizer.yaml: expected a list of decisions"},
      {"tests/tiers.c.object.yaml", "kind: Pod\n",
       "p/tests/tiers.c.object.yaml: the name begins with no policy of the folder (tier, second) (did you "
       "mean \"tier\"?): call it POLICY.tiers.c.…"},
      {"policy.yaml",
       "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: "
       "{name: tier}\nspec: {}\n",
       "p/policy.yaml: document 1: "},
  };
  for (const Row& row : rows) {
    std::filesystem::remove_all(path("p"));
    add("p/policy.yaml", kTierPolicy);
    add("p/second.policy.yaml", tested_policy("second", "[JSONPatch{op: 'remove', path: '/a'}]"));
    add("p/tests/tier.a.object.yaml", tested_pod(", labels: {a: b}"));
    add("p/tests/tier.a.gold.yaml", tested_pod(", labels: {a: b, tier: b}"));
    EXPECT_EQ(conform("p").code, 0) << conform("p").out << conform("p").err;
    add(std::string("p/") + row.file, row.text);
    const Outcome said = conform("p");
    EXPECT_EQ(said.code, 2) << row.says << said.out;
    EXPECT_NE(said.err.find(row.says), std::string::npos) << row.says << "\n" << said.err;
    EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
  }
  std::filesystem::create_directories(path("empty"));
  EXPECT_EQ(
      conform("empty").err,
      "fixpoint: empty: expected a folder with policy.yaml and tests/, or folders of that kind below\n");
}

/// A run begins with the Pods of the tests: the label that the policy reads is in no generated Pod.
TEST_F(PolicyTestsOfUser, AreWhatARunBeginsWith) {
  add("p/policy.yaml",
      tested_policy("rare",
                    "object.metadata.?labels[?'a'].orValue('').size() == 3 ? [JSONPatch{op: 'add', path: "
                    "'/metadata/labels/tier', value: object.spec.nodeSelector.disk}] : []"));
  add("p/tests/rare.labels.deny.object.yaml", tested_pod(", labels: {a: xyz}"));
  const Outcome said = run("fuzz p --seed 1 --cases 40 --jobs 1", path("corpus"));
  EXPECT_EQ(said.code, 1) << said.out << said.err;
  EXPECT_NE(said.out.find("policy rare fails on a Pod that the server accepts"), std::string::npos)
      << said.out << said.err;
}

}  // namespace
}  // namespace fixpoint::external
