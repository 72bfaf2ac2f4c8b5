#include <gtest/gtest.h>

#include <map>
#include <string>

#include "harness/apiserver/admission/admission.h"
#include "harness/document/json.h"
#include "harness/webhooks/review.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

Value read(const char* text) { return *document::read_json(text, {}, document::Strictness::foreign); }

const Value& definition() {
  static const Value value = read(R"({"apiVersion":"apiextensions.k8s.io/v1","kind":
    "CustomResourceDefinition","metadata":{"name":"widgets.example.io"},"spec":{"group":"example.io",
    "scope":"Namespaced",
    "names":{"kind":"Widget","plural":"widgets"},"versions":[
      {"name":"v1","served":true,"storage":true,"subresources":{"status":{}},"schema":{"openAPIV3Schema":{
        "type":"object","properties":{
          "apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object"},
          "spec":{"type":"object","required":["size"],"properties":{
            "size":{"type":"integer","minimum":0,"maximum":10},
            "mode":{"type":"string","enum":["A","B"],"default":"A"},
            "name":{"type":"string","pattern":"^[a-z]+$","maxLength":5},
            "free":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
            "inner":{"type":"object","properties":{"level":{"type":"integer","default":3}}},
            "maybe":{"type":"string","nullable":true},
            "tags":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
            "ports":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
              "items":{"type":"object","required":["name"],
                "properties":{"name":{"type":"string"},"port":{"type":"integer"}}}}}},
          "status":{"type":"object","properties":{"phase":{"type":"string"}}}}}}},
      {"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object",
        "x-kubernetes-preserve-unknown-fields":true}}}]}})");
  return value;
}

const Value& configuration() {
  static const Value value = read(R"({"apiVersion":"admissionregistration.k8s.io/v1",
    "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"w.example.io",
    "reinvocationPolicy":"IfNeeded","sideEffects":"None","admissionReviewVersions":["v1"],
    "rules":[{"apiGroups":["example.io"],"apiVersions":["*"],"operations":["*"],
    "resources":["widgets","widgets/status"],"scope":"Namespaced"}]}]})");
  return value;
}

/// A request for a Widget to a webhook that patches each object so.
struct Asked {
  cases::Case value;
  std::string patch = "[]";
  int calls = 0;

  Asked& spec(const char* text) {
    value.cluster.objects = {definition(), configuration()};
    value.request.object = {{"apiVersion", "example.io/v1"}, {"kind", "Widget"},
        {"metadata", {{"name", "w"}}}};
    value.request.object.set("spec", read(text));
    return *this;
  }
  Admission admit() {
    const auto handler = [this](const webhooks::Call&) {
      ++calls;
      return webhooks::allow(read(patch.c_str()));
    };
    auto admission = apiserver::admit(value, {{"c/w.example.io", handler}});
    EXPECT_TRUE(admission) << (admission ? "" : admission.error().text());
    return admission ? *std::move(admission) : Admission();
  }
};

std::string text(const Value& value) { return document::write_json(document::sorted(value)); }

TEST(CustomResources, ArePrunedAndGetDefaults) {
  const auto admission = Asked().spec(R"({"size":1,"unknown":2,"free":{"any":{"thing":1}},"inner":{},
      "maybe":null,"name":null})").admit();
  ASSERT_TRUE(admission.allowed);
  EXPECT_EQ(text(admission.received["spec"]),
            R"({"free":{"any":{"thing":1}},"inner":{"level":3},"maybe":null,"mode":"A","size":1})");
  EXPECT_EQ(admission.stored["metadata"]["generation"].text(), "1");
  EXPECT_EQ(admission.stored["metadata"]["namespace"].text(), "default");
}

TEST(CustomResources, KeepWhatAWebhookWritesUntilTheyAreReadBack) {
  Asked asked;
  asked.spec(R"({"size":1})").patch = R"([{"op":"add","path":"/spec/unknown","value":1}])";
  const auto admission = asked.admit();
  ASSERT_TRUE(admission.allowed);
  EXPECT_EQ(admission.stored["spec"]["unknown"].text(), "1");
  EXPECT_TRUE(shown_to_client(asked.value, admission)["spec"]["unknown"].is_null());
  EXPECT_EQ(asked.calls, 1) << "an object is no change to its own webhook";
}

