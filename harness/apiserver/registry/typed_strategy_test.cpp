#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/apiserver/admission/admission.h"
#include "harness/document/json.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::apiserver {
namespace {

using document::Value;

Value parsed(const char* text) { return *document::read_json(text, {}, document::Strictness::foreign); }

Value job() {
  return parsed(R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},"spec":{"template":{
    "metadata":{"labels":{"a":"b"}},"spec":{"restartPolicy":"Never",
    "containers":[{"name":"c","image":"i:1"}]}}}})");
}

Value deployment() {
  return parsed(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{
    "selector":{"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":{"app":"a"}},
    "spec":{"containers":[{"name":"c","image":"i:1"}]}}}})");
}

Value workload_webhook() {
  return parsed(R"({"apiVersion":"admissionregistration.k8s.io/v1",
    "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"w.example.io",
    "reinvocationPolicy":"IfNeeded","sideEffects":"None","admissionReviewVersions":["v1"],
    "rules":[{"apiGroups":["apps","batch"],"apiVersions":["*"],"operations":["*"],"resources":["*"]}]}]})");
}

/// The admission of an object through a webhook that answers with the patch.
Admission admitted(const cases::Case& given, const char* patch = "[]") {
  cases::Case value = given;
  value.cluster.objects.push_back(workload_webhook());
  const auto handler = [&](const webhooks::Call&) { return webhooks::allow(parsed(patch)); };
  auto admission = admit(value, {{"c/w.example.io", handler}});
  EXPECT_TRUE(admission) << (admission ? "" : admission.error().text());
  return *std::move(admission);
}

cases::Case creation(Value object) {
  cases::Case value;
  value.request.object = std::move(object);
  return value;
}

cases::Case update(const Value& old, Value object) {
  cases::Case value = creation(std::move(object));
  value.request.operation = "UPDATE";
  value.request.old_object = old;
  return value;
}

std::vector<std::string> fields_of(const Admission& admission) {
  std::vector<std::string> fields;
  for (const cases::FieldError& error : admission.invalid) fields.push_back(error.field);
  return fields;
}

TEST(Workloads, AJobTakesTheLabelsOfItsTemplateAndHasAGeneratedSelector) {
  const Admission untouched = admitted(creation(job()));
  ASSERT_TRUE(untouched.allowed);
  const Value& stored = untouched.stored;
  EXPECT_EQ(stored["spec"]["template"]["metadata"]["labels"]["job-name"].text(), "j");
  EXPECT_EQ(stored["spec"]["selector"]["matchLabels"].size(), 1u);
  EXPECT_EQ(stored["metadata"]["labels"], stored["spec"]["template"]["metadata"]["labels"]);
  // A patch parts the maps that were one in the server's memory.
  const Admission patched = admitted(creation(job()), R"([{"op":"add","path":"/metadata/finalizers",
      "value":["a.io/b"]}])");
  ASSERT_TRUE(patched.allowed);
  EXPECT_EQ(patched.stored["metadata"]["labels"], parsed(R"({"a":"b"})"));
}

TEST(Workloads, TheTemplateOfAJobIsFixedUnlessItIsSuspended) {
  constexpr const char* kSelector = R"([{"op":"add","path":"/spec/template/spec/nodeSelector",
      "value":{"disk":"ssd"}}])";
  const Value running = admitted(creation(job())).stored;
  const Admission refused = admitted(update(running, running), kSelector);
  EXPECT_FALSE(refused.allowed);
  EXPECT_EQ(fields_of(refused), std::vector<std::string>{"spec.template"});

  Value sent = job();
  sent.edit("spec").set("suspend", true);
  const Value suspended = admitted(creation(sent)).stored;
  EXPECT_TRUE(admitted(update(suspended, suspended), kSelector).allowed);
  // The stored Job decides: it may be resumed and changed at once.
  Value resumed = suspended;
  resumed.edit("spec").set("suspend", false);
  EXPECT_TRUE(admitted(update(suspended, resumed), kSelector).allowed);

  Value started = suspended;
  started.edit("status").set("startTime", "2026-01-01T00:00:00Z");
  EXPECT_FALSE(admitted(update(started, started), kSelector).allowed);
  started.edit("status").set("conditions", Value::list({Value{{"type", "Suspended"}, {"status", "True"}}}));
  EXPECT_TRUE(admitted(update(started, started), kSelector).allowed);
  cases::Case older = update(started, started);
  older.cluster.version = "1.35";
  EXPECT_FALSE(admitted(older, kSelector).allowed);
}

