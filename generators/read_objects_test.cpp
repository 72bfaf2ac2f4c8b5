#include "generators/read_objects.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "generators/learn_calls.h"
#include "generators/subjects.h"
#include "harness/cases/case.h"
#include "harness/cases/plain_namespace.h"
#include "harness/document/json.h"
#include "harness/document/yaml.h"
#include "harness/properties/acted.h"
#include "harness/runner/examine.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::generators {
namespace {

Value yaml(const char* text) { return document::read_yaml(text).value(); }

Subject a_subject() {
  Subject subject{.name = "reader"};
  subject.configuration = yaml(R"(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: reader}
webhooks:
- name: read.example.io
  rules: [{operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods]}]
  clientConfig: {service: {namespace: a, name: b}}
  sideEffects: None
  reinvocationPolicy: IfNeeded
  admissionReviewVersions: [v1])");
  subject.webhooks["reader/read.example.io"] = cases::Command{.argv = {"reader"}};
  subject.vocabulary.add_common(runner::Trigger::Where::annotation,
                                {{"example.com/secret", {"db", "cache"}}});
  return subject;
}

/// Injects an env variable from the Secret that an annotation names, as a program does that reads the API.
webhooks::Answer inject_from_secret(const webhooks::Call& call) {
  const std::string name(call.object["metadata"]["annotations"]["example.com/secret"].text());
  if (name.empty()) return webhooks::allow();
  const Value* secret = call.cluster.find("Secret", call.request.namespace_name, name);
  webhooks::Answer answer = webhooks::allow();
  if (secret != nullptr && !(*secret)["data"].empty()) {
    Value pod = call.object;
    pod.edit("spec").set("schedulerName", "injected");
    answer = webhooks::allow_change(call.object, pod);
  }
  answer.accesses = {{.verb = "get",
                      .version = "v1",
                      .resource = "secrets",
                      .kind = "Secret",
                      .namespace_name = call.request.namespace_name,
                      .name = name,
                      .status = secret != nullptr ? 200 : 404}};
  return answer;
}

webhooks::Resolve reading() {
  webhooks::Resolve resolve(
      [](std::string_view) -> document::Result<webhooks::Handler> { return document::Error{"no injector"}; });
  resolve.outside = [](const cases::Backend&) -> document::Result<webhooks::Handler> {
    return webhooks::Handler(inject_from_secret);
  };
  return resolve;
}

int acting_cases(const Subjects& subjects, const webhooks::Resolve& resolve) {
  const DrawContext draw_context({.subjects = subjects.chains.subjects, .has_faults = false});
  int acting = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    runner::Choices choices(7, i);
    const auto prepared = runner::prepare(draw(choices, draw_context), resolve, {});
    if (!prepared) continue;
    for (const bool acts : properties::acting_calls(prepared->value, prepared->admission)) {
      acting += acts ? 1 : 0;
      if (acts) break;
    }
  }
  return acting;
}

TEST(ReadObjects, AreLearnedFromCallsAndMakeTheWebhookAct) {
  Subjects subjects{.chains = {.subjects = {a_subject()}}};
  const webhooks::Resolve resolve = reading();
  EXPECT_EQ(acting_cases(subjects, resolve), 0) << "nothing makes Secrets for an unknown webhook";
  ASSERT_FALSE(learn_from_calls(subjects, resolve, {}, 1, 0));
  const auto& reads = subjects.chains.subjects[0].vocabulary.reads;
  ASSERT_EQ(reads.size(), 1u);
  EXPECT_EQ(reads[0].kind, "Secret");
  EXPECT_EQ(reads[0].sources, std::vector<std::string>{"metadata.annotations['example.com/secret']"});
  EXPECT_GT(acting_cases(subjects, resolve), 30);
}

constexpr const char* kAnySize =
    "{type: object, properties: {spec: {type: object, properties: {size: {type: integer, minimum: 1, "
    "maximum: 9}}}}}";