/// Unlike a Pod, whose first applied patch is a change by the times of its managedFields.
TEST(CustomResources, AreNotChangedByAPatchWithoutEffect) {
  Asked asked;
  asked.spec(R"({"size":1})").patch = R"([{"op":"replace","path":"/spec/size","value":1}])";
  const auto admission = asked.admit();
  EXPECT_EQ(admission.passes, 1);
  ASSERT_EQ(admission.calls.size(), 1u);
  EXPECT_FALSE(admission.calls[0].result.changed);
  asked.patch = R"([{"op":"replace","path":"/spec/size","value":1.0}])";
  EXPECT_TRUE(asked.admit().calls[0].result.changed) << "1 and 1.0 are two values of JSON";
}

TEST(CustomResources, AreValidatedByTheirSchema) {
  struct Row {
    const char* spec;
    const char* field;
    const char* type;
    const char* message;
  };
  const Row rows[] = {
      {R"({})", "spec.size", "FieldValueRequired", "Required value"},
      {R"({"size":11})", "spec.size", "FieldValueInvalid",
       "Invalid value: 11: spec.size in body should be less than or equal to 10"},
      {R"({"size":"a"})", "spec.size", "FieldValueTypeInvalid",
       R"(Invalid value: "string": spec.size in body must be of type integer: "string")"},
      {R"({"size":1,"mode":"C"})", "spec.mode", "FieldValueNotSupported",
       R"(Unsupported value: "C": supported values: "A", "B")"},
      {R"({"size":1,"name":"A"})", "spec.name", "FieldValueInvalid",
       R"(Invalid value: "A": spec.name in body should match '^[a-z]+$')"},
      {R"({"size":1,"name":"abcdef"})", "spec.name", "FieldValueTooLong",
       "Too long: may not be more than 5 bytes"},
      {R"({"size":1,"tags":["a","b","a"]})", "spec.tags[2]", "FieldValueDuplicate",
       R"(Duplicate value: "a")"},
      {R"({"size":1,"ports":[{"name":"p"},{"name":"p"}]})", "spec.ports[1]", "FieldValueDuplicate",
       R"(Duplicate value: {"name":"p"})"}};
  for (const Row& row : rows) {
    const auto admission = Asked().spec(row.spec).admit();
    ASSERT_EQ(admission.invalid.size(), 1u) << row.spec;
    EXPECT_EQ(admission.invalid[0].field, row.field);
    EXPECT_EQ(admission.invalid[0].type, row.type);
    EXPECT_EQ(admission.invalid[0].message, row.message);
    EXPECT_EQ(admission.status->code, 422);
    EXPECT_TRUE(admission.status->message.starts_with("Widget.example.io \"w\" is invalid: "))
        << admission.status->message;
  }
}

TEST(CustomResources, OfAnotherKindAreRefusedAtTheEnd) {
  Asked asked;
  asked.spec(R"({"size":1})").patch = R"([{"op":"replace","path":"/kind","value":"Foo"}])";
  const auto admission = asked.admit();
  ASSERT_EQ(admission.invalid.size(), 1u);
  EXPECT_EQ(admission.invalid[0].field, "kind");
  EXPECT_EQ(admission.invalid[0].message, R"(Invalid value: "Foo": must be Widget)");
}

TEST(CustomResources, ReturnToTheVersionOfTheRequest) {
  Asked asked;
  asked.spec(R"({"size":1})").patch = R"([{"op":"replace","path":"/apiVersion","value":"example.io/v2"}])";
  EXPECT_EQ(asked.admit().stored["apiVersion"].text(), "example.io/v1");
  asked.patch = R"([{"op":"replace","path":"/apiVersion","value":"example.io/v7"}])";
  const auto refused = asked.admit();
  ASSERT_FALSE(refused.allowed);
  EXPECT_EQ(refused.status->message, "request to convert CR from an invalid group/version: example.io/v7");
}

/// The object in the store of an update.
cases::Case stored_case(const char* old_spec, const char* spec) {
  cases::Case value = Asked().spec(spec).value;
  value.request.operation = "UPDATE";
  value.request.object.edit("metadata").set("uid", "u");
  value.request.old_object = Asked().spec(old_spec).value.request.object;
  value.request.old_object.set("metadata", read(R"({"name":"w","namespace":"default","uid":"u","generation":4,
      "resourceVersion":"7"})"));
  value.request.old_object.set("status", read(R"({"phase":"Ready"})"));
  return value;
}

