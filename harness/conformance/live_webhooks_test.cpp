#include "harness/conformance/live_webhooks.h"

#include <gtest/gtest.h>

#include "harness/cases/webhook_configuration.h"
#include "harness/conformance/real_server_test.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"

namespace fixpoint::conformance {
namespace {

using document::Value;

Value read(const std::string& text) { return document::read_json(text, {}).value(); }

Value configuration_of(const char* kind, const char* name, const std::string& webhooks) {
  return read(std::string(R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":")") + kind +
              R"(","metadata":{"name":")" + name + R"("},"webhooks":[)" + webhooks + "]}");
}
std::string webhook(const std::string& name, const std::string& more = "") {
  return R"({"name":")" + name +
         R"(","admissionReviewVersions":["v1"],"sideEffects":"None","failurePolicy":"Fail","rules":[{)"
         R"("apiGroups":[""],"apiVersions":["v1"],"operations":["*"],"resources":["*"],"scope":"*"}])" +
         more + "}";
}

cases::Case case_of(std::vector<Value> objects, const std::vector<std::string>& webhooks) {
  cases::Case value;
  value.request.namespace_name = "own";
  value.cluster.objects = std::move(objects);
  for (const std::string& one : webhooks) value.webhooks[one] = {};
  return value;
}

TEST(LiveWebhooks, AreRegisteredByTheirKindWithAProbeForEach) {
  const cases::Case value =
      case_of({configuration_of("ValidatingWebhookConfiguration", "v", webhook("v.b.c")),
               configuration_of("ValidatingWebhookConfiguration", "unanswered", webhook("u.b.c")),
               configuration_of("MutatingWebhookConfiguration", "m", webhook("m.b.c"))},
              {"m/m.b.c", "v/v.b.c"});
  const auto all = registered_webhooks(value, "run-", {"https://here:1", "authority"});
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(probes_of(value), 2U);
  const std::pair<std::string_view, const char*> expected[] = {{kMutatingPath, "run-m"},
                                                               {kValidatingPath, "run-v"},
                                                               {kMutatingPath, "run-probe"},
                                                               {kValidatingPath, "run-probe"}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].collection, expected[i].first) << i;
    EXPECT_EQ(all[i].object["metadata"]["name"].text(), expected[i].second) << i;
    const Value& one = all[i].object["webhooks"].at(0);
    EXPECT_TRUE(one["clientConfig"]["url"].text().starts_with("https://here:1/")) << i;
    EXPECT_EQ(one["namespaceSelector"]["matchExpressions"].at(0)["values"].at(0).text(), "own") << i;
    EXPECT_EQ(one["rules"].at(0)["scope"].text(), "Namespaced") << i;
  }
  const cases::Case none =
      case_of({configuration_of("ValidatingWebhookConfiguration", "unanswered", webhook("u.b.c"))}, {});
  EXPECT_EQ(probes_of(none), 1U);
  EXPECT_EQ(registered_webhooks(none, "run-", {"https://here:1", ""}).size(), 1U);
}

TEST(LiveWebhooks, OfTheValidatingPhaseHaveTheOrderOfTheirConfigurations) {
  const cases::Case value = case_of(
      {configuration_of("ValidatingWebhookConfiguration", "z", webhook("z.b.c")),
       configuration_of("ValidatingWebhookConfiguration", "v", webhook("1.b.c") + "," + webhook("2.b.c")),
       configuration_of("MutatingWebhookConfiguration", "m", webhook("y.b.c"))},
      {"m/y.b.c", "v/1.b.c", "v/2.b.c", "z/z.b.c"});
  EXPECT_EQ(in_order({"m/y.b.c", "m/y.b.c", "z/z.b.c", "v/2.b.c", "v/1.b.c"}, value),
            (std::vector<std::string>{"m/y.b.c", "m/y.b.c", "v/1.b.c", "v/2.b.c", "z/z.b.c"}));
}

/// A Case with a mutating webhook that adds a label, and validating ones.
Value case_with(const std::string& name, const std::string& validators, const std::string& scripts,
                const std::string& more_objects = "", const std::string& faults = "") {
  return read(
      R"({"apiVersion":"fixpoint/v1","kind":"Case","name":")" + name +
      R"(","request":{"object":{"metadata":{"name":")" + name +
      R"("},"spec":{"containers":[{"name":"a","image":"x:1"}]}}},"cluster":{"objects":[)" + more_objects +
      document::write_json(configuration_of("MutatingWebhookConfiguration", "m", webhook("m.b.c"))) + "," +
      document::write_json(configuration_of("ValidatingWebhookConfiguration", "v", validators)) +
      R"(]},"webhooks":{"m/m.b.c":{"script":[{"patch":[{"op":"add","path":"/metadata/labels",)"
      R"("value":{"seen":"yes"}}]}]},)" +
      scripts + R"(},"faults":[)" + faults + "]}");
}