/// Draws the Cases of a run of a subject that reads Profiles, in the Pod's namespace or in those.
std::vector<Case> drawn(bool is_watched, const std::vector<std::string>& spaces = {},
                        const char* schema = kAnySize) {
  Subject subject = a_subject();
  subject.vocabulary.reads = {{.api_version = "example.com/v1",
                               .kind = "Profile",
                               .is_watched = is_watched,
                               .namespaces = spaces,
                               .schema = yaml(schema)}};
  const DrawContext draw_context({.subjects = {subject}, .has_faults = false});
  std::vector<Case> all;
  for (std::uint64_t i = 0; i < 4 * kCasesOfACluster; ++i) {
    runner::Choices choices(3, i);
    all.push_back(draw(choices, draw_context));
  }
  return all;
}

TEST(ReadObjects, AreOnesThatTheApiServerStores) {
  constexpr const char* kEitherOr =
      "{type: object, required: [spec], properties: {spec: {type: object, "
      "properties: {byName: {type: string}, bySize: {type: integer}}, "
      "oneOf: [{required: [byName]}, {required: [bySize]}]}}}";
  int profiles = 0;
  for (const Case& value : drawn(false, {}, kEitherOr)) {
    for (const Value& object : value.cluster.objects) {
      if (object["kind"].text() != "Profile") continue;
      ++profiles;
      EXPECT_NE(object["spec"]["byName"].is_null(), object["spec"]["bySize"].is_null())
          << document::write_yaml(object);
    }
  }
  EXPECT_GT(profiles, 10);
}

/// A webhook that lists by a label finds objects with the value that the Pod names.
TEST(ReadObjects, ThatAreSelectedByALabelHaveItsValueOfThePod) {
  Subject subject = a_subject();
  subject.vocabulary.reads = {{.api_version = "example.com/v1",
                               .kind = "Profile",
                               .labels = {{"example.com/secret", "asked"}},
                               .schema = yaml(kAnySize)}};
  const DrawContext draw_context({.subjects = {subject}, .has_faults = false});
  int equal = 0, asked = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    runner::Choices choices(3, i);
    const Case value = draw(choices, draw_context);
    const Value& named = value.request.object["metadata"]["annotations"]["example.com/secret"];
    for (const Value& object : value.cluster.objects) {
      if (object["kind"].text() != "Profile") continue;
      const Value& label = object["metadata"]["labels"]["example.com/secret"];
      equal += !named.is_null() && label == named ? 1 : 0;
      asked += named.is_null() && label.text() == "asked" ? 1 : 0;
    }
  }
  EXPECT_GT(equal, 20);
  EXPECT_GT(asked, 20);
}

TEST(ReadObjects, OfASchemaThatTakesNothingAreNotDrawn) {
  for (const Case& value :
       drawn(false, {}, "{type: object, properties: {spec: {not: {}}}, required: [spec]}")) {
    for (const Value& object : value.cluster.objects) EXPECT_NE(object["kind"].text(), "Profile");
  }
}

std::set<std::string> profiles_in(const Case& value, std::string_view space) {
  std::set<std::string> texts;
  for (const Value& object : value.cluster.objects) {
    if (object["kind"].text() == "Profile" && object["metadata"]["namespace"].text() == space)
      texts.insert(document::write_yaml(object));
  }
  return texts;
}

/// Each change of what does not stand in a Case's own namespace makes all Cases wait.
TEST(ReadObjects, OfOtherNamespacesAreSharedByCasesAndByMoreIfTheyAreWatched) {
  for (const bool is_watched : {true, false}) {
    const auto all = drawn(is_watched, {"system"});
    std::size_t changes = 0;
    std::optional<std::set<std::string>> last;
    for (const Case& value : all) {
      auto now = profiles_in(value, "system");
      changes += last && *last != now ? 1 : 0;
      last = std::move(now);
    }
    EXPECT_LT(changes, all.size() / (is_watched ? kCasesOfACluster : kCasesOfSettings));
    EXPECT_GT(changes, is_watched ? 0u : all.size() / kCasesOfACluster);
  }
}

