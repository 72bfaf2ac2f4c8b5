#include <gtest/gtest.h>

#include <string>

#include "harness/apiserver/judges/validating_phase.h"
#include "harness/document/json.h"
#include "harness/document/yaml.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

constexpr const char* kNoRoot = R"yaml(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-root}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  variables: [{name: all, expression: "object.spec.containers"}]
  validations:
  - expression: "variables.all.all(c, !has(c.securityContext) || c.securityContext.runAsUser != 0)"
    message: root is not allowed
)yaml";

Value from_yaml(const std::string& yaml) { return document::read_yaml(yaml).value(); }

/// The verdict on a Pod whose first container runs as that user, with the policy as `change` left it.
cases::Validating verdict(const char* user, const std::string& actions, const Value& changed_spec = {},
                          std::vector<std::string>* reported = nullptr) {
  cases::Cluster cluster;
  cluster.admission_plugins.clear();
  Value policy = from_yaml(kNoRoot);
  for (const auto& member : changed_spec.members()) policy.edit("spec").set(member.key.name(), member.value);
  cluster.objects.push_back(policy);
  cluster.objects.push_back(
      from_yaml("{apiVersion: admissionregistration.k8s.io/v1, kind: "
                "ValidatingAdmissionPolicyBinding, metadata: {name: all}, spec: {policyName: "
                "no-root, validationActions: " +
                actions + "}}"));
  cases::Request request;
  request.object =
      from_yaml(std::string("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default}, spec: "
                            "{containers: [{name: a, image: b, securityContext: {runAsUser: ") +
                user + "}}]}}");
  std::vector<std::string> warnings;
  const auto answer = judge_stored(request, cluster, request.object, {}, 36, reported ? *reported : warnings);
  return answer;
}

Value validations(const std::string& yaml) { return {{"validations", from_yaml(yaml)}}; }

TEST(PolicyJudge, DeniesInTheServersWords) {
  const auto refused = verdict("0", "[Deny]");
  EXPECT_EQ(refused.code, 422);
  ASSERT_EQ(refused.causes.size(), 1u);
  EXPECT_EQ(refused.causes[0].plugin, "ValidatingAdmissionPolicy");
  EXPECT_EQ(refused.causes[0].message,
            "ValidatingAdmissionPolicy 'no-root' with binding 'all' denied request: root is not allowed");
  EXPECT_FALSE(verdict("1000", "[Deny]").refuses());
}

TEST(PolicyJudge, DoesWhatTheBindingSays) {
  std::vector<std::string> reported;
  EXPECT_FALSE(verdict("0", "[Warn, Audit]", {}, &reported).refuses());
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(
      reported[0],
      "Validation failed for ValidatingAdmissionPolicy 'no-root' with binding 'all': root is not allowed");
}

TEST(PolicyJudge, ChoosesTheMessage) {
  const auto message = [](const std::string& yaml) {
    return verdict("0", "[Deny]", validations(yaml)).causes.at(0).message;
  };
  EXPECT_TRUE(message("[{expression: 'false', messageExpression: \"'user ' + "
                      "string(object.spec.containers[0].securityContext.runAsUser)\"}]")
                  .ends_with("denied request: user 0"));
  EXPECT_TRUE(message("[{expression: 'false', message: not so, messageExpression: \"object.spec.nodeName\"}]")
                  .ends_with("denied request: not so"));
  EXPECT_TRUE(message("[{expression: 'false'}]").ends_with("denied request: failed expression: false"));
}

TEST(PolicyJudge, TakesTheCodeOfTheReason) {
  EXPECT_EQ(verdict("0", "[Deny]", validations("[{expression: 'false', reason: Forbidden}]")).code, 403);
}

TEST(PolicyJudge, FailsByTheFailurePolicy) {
  Value changed = validations("[{expression: \"object.spec.nodeName == 'a'\"}]");
  EXPECT_TRUE(verdict("0", "[Deny]", changed).refuses());
  changed.set("failurePolicy", "Ignore");
  EXPECT_FALSE(verdict("0", "[Deny]", changed).refuses());
}

TEST(PolicyJudge, LeavesWhatIsNotSelectedAlone) {
  Value changed = validations("[{expression: 'false'}]");
  changed.set("matchConditions", from_yaml("[{name: never, expression: \"request.operation == 'DELETE'\"}]"));
  EXPECT_FALSE(verdict("0", "[Deny]", changed).refuses());
  EXPECT_FALSE(verdict("0", "[Deny]",
                       {{"matchConstraints", from_yaml("{resourceRules: [{apiGroups: [apps], "
                                                       "apiVersions: [v1], operations: ['*'], "
                                                       "resources: [deployments]}]}")}})
                   .refuses());
}

}  // namespace
}  // namespace fixpoint::apiserver
