#include "harness/external/manifests/policy_subjects.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "harness/cli/program_test.h"

namespace fixpoint::external {
namespace {

std::string policy(const std::string& condition, const std::string& mutation) {
  return "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: {name: "
         "mesh}\n"
         "spec:\n  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: "
         "[CREATE], "
         "resources: [pods]}]}\n  failurePolicy: Fail\n  reinvocationPolicy: IfNeeded\n" +
         (condition.empty() ? "" : "  matchConditions: [{name: c, expression: \"" + condition + "\"}]\n") +
         "  mutations:\n" + mutation;
}

constexpr const char* kSidecar =
    "  - patchType: ApplyConfiguration\n    applyConfiguration: {expression: \"Object{spec: "
    "Object.spec{initContainers: "
    "[Object.spec.initContainers{name: 'mesh', image: 'm', restartPolicy: 'Always'}]}}\"}\n";
constexpr const char* kAppend =
    "  - patchType: JSONPatch\n    jsonPatch: {expression: \"[JSONPatch{op: 'add', path: "
    "'/spec/containers/-', value: "
    "Object.spec.containers{name: 'side' + string(object.spec.containers.size()), image: 'm'}}]\"}\n";

class PolicyOfUser : public cli::ProgramTest {
 protected:
  Outcome fuzz(const std::string& manifest) const {
    write("policy.yaml", manifest);
    return run("fuzz policy.yaml --seed 1 --cases 400", path("corpus"));
  }
};

/// The commonest defect of policies is found on the first Pods; the example of Kubernetes' documentation has
/// it.
TEST_F(PolicyOfUser, FailsOnAPodWithoutTheFieldThatItReads) {
  const Outcome said = fuzz(policy("!object.spec.initContainers.exists(c, c.name == 'mesh')", kSidecar));
  EXPECT_EQ(said.code, 1) << said.out << said.err;
  EXPECT_NE(said.out.find("expressions-evaluate"), std::string::npos) << said.out;
  EXPECT_NE(said.err.find("policy \"mesh\" has no binding here"), std::string::npos) << said.err;
}

/// All errors at once, each with its line and column.
TEST_F(PolicyOfUser, ThatNoServerStoresIsRefusedWithAllItsErrorsAndTheirPlaces) {
  write("policy.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: x}\n---\n" +
                           policy("object.spec.",
                                  "  - patchType: ApplyConfiguration\n    applyConfiguration:\n"
                                  "      expression: Objec{}\n"));
  const Outcome said = run("fuzz policy.yaml --cases 10", path("corpus"));
  EXPECT_EQ(said.code, 2) << said.out;
  EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
  for (const char* part :
       {"fixpoint: policy.yaml: document 2: MutatingAdmissionPolicy.admissionregistration.k8s.io \"mesh\" is "
        "invalid: line 12, column 31: spec.matchConditions[0].expression: Invalid value: ",
        "; line 16, column 7: spec.mutations[0].applyConfiguration.expression: Invalid value: "})
    EXPECT_NE(said.err.find(part), std::string::npos) << part << "\n" << said.err;
}

TEST_F(PolicyOfUser, AppendsAgainWithoutAGuard) {
  const Outcome said = fuzz(policy("", kAppend));
  EXPECT_EQ(said.code, 1) << said.out << said.err;
  EXPECT_NE(said.out.find("converges"), std::string::npos) << said.out;
}

TEST_F(PolicyOfUser, OfTheDocumentationIsRight) {
  std::stringstream page;
  page << std::ifstream(FIXPOINT_SOURCE "/docs/policies.md").rdbuf();
  const std::string text = page.str(), fence = "```yaml\n";
  const auto begin = text.find(fence) + fence.size();
  const Outcome said = fuzz(text.substr(begin, text.find("```", begin) - begin));
  EXPECT_EQ(said.code, 0) << said.out << said.err;
}

TEST_F(PolicyOfUser, IsLeftAloneIfItIsRight) {
  const Outcome said =
      fuzz(policy("!object.spec.?initContainers.orValue([]).exists(c, c.name == 'mesh')", kSidecar));
  EXPECT_EQ(said.code, 0) << said.out << said.err;
}

}  // namespace
}  // namespace fixpoint::external