/// Nobody waits for the events of another Case, so that each has objects of its own.
TEST(ReadObjects, BesideThePodAreInANamespaceOfTheCase) {
  std::set<std::string> spaces;
  std::size_t with_profiles = 0;
  for (const Case& value : drawn(true)) {
    const std::string& space = value.request.namespace_name;
    EXPECT_TRUE(profiles_in(value, "default").empty());
    with_profiles += profiles_in(value, space).empty() ? 0 : 1;
    if (cases::is_plain_namespace(space)) spaces.insert(space);
  }
  EXPECT_GT(with_profiles, kCasesOfACluster);
  EXPECT_GT(spaces.size(), kCasesOfACluster);
}

TEST(ReadObjects, StayTheSameForASeedAndReadBack) {
  const auto once = drawn(true), again = drawn(true);
  EXPECT_EQ(once, again);
  for (const Case& value : once) EXPECT_TRUE(cases::read_case(cases::write_case(value)));
}

TEST(ReadObjects, OfAChartStayWhateverAnExampleBrings) {
  const auto settings = [](const char* mode) {
    return Value{{"apiVersion", "v1"},
                 {"kind", "ConfigMap"},
                 {"metadata", {{"name", "settings"}, {"namespace", "a"}}},
                 {"data", {{"mode", mode}}}};
  };
  Subject subject = a_subject();
  subject.objects = {settings("of the chart")};
  Case example;
  example.request.object = yaml("{metadata: {name: web}, spec: {containers: [{name: app, image: app}]}}");
  example.cluster.objects = {settings("of the example")};
  subject.examples = {example};
  const DrawContext draw_context({.subjects = {subject}, .has_faults = false});
  for (std::uint64_t i = 0; i < 100; ++i) {
    runner::Choices choices(3, i);
    const Case value = draw(choices, draw_context);
    const Value* found = value.cluster.find("ConfigMap", "a", "settings");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(*found, settings("of the chart"));
  }
}

/// A subject with a ConfigMap of its chart, which it reads.
Subject with_settings(bool is_watched) {
  Subject subject = a_subject();
  subject.objects = {yaml(R"(
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: a}
data:
  logger: '{"image": "logger:1", "enabled": false, "caBundleConfigMap": "", "prefix": ""}'
  agent.yaml: "limits: {cpu: 1}\ndebug: true\n"
  metrics: "false"
  plain: text)")};
  subject.vocabulary.reads = {
      {.api_version = "v1", .kind = "ConfigMap", .is_watched = is_watched, .names = {"settings"}}};
  return subject;
}

TEST(ReadObjects, SettingsOfAChartAreChangedToOtherLegalOnes) {
  const Subject subject = with_settings(false);
  const DrawContext draw_context({.subjects = {subject}, .has_faults = false});
  std::set<std::string> changes;
  int unchanged = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    runner::Choices choices(5, i);
    const Case value = draw(choices, draw_context);
    const Value* found = value.cluster.find("ConfigMap", "a", "settings");
    ASSERT_NE(found, nullptr);
    const std::string said((*found)["metadata"]["annotations"]["fixpoint/changed-settings"].text());
    EXPECT_EQ(said.empty(), *found == subject.objects[0]);
    unchanged += said.empty() ? 1 : 0;
    if (said.find(", ") == std::string::npos) changes.insert(said);
    EXPECT_EQ((*found)["data"]["plain"].text(), "text");
    const Value logger = yaml(std::string((*found)["data"]["logger"].text()).c_str());
    EXPECT_EQ(logger["image"].text(), "logger:1");
    EXPECT_EQ(logger["prefix"].text(), "");
  }
  EXPECT_GT(unchanged, 200);
  EXPECT_EQ(changes,
            (std::set<std::string>{"", "agent.yaml.debug = false", "logger.enabled = true",
                                   R"(logger.caBundleConfigMap = "example")", R"(metrics = "true")"}));
}

