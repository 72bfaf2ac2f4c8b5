#include "harness/runner/diagnosis/denial.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/properties/one_webhook_test.h"
#include "harness/runner/diagnosis/cause.h"
#include "harness/runner/diagnosis/guard.h"
#include "harness/runner/examine.h"

namespace fixpoint::runner {
namespace {

bool is_designed(const char* value, std::string_view message) {
  document::Value pod = document::read_json(R"({"metadata":{},"spec":{"serviceAccountName":"robot",
      "containers":[{"name":"main","image":"a"}]}})")
                            .value();
  pod.edit("metadata").edit("annotations").set("agent.example.io/level", value);
  return is_refusal_by_design(pod, message);
}

TEST(Denial, IsByDesignIfItNamesWhatIsWrong) {
  EXPECT_TRUE(is_designed("shout", "unknown level \"shout\""));
  EXPECT_TRUE(is_designed("shout", "agent.example.io/level is none of debug, info"));
  EXPECT_TRUE(is_designed("debug", "serviceaccounts \"robot\" not found"));
  EXPECT_FALSE(is_designed("shout", "index out of range"));
  EXPECT_FALSE(is_designed("shout", "container main not found")) << "the Pod has it";
  EXPECT_TRUE(is_designed("b", "profile \"b\" not found")) << "short, and quoted";
  EXPECT_FALSE(is_designed("in", "invalid syntax")) << "too short to be a word of the message";
  EXPECT_TRUE(is_designed("debug", "cannot find container: proxy"));
  EXPECT_TRUE(is_designed("debug", "mountPath \"/logs\" already used by volume \"b\""));
  EXPECT_TRUE(is_designed("debug", "Pod is missing the label of its cluster"));
  EXPECT_TRUE(is_designed("debug", "no credentials provided"));
  EXPECT_TRUE(is_designed("debug", "profile hasn't been initialized with a status"));
  EXPECT_FALSE(is_designed("debug", "inject() missing 1 required positional argument: 'pod'"));
  EXPECT_FALSE(is_designed("10k", "level must be one of 1, 2, not 10k")) << "every webhook must read 10k";
}

/// Refuses with 500 and that message; none if it is empty.
webhooks::Handler refusing(std::function<std::string(const webhooks::Call&)> message) {
  return [message = std::move(message)](const webhooks::Call& call) {
    const std::string text = message(call);
    return text.empty() ? webhooks::allow() : webhooks::deny(500, "InternalError", text);
  };
}

/// Returns the cause of the first refusal of a Pod in a cluster with these objects.
cases::Cause cause_with(const char* annotations, const char* objects, const webhooks::Handler& handler) {
  document::Value pod = document::read_json(R"({"metadata":{"name":"p","namespace":"default"},
      "spec":{"containers":[{"name":"main","image":"a"}]}})")
                            .value();
  pod.edit("metadata").set("annotations", document::read_json(annotations).value());
  cases::Case value =
      properties::of_one_webhook(cases::InjectorName{"test/handler"}, document::write_json(pod).c_str());
  const document::Value more = document::read_json(objects).value();
  for (const document::Value& object : more.elements()) value.cluster.objects.push_back(object);
  const webhooks::Resolve resolve = [&](std::string_view) -> document::Result<webhooks::Handler> {
    return handler;
  };
  const auto prepared = prepare(value, resolve, {}).value();
  const auto& property = *properties::find("answers");
  const auto judgement = judged_by(property, examination_of(prepared, {}));
  const auto& violation = std::get<properties::Violated>(judgement).violations.front();
  return cause_of(prepared, property, violation, resolve, {});
}

std::string data_of(const webhooks::Call& call, const char* kind, const char* key) {
  const auto found = call.cluster.of_kind(kind);
  return found.empty() ? "" : std::string((*found.front())["data"][document::Name(key)].text());
}

