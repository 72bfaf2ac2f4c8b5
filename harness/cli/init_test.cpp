#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "harness/campaign/policy.h"
#include "harness/cli/program_test.h"
#include "harness/document/document_stream.h"

namespace fixpoint::cli {
namespace {

constexpr const char* kGuardedPolicy = R"(apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: team-label}
spec:
  matchConstraints:
    objectSelector: {matchLabels: {team: ours}}
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  failurePolicy: Fail
  reinvocationPolicy: IfNeeded
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: 'Object{metadata: Object.metadata{labels: {"cost": "ours"}}}'
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: team-label}
spec: {policyName: team-label}
)";

class Init : public ProgramTest {
 protected:
  Outcome init(const std::string& arguments) const { return run("init " + arguments, "none"); }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }
  void replace(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = read(name);
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << text;
    write(name, text.replace(at, from.size(), to));
  }
};

TEST_F(Init, OfAPolicyBeginsAGateThatPasses) {
  write("policy.yaml", kGuardedPolicy);
  const Outcome made = init("policy.yaml");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.out.substr(0, made.out.find("try:")),
            "wrote fixpoint.yaml: what a release must pass\n"
            "wrote fixpoint-example.yaml: a Pod on which team-label should act\n"
            "wrote .github/workflows/fixpoint.yaml: the gate in CI; OWNER is where your fixpoint is\n");
  const auto example = document::read_file(path("fixpoint-example.yaml")).value().front();
  EXPECT_EQ(example["metadata"]["labels"]["team"].text(), "ours") << "the selector of the policy";
  EXPECT_EQ(read(".github/workflows/fixpoint.yaml").find("--allow-exec"), std::string::npos);
  const Outcome gate = run("gate --jobs 1", "none");
  EXPECT_EQ(gate.code, 0) << gate.out << gate.err;
  const Outcome fuzz = run("fuzz policy.yaml --example fixpoint-example.yaml --seed 1 --cases 50", "none");
  EXPECT_EQ(fuzz.code, 0) << fuzz.out << fuzz.err;
}

TEST_F(Init, OfAWebhookSaysWhatIsStillToBeSaid) {
  write("m.yaml", kOneWebhook);
  write("allow.sh", webhook_in_bash(":"));
  const Outcome made = init("m.yaml");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.out.find("\nnext: say in fixpoint.yaml what answers behind hooks/proxy.example.io\n"),
            std::string::npos)
      << made.out;
  EXPECT_NE(made.out.find(" gate --allow-exec\n"), std::string::npos) << made.out;
  EXPECT_NE(read(".github/workflows/fixpoint.yaml").find("arguments: --allow-exec"), std::string::npos);
  const Outcome refused = run("gate", "none");
  EXPECT_EQ(refused.code, 2) << refused.out;
  EXPECT_NE(refused.err.find("--allow-exec"), std::string::npos) << refused.err;
  replace("fixpoint.yaml", "exec:./my-webhook", "exec:bash allow.sh");
  replace("fixpoint.yaml", "cases: 3000", "cases: 40");
  const Outcome gate = run("gate --allow-exec --jobs 1", "none");
  EXPECT_EQ(gate.code, 1) << gate.out << gate.err;
  EXPECT_NE(gate.out.find("hooks acted in 0 of 40 Cases"), std::string::npos)
      << gate.out << "a webhook that allows everything";
}

TEST_F(Init, TakesWhatTheCommandLineSays) {
  write("m.yaml", kOneWebhook);
  std::filesystem::create_directories(path("deep/er"));
  const Outcome made = init("m.yaml --webhook 'proxy.example.io=exec:bash x.sh' --out deep/er");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.out.find("next:"), std::string::npos) << made.out;
  EXPECT_NE(made.out.find("gate --config deep/er/fixpoint.yaml --allow-exec\n"), std::string::npos)
      << made.out;
  const auto read = campaign::read_policy(path("deep/er/fixpoint.yaml"));
  const auto* policy = std::get_if<campaign::Policy>(&read);
  ASSERT_NE(policy, nullptr) << std::get<std::vector<document::Error>>(read).front().text();
  EXPECT_EQ(policy->webhooks, std::vector<std::string>{"proxy.example.io=exec:bash x.sh"});
  ASSERT_EQ(policy->subjects.size(), 1U);
  EXPECT_TRUE(std::filesystem::equivalent(policy->subjects.front(), path("m.yaml")));
}

TEST_F(Init, OverwritesNothing) {
  write("policy.yaml", kGuardedPolicy);
  write("fixpoint-example.yaml", "mine");
  const Outcome refused = init("policy.yaml");
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err,
            "fixpoint: ./fixpoint-example.yaml: is there already, and init never overwrites a file: move it "
            "away, or say --out DIR\n");
  EXPECT_EQ(read("fixpoint-example.yaml"), "mine");
  EXPECT_FALSE(exists("fixpoint.yaml") || exists(".github"));
}

TEST_F(Init, BadInputIsOneLine) {
  write("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n");
  write("m.yaml", kOneWebhook);
  const struct {
    const char *arguments, *says;
  } rows[] = {{"", "expected a manifest: fixpoint init MANIFEST"},
              {"none.yaml", "none.yaml: "},
              {"pod.yaml", "pod.yaml: "},
              {"m.yaml --out pod.yaml", "pod.yaml/fixpoint.yaml: cannot be written: Not a directory"},
              {"m.yaml --webhook proxy.example.i=exec:x", "proxy.example.i"}};
  for (const auto& row : rows) {
    const Outcome refused = init(row.arguments);
    EXPECT_EQ(refused.code, 2) << row.arguments;
    EXPECT_NE(refused.err.find(row.says), std::string::npos) << row.arguments << refused.err;
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
    EXPECT_FALSE(exists("fixpoint.yaml"));
  }
}

}  // namespace
}  // namespace fixpoint::cli