TEST(Workloads, AnnotationsOfADeploymentMakeANewGenerationAndLabelsDoNot) {
  const Value stored = admitted(creation(deployment())).stored;
  const auto generation = [&](const char* patch) {
    return admitted(update(stored, stored), patch).stored["metadata"]["generation"].integer();
  };
  EXPECT_EQ(generation("[]"), 1);
  EXPECT_EQ(generation(R"([{"op":"add","path":"/metadata/labels","value":{"a":"b"}}])"), 1);
  EXPECT_EQ(generation(R"([{"op":"add","path":"/metadata/annotations","value":{"a":"b"}}])"), 2);
  EXPECT_EQ(generation(R"([{"op":"add","path":"/spec/paused","value":true}])"), 2);
}

TEST(Workloads, ATemplateLacksWhatOnlyAPodIsGiven) {
  const Value stored = admitted(creation(deployment())).stored;
  const Value& spec = stored["spec"]["template"]["spec"];
  EXPECT_EQ(spec["restartPolicy"].text(), "Always");
  EXPECT_TRUE(spec["enableServiceLinks"].is_null());
  EXPECT_TRUE(spec["serviceAccountName"].is_null());
  EXPECT_TRUE(spec["tolerations"].is_null());
}

TEST(Workloads, AWebhookMayMakeAnotherKindOfNone) {
  const Admission admission =
      admitted(creation(deployment()), R"([{"op":"replace","path":"/kind","value":"StatefulSet"}])");
  EXPECT_FALSE(admission.allowed);
  ASSERT_TRUE(admission.status);
  EXPECT_EQ(admission.status->message,
            "converting (v1.StatefulSet) to (apps.Deployment): unknown conversion");
}

TEST(Workloads, AStatusUpdateChangesTheStatusAlone) {
  const Value stored = admitted(creation(deployment())).stored;
  Value sent = stored;
  sent.edit("spec").set("replicas", 9);
  sent.set("status", {{"replicas", 1}, {"readyReplicas", 2}});
  cases::Case value = update(stored, sent);
  value.request.sub_resource = "status";
  const Admission refused = admitted(value);
  EXPECT_EQ(fields_of(refused), std::vector<std::string>{"status.readyReplicas"});
  value.request.object.set("status", {{"replicas", 2}});
  const Admission taken = admitted(value);
  ASSERT_TRUE(taken.allowed);
  EXPECT_EQ(taken.stored["spec"]["replicas"].text(), "1");
  EXPECT_EQ(taken.stored["status"]["replicas"].text(), "2");
}

/// A stamp of a Pod's type must not be taken for one of a template's: each sets other defaults.
TEST(Workloads, ASpecThatTheyShareIsDefaultedForEach) {
  const Value pod_spec = parsed(R"({"containers":[{"name":"c","image":"i:1"}]})");
  cases::Case pod;
  pod.request.object = {
      {"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", {{"name", "p"}}}, {"spec", pod_spec}};
  Value workload = deployment();
  workload.edit("spec").edit("template").set("spec", pod_spec);
  const Value stored = admitted(creation(workload)).stored;
  EXPECT_TRUE(stored["spec"]["template"]["spec"]["enableServiceLinks"].is_null());
  pod.request.object.set("spec", stored["spec"]["template"]["spec"]);
  const auto admission = admit(pod, {});
  ASSERT_TRUE(admission);
  EXPECT_TRUE(admission->stored["spec"]["enableServiceLinks"].is_true());
}

}  // namespace
}  // namespace fixpoint::apiserver