TEST(CustomResources, CountGenerationsByTheirContent) {
  Asked asked;
  asked.value = stored_case(R"({"size":1})", R"({"size":1})");
  EXPECT_EQ(asked.admit().stored["metadata"]["generation"].text(), "4");
  asked.value = stored_case(R"({"size":1})", R"({"size":2})");
  const auto changed = asked.admit();
  EXPECT_EQ(changed.stored["metadata"]["generation"].text(), "5");
  EXPECT_EQ(changed.stored["status"]["phase"].text(), "Ready") << "the status is a subresource";
  asked.value = stored_case(R"({"size":1})", R"({"size":1})");
  asked.patch = R"([{"op":"add","path":"/spec/unknown","value":1}])";
  EXPECT_EQ(asked.admit().stored["metadata"]["generation"].text(), "5") << "at every update, for ever";
}

TEST(CustomResources, TakeNothingButTheStatusFromARequestToIt) {
  Asked asked;
  asked.value = stored_case(R"({"size":1})", R"({"size":2})");
  asked.value.request.sub_resource = "status";
  asked.value.request.object.set("status", read(R"({"phase":"Gone"})"));
  const auto admission = asked.admit();
  ASSERT_TRUE(admission.allowed) << admission.status->message;
  EXPECT_EQ(text(admission.stored["spec"]), R"({"mode":"A","size":1})");
  EXPECT_EQ(admission.stored["status"]["phase"].text(), "Gone");
  EXPECT_EQ(admission.stored["metadata"]["generation"].text(), "4");
}

TEST(CustomResources, NeedADefinitionInTheCluster) {
  cases::Case value = Asked().spec(R"({"size":1})").value;
  value.cluster.objects = {configuration()};
  const auto admission = apiserver::admit(value, {{"c/w.example.io",
      [](const webhooks::Call&) { return webhooks::allow(); }}});
  ASSERT_FALSE(admission);
  EXPECT_EQ(admission.error().text(),
            "/request/object/kind: expected an object of a kind that the cluster serves, found Widget of "
            "example.io/v1; put its CustomResourceDefinition into cluster.objects");
}

/// Kinds of Kubernetes without a table here: their metadata are decoded and checked, and nothing else is.
TEST(OtherKinds, AreCalledAndStoredWithoutATable) {
  cases::Case value;
  value.cluster.objects = {read(R"({"apiVersion":"admissionregistration.k8s.io/v1",
    "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"w.example.io",
    "sideEffects":"None","admissionReviewVersions":["v1"],
    "rules":[{"apiGroups":["networking.k8s.io"],"apiVersions":["v1"],
    "operations":["CREATE"],"resources":["networkpolicies"]}]}]})")};
  value.request.object =
      read(R"({"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy","metadata":{"name":"d"},
    "spec":{"replicas":1}})");
  std::string seen;
  const auto handler = [&](const webhooks::Call& call) {
    seen = call.object["kind"].text();
    return webhooks::allow(read(R"([{"op":"replace","path":"/spec/replicas","value":2}])"));
  };
  const auto admission = apiserver::admit(value, {{"c/w.example.io", handler}});
  ASSERT_TRUE(admission) << admission.error().text();
  ASSERT_TRUE(admission->allowed);
  EXPECT_EQ(seen, "NetworkPolicy");
  EXPECT_EQ(admission->stored["spec"]["replicas"].text(), "2");
  EXPECT_EQ(admission->passes, 2) << "the first applied patch of a creation is a change";
}

/// The definition with these members of its spec, and rules about the spec as a whole.
Value ruled_definition(const char* members, const char* rules) {
  Value changed = definition();
  Value& spec = changed.edit("spec").edit("versions").edit(0).edit("schema").edit("openAPIV3Schema")
                    .edit("properties").edit("spec");
  const Value added = read(members);
  for (const document::Member& member : added.members())
    spec.edit("properties").set(member.key.name(), member.value);
  spec.set("x-kubernetes-validations", read(rules));
  return changed;
}