TEST(Denial, IsOfAnObjectThatFailsEveryRequest) {
  const auto reads_settings = refusing([](const webhooks::Call& call) {
    const std::string limit = data_of(call, "ConfigMap", "limit");
    return limit == "1" ? "" : "bad limit " + limit;
  });
  const char* settings =
      R"([{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings","namespace":"system"},
           "data":{"limit":"1Gx"}}])";
  const auto cause = cause_with("{}", settings, reads_settings);
  EXPECT_TRUE(has_word(cause, kMisconfigured));
  EXPECT_EQ(cause.place, "ConfigMap system/settings");
  const auto always = cause_with("{}", settings, refusing([](const auto&) { return "it is broken"; }));
  EXPECT_TRUE(always.change.empty()) << "no object is to blame";
  const auto reads_definition = refusing([](const webhooks::Call& call) {
    return call.cluster.of_kind({"CustomResourceDefinition", "apiextensions.k8s.io"}).empty()
               ? ""
               : "it is broken";
  });
  const char* definition = R"([{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
      "metadata":{"name":"widgets.example.io"}}])";
  EXPECT_FALSE(has_word(cause_with("{}", definition, reads_definition), kMisconfigured))
      << "a definition makes the object one of its kind";
}

TEST(Denial, IsOfAStrangersObjectThatTheRequestDoesNotName) {
  const auto reads_rules = refusing([](const webhooks::Call& call) {
    const bool asks = !call.object["metadata"]["annotations"]["example.io/model"].is_null();
    for (const document::Value* rule : call.cluster.of_kind({"Rule", "example.io"}))
      if (asks && (*rule)["spec"]["regex"].text() == "(") return std::string("no expression: (");
    return std::string();
  });
  const char* rule = R"([{"apiVersion":"example.io/v1","kind":"Rule","metadata":{"name":"other"},
      "spec":{"regex":"("}}])";
  const auto cause = cause_with(R"({"example.io/model":"m"})", rule, reads_rules);
  EXPECT_TRUE(has_word(cause, kOfStranger));
  EXPECT_EQ(cause.place, "Rule");
  EXPECT_FALSE(has_word(cause_with(R"({"example.io/model":"other"})", rule, reads_rules), kOfStranger))
      << "the Pod names it";
}

TEST(Denial, IsByDesignIfASecretOrAConfiguredWordIsWrong) {
  const auto reads_secret = refusing([](const webhooks::Call& call) {
    if (call.object["metadata"]["annotations"]["example.io/store"].is_null()) return "";
    return data_of(call, "Secret", "kind").empty() ? "the kind of the store is unknown" : "unusable store";
  });
  const char* secret =
      R"([{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"data":{"kind":"ZnRw"}}])";
  EXPECT_TRUE(has_word(cause_with(R"({"example.io/store":"a"})", secret, reads_secret), kByDesign));
  const auto names_word = refusing([](const webhooks::Call& call) {
    if (call.object["metadata"]["annotations"]["example.io/store"].is_null()) return std::string();
    return "unreadable: " + data_of(call, "ConfigMap", "name");
  });
  const char* names = R"([{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},
      "data":{"name":"none-such"}}])";
  EXPECT_TRUE(has_word(cause_with(R"({"example.io/store":"a"})", names, names_word), kByDesign));
  const auto breaks = refusing([](const webhooks::Call& call) {
    return call.object["metadata"]["annotations"]["example.io/store"].is_null() ? "" : "index out of range";
  });
  EXPECT_FALSE(has_word(cause_with(R"({"example.io/store":"a"})", secret, breaks), kByDesign));
}

TEST(Denial, IsADefectIfTheValueIsLegal) {
  for (const char* value : {"10k", "1.5Gi", "500m", "30s", "1h30m", "True", "1e3", "8080"})
    EXPECT_FALSE(is_designed(value, std::string("strconv.Atoi: parsing \"") + value + "\": invalid syntax"));
}

}  // namespace
}  // namespace fixpoint::runner