TEST(ReadObjects, CasesThatShareWatchedObjectsShareTheirSettings) {
  const DrawContext draw_context({.subjects = {with_settings(true)}, .has_faults = false});
  std::set<std::string> seen;
  for (std::uint64_t cluster = 0; cluster < 40; ++cluster) {
    std::set<std::string> settings;
    for (std::uint64_t i = 0; i < kCasesOfACluster; ++i) {
      runner::Choices choices(5, cluster * kCasesOfACluster + i);
      const Case value = draw(choices, draw_context);
      settings.insert(document::write_json(*value.cluster.find("ConfigMap", "a", "settings")));
    }
    EXPECT_EQ(settings.size(), 1U);
    seen.insert(settings.begin(), settings.end());
  }
  EXPECT_GT(seen.size(), 2U);
}

/// A manifest brings the workload of the Pods along, which has the Pods' own namespace.
TEST(ReadObjects, OfAManifestInDefaultAreInTheNamespaceOfTheCase) {
  Subject subject = a_subject();
  const Value profile = yaml(
      "{apiVersion: example.com/v1, kind: Profile, metadata: {name: example, namespace: default}, spec: "
      "{size: 7}}");
  subject.objects = {profile};
  subject.vocabulary.reads = {{.api_version = "example.com/v1", .kind = "Profile", .schema = yaml(kAnySize)}};
  const DrawContext draw_context({.subjects = {subject}, .has_faults = false});
  int plain = 0;
  for (std::uint64_t i = 0; i < 64; ++i) {
    runner::Choices choices(3, i);
    const Case value = draw(choices, draw_context);
    const std::string& own = value.request.namespace_name;
    if (!cases::is_plain_namespace(own)) continue;
    ++plain;
    Value copy = profile;
    copy.edit("metadata").set("namespace", own);
    EXPECT_TRUE(profiles_in(value, own).contains(document::write_yaml(copy))) << "not another of its name";
  }
  EXPECT_GT(plain, 32);
}

/// An example keeps the namespace that it states, or has moved whole into that of the Case.
TEST(ReadObjects, OfAnExampleThatStatesItsNamespaceMoveWithIt) {
  Subject subject = a_subject();
  subject.vocabulary.reads = {{.api_version = "example.com/v1", .kind = "Profile", .schema = yaml(kAnySize)}};
  Case example;
  example.request.object =
      yaml("{metadata: {name: web, namespace: default}, spec: {containers: [{name: app, image: app}]}}");
  subject.examples = {example};
  const DrawContext draw_context({.subjects = {subject}, .has_faults = false, .has_updates = false});
  int stated = 0;
  for (std::uint64_t i = 1; i < 400; ++i) {
    runner::Choices choices(3, i);
    const Case value = draw(choices, draw_context);
    const Value& space = value.request.object["metadata"]["namespace"];
    if (space.is_null()) continue;
    ++stated;
    EXPECT_EQ(space.text(), value.request.namespace_name);
  }
  EXPECT_GT(stated, 50);
}

/// No cluster has an object with a name that the server refuses, whatever text names one.
TEST(ReadObjects, HaveNamesThatAServerTakes) {
  Subject subject = a_subject();
  subject.vocabulary.reads = {{.api_version = "example.com/v1",
                               .kind = "Profile",
                               .names = {"oci://models", "64Mi", "Upper", "a.b-1", ""},
                               .schema = yaml(kAnySize)}};
  const DrawContext draw_context({.subjects = {subject}, .has_faults = false});
  std::set<std::string> names;
  for (std::uint64_t i = 0; i < 64; ++i) {
    runner::Choices choices(3, i);
    const Case value = draw(choices, draw_context);
    for (const Value& object : value.cluster.objects)
      if (object["kind"].text() == "Profile") names.emplace(object["metadata"]["name"].text());
  }
  EXPECT_EQ(names, std::set<std::string>{"a.b-1"});
}

}  // namespace
}  // namespace fixpoint::generators