TEST(CustomResources, ObeyTheRulesOfTheirSchema) {
  const Value ruled = ruled_definition(
      R"({"top":{"type":"integer","x-kubernetes-validations":[
          {"rule":"self >= oldSelf","message":"only grows"}]}})",
      R"([{"rule":"!has(self.top) || self.size <= self.top","message":"size above top",
          "fieldPath":".size"}])");
  Asked asked;
  asked.spec(R"({"size":3,"top":2})").value.cluster.objects[0] = ruled;
  const auto refused = asked.admit();
  ASSERT_EQ(refused.invalid.size(), 1u);
  EXPECT_EQ(refused.invalid[0].field, "spec.size");
  EXPECT_EQ(refused.invalid[0].message, "Invalid value: size above top");
  asked.value.request.object.set("spec", read(R"({"size":"x","top":2})"));
  const auto blocked = asked.admit();
  ASSERT_EQ(blocked.invalid.size(), 2u);
  EXPECT_EQ(blocked.invalid[0].message,
            "Invalid value: null: some validation rules were not checked because the object was invalid; "
            "correct the existing errors to complete validation");

  asked.value = stored_case(R"({"size":1,"top":5})", R"({"size":1,"top":4})");
  asked.value.cluster.objects[0] = ruled;
  const auto shrunk = asked.admit();
  ASSERT_EQ(shrunk.invalid.size(), 1u);
  EXPECT_EQ(shrunk.invalid[0].message, "Invalid value: 4: only grows");
}

TEST(CustomResources, AreForgivenWhatAnUpdateLeavesAsItWas) {
  Asked asked;
  asked.value = stored_case(R"({"size":11})", R"({"size":11,"name":"a"})");
  EXPECT_TRUE(asked.admit().allowed);
  asked.value.cluster.version = "1.29";
  EXPECT_FALSE(asked.admit().allowed) << "servers forgive since 1.30";
  asked.value = stored_case(R"({"size":11})", R"({"size":12})");
  EXPECT_FALSE(asked.admit().allowed);
}

TEST(CustomResources, ReachWebhooksForAnotherVersionOfThem) {
  Asked asked;
  asked.spec(R"({"size":1})");
  asked.value.cluster.objects[1].edit("webhooks").edit(0).edit("rules").edit(0).set(
      "apiVersions", Value::list({"v2"}));
  std::string review, version;
  const auto admission = apiserver::admit(asked.value, {{"c/w.example.io", [&](const webhooks::Call& call) {
    version = call.object["apiVersion"].text();
    review = webhooks::write_review(call, "u");
    return webhooks::allow();
  }}});
  ASSERT_TRUE(admission && admission->allowed);
  EXPECT_EQ(version, "example.io/v2");
  const Value request = read(review.c_str())["request"];
  EXPECT_EQ(request["kind"]["version"].text(), "v2");
  EXPECT_EQ(request["requestKind"]["version"].text(), "v1");
  EXPECT_EQ(admission->stored["apiVersion"].text(), "example.io/v1");
  asked.value.cluster.objects[1].edit("webhooks").edit(0).set("matchPolicy", "Exact");
  EXPECT_EQ(asked.admit().calls.size(), 0u);
}

TEST(CustomResources, AreNotConvertedByAWebhook) {
  Asked asked;
  asked.spec(R"({"size":1})");
  asked.value.cluster.objects[0].edit("spec").set("conversion", Value{{"strategy", "Webhook"}});
  EXPECT_EQ(asked.admit().calls.size(), 1u) << "nothing is to be converted";
  asked.value.cluster.objects[1]
      .edit("webhooks")
      .edit(0)
      .edit("rules")
      .edit(0)
      .set("apiVersions", Value::list({"v2"}));
  const auto handler = [](const webhooks::Call&) { return webhooks::allow(); };
  const auto refused = apiserver::admit(asked.value, {{"c/w.example.io", handler}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text(),
            "conversion by webhook is not simulated: widgets.example.io from example.io/v1 to example.io/v2");
}

TEST(CustomResources, HaveRulesThatCompile) {
  Asked asked;
  asked.spec(R"({"size":1})").value.cluster.objects[0] =
      ruled_definition("{}", R"([{"rule":"self.nothing > 1"}])");
  const auto admission = apiserver::admit(asked.value, {{"c/w.example.io",
      [](const webhooks::Call&) { return webhooks::allow(); }}});
  ASSERT_FALSE(admission);
  EXPECT_NE(admission.error().text().find("undefined field 'nothing'"), std::string::npos)
      << admission.error().text();
}

}  // namespace
}  // namespace fixpoint::apiserver