/// Returns the audit annotations, without those of the mutating phase and of other plugins, that the server
/// wrote for the Pod of a Case.
Value audited(const std::string& log, const std::string& pod) {
  Value annotations = Value::empty_object();
  const auto events = document::read_file(log);
  EXPECT_TRUE(events) << log;
  if (!events) return annotations;
  for (const Value& event : *events) {
    if (event["objectRef"]["name"].text() != pod && event["requestObject"]["metadata"]["name"].text() != pod)
      continue;
    for (const document::Member& one : event["annotations"].members()) {
      const std::string_view key = one.key.text();
      if (key.starts_with("v.b.c/") || key.starts_with("w.b.c/") ||
          key.find("validating.webhook") != std::string_view::npos)
        annotations.set(std::string(key), one.value);
    }
  }
  return annotations;
}

TEST_F(RealServer, CallsTheValidatingWebhooksOfACase) {
  const std::string both = webhook("v.b.c") + "," + webhook("w.b.c"),
                    says = R"("v/v.b.c":{"script":[{"warn":["careful"]},{"audit":{"saw":"it"}}]},)";
  const std::string ignoring = R"({"name":"w.b.c","admissionReviewVersions":["v1"],"sideEffects":"None",)"
                               R"("failurePolicy":"Ignore","rules":[{"apiGroups":[""],"apiVersions":["v1"],)"
                               R"("operations":["CREATE"],"resources":["pods"]}]})";
  const std::string other_rule = R"({"name":"u.b.c","admissionReviewVersions":["v1"],"sideEffects":"None",)"
                                 R"("rules":[{"apiGroups":["apps"],"apiVersions":["v1"],)"
                                 R"("operations":["CREATE"],"resources":["pods"]}]},)";
  const std::string limits = R"({"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"l",)"
                             R"("namespace":"default"},"spec":{"limits":[{"type":"Pod",)"
                             R"("max":{"cpu":"1"}}]}},)";
  const std::string guarded = R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default",)"
                              R"("labels":{"pod-security.kubernetes.io/enforce":"restricted"}}},)";
  const struct {
    std::string name;
    Value value;
    const char* code;
    std::size_t calls;
    const char* audit;
  } rows[] = {
      {"labelled",
       case_with("labelled", both,
                 says + R"("v/w.b.c":{"script":[{"when":{"exists":"/metadata/labels/seen"},)"
                        R"("deny":{"code":403,"message":"no"}}]})"),
       "403", 3, R"({"v.b.c/saw":"it"})"},
      {"open",
       case_with("open", other_rule + webhook("v.b.c") + "," + ignoring,
                 says + R"("v/u.b.c":{"script":[]},"v/w.b.c":{"script":[]})", "",
                 R"({"webhook":"v/w.b.c","fault":"status-500"})"),
       "201", 3,
       R"({"failed-open.validating.webhook.admission.k8s.io/round_0_index_1":"w.b.c","v.b.c/saw":"it"})"},
      {"limited", case_with("limited", both, says + R"("v/w.b.c":{"script":[]})", limits), "403", 1, "{}"},
      {"guarded", case_with("guarded", both, says + R"("v/w.b.c":{"script":[]})", guarded), "403", 1, "{}"},
  };
  std::string names;
  for (const auto& row : rows) {
    write(row.name + ".json", document::write_json(row.value));
    names += row.name + ".json ";
  }
  const auto events = live(names, 0);
  ASSERT_EQ(events.size(), 4U);
  auto event = events.begin();
  for (const auto& row : rows) {
    const Value& line = (*event)["line"];
    EXPECT_EQ((*event)["answer"].text(), "agrees") << document::write_json(*event);
    EXPECT_EQ(line["code"].text(), row.code) << document::write_json(line);
    EXPECT_EQ(line["calls"].size(), row.calls) << document::write_json(line);
    EXPECT_EQ(document::write_json(document::sorted(audited((folder_ / "audit.log").string(), row.name))),
              row.audit)
        << row.name;
    ++event;
  }
  EXPECT_TRUE(left(std::string(kValidatingPath)).empty());
  EXPECT_TRUE(left(std::string(kMutatingPath)).empty());
}

}  // namespace
}  // namespace fixpoint::conformance
