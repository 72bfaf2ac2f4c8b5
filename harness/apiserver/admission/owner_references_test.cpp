#include "harness/apiserver/admission/owner_references.h"

#include <gtest/gtest.h>

#include "harness/apiserver/admission/admission.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

Value owner(const char* uid) {
  return {{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"name", "o"}, {"uid", uid}};
}

/// A Case that creates a ConfigMap with these owners, and a webhook that adds one of uid "b" to it.
cases::Case with_owners(std::vector<Value> owners) {
  cases::Case value;
  value.request.object = {{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "c"}}}};
  value.request.object.edit("metadata").set("ownerReferences", Value(std::move(owners)));
  value.request.managed_fields = false;
  value.cluster.admission_plugins.clear();
  value.cluster.objects = {*document::read_json(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"a.b.c",
      "admissionReviewVersions":["v1"],"sideEffects":"None",
      "rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["configmaps"]}]}]})")};
  value.webhooks.emplace("c/a.b.c", cases::InjectorName{"test"});
  return value;
}
Admission with_owner_b(const cases::Case& value) {
  const auto adding = [](const webhooks::Call& call) {
    Value object = call.object;
    object.edit("metadata").edit("ownerReferences").push_back(owner("b"));
    return webhooks::allow_change(call.object, object);
  };
  return *admit(value, {{"c/a.b.c", adding}});
}

TEST(OwnerReferences, EqualOnesAreOneBeforeWebhooksAndAfterThem) {
  const Admission admission = with_owner_b(with_owners({owner("a"), owner("a"), owner("b"), owner("a")}));
  EXPECT_EQ(admission.first["metadata"]["ownerReferences"].size(), 2U);
  EXPECT_EQ(admission.stored["metadata"]["ownerReferences"], Value::list({owner("a"), owner("b")}));
  ASSERT_EQ(admission.warnings.size(), 2U);
  const std::string of_all =
      "; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please "
      "fix "
      "your requests; duplicate UID(s) observed: ";
  EXPECT_EQ(admission.warnings[0], ".metadata.ownerReferences contains duplicate entries" + of_all + "a, a");
  EXPECT_EQ(admission.warnings[1],
            ".metadata.ownerReferences contains duplicate entries after mutating admission "
            "happens" +
                of_all + "b");
}

TEST(OwnerReferences, OthersOfOneUidStay) {
  Value other = owner("a");
  other.set("controller", true);
  Value object{{"metadata", {{"ownerReferences", Value::list({owner("a"), other})}}}};
  EXPECT_FALSE(remove_repeated_owners(object, false));
  EXPECT_EQ(object["metadata"]["ownerReferences"].size(), 2U);
}

}  // namespace
}  // namespace fixpoint::apiserver
