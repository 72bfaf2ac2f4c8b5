#include "harness/conformance/live_policies.h"

#include <gtest/gtest.h>

#include "harness/conformance/real_server_test.h"
#include "harness/document/json.h"

namespace fixpoint::conformance {
namespace {

/// A Case with a policy that takes a value from its param, and a webhook that is called again for it.
constexpr const char* kPolicyCase = R"({"apiVersion":"fixpoint/v1","kind":"Case",
"request":{"object":{"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"x"}]}}},
"cluster":{"objects":[
{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"team","namespace":"default"},
"data":{"team":"ours"}},
{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicy","metadata":{"name":"label"},
"spec":{"paramKind":{"apiVersion":"v1","kind":"ConfigMap"},"failurePolicy":"Fail",
"reinvocationPolicy":"IfNeeded",
"matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],
"resources":["pods"]}]},"mutations":[{"patchType":"ApplyConfiguration","applyConfiguration":{"expression":
"Object{metadata: Object.metadata{labels: {'team': params.data.team}}}"}}]}},
{"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingAdmissionPolicyBinding",
"metadata":{"name":"label"},"spec":{"policyName":"label","paramRef":{"name":"team","namespace":"default",
"parameterNotFoundAction":"Deny"}}},
{"apiVersion":"admissionregistration.k8s.io/v1",
"kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"a.b.c",
"admissionReviewVersions":["v1"],"sideEffects":"None","failurePolicy":"Fail","reinvocationPolicy":"IfNeeded",
"rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["pods"]}]}]}]},
"webhooks":{"c/a.b.c":{"injector":"peers/sidecar-guarded"}}})";

TEST(LivePolicies, AreThoseOfWhichAServerHasAnOrder) {
  auto value = *cases::read_case(document::read_json(kPolicyCase).value());
  EXPECT_EQ(beyond_a_server(value), "");
  const auto all = registered_policies(value, "live-", "probe");
  ASSERT_EQ(all.size(), 4U) << "the policy, its binding, and the probe's";
  const Value& constraints = all[0].object["spec"]["matchConstraints"];
  EXPECT_EQ(all[0].object["metadata"]["name"].text(), "live-label");
  EXPECT_EQ(all[2].collection, kPolicyBindingsPath);
  EXPECT_EQ(all[2].object["spec"]["policyName"].text(), "live-label");
  EXPECT_EQ(constraints["namespaceSelector"]["matchExpressions"].at(0)["values"].at(0).text(), "default");
  EXPECT_EQ(constraints["objectSelector"]["matchExpressions"].at(0)["key"].text(), "probe");
  EXPECT_EQ(constraints["resourceRules"].at(0)["scope"].text(), "Namespaced");
  EXPECT_TRUE(constraints["rules"].is_null());
  auto& objects = value.cluster.objects;
  objects.push_back(objects[2]);
  objects.back().edit("metadata").set("name", "again");
  EXPECT_NE(beyond_a_server(value).find("no order"), std::string::npos);
  objects.pop_back();
  objects[2].edit("spec").edit("paramRef").set("namespace", "other");
  EXPECT_NE(beyond_a_server(value).find("another namespace"), std::string::npos);
  objects[1]
      .edit("spec")
      .edit("mutations")
      .edit(0)
      .edit("applyConfiguration")
      .set("expression", "authorizer");
  EXPECT_NE(beyond_a_server(value).find("authorizer"), std::string::npos);
}

TEST_F(RealServer, RunsPoliciesWithTheirParams) {
  write("case.json", kPolicyCase);
  const auto events = live("--allow-cluster-objects case.json case.json", 0);
  ASSERT_EQ(events.size(), 2U);
  for (const Value& event : events) {
    EXPECT_EQ(event["answer"].text(), "agrees") << document::write_json(event);
  }
  EXPECT_EQ(run("live --kubeconfig state/kubeconfig case.json"), 3) << "what stays broken needs a flag";
  const Value& line = events.front()["line"];
  EXPECT_EQ(line["object"]["metadata"]["labels"]["team"].text(), "ours") << document::write_json(line);
  EXPECT_GE(line["object"]["spec"]["containers"].size(), 2U) << "the sidecar of the webhook";
  for (const std::string_view collection : {kPoliciesPath, kPolicyBindingsPath})
    EXPECT_TRUE(left(std::string(collection)).empty()) << collection;
}

}  // namespace
}  // namespace fixpoint::conformance
