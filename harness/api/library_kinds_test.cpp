// The library takes webhooks for workloads and for custom resources as it takes those for Pods.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "harness/api/gtest.h"
#include "harness/api/nlohmann.h"
#include "harness/api/rapidcheck.h"

namespace fixpoint {
namespace {

const TestOptions kOfKinds{.check = {.cases = 400}};

std::string configuration_of(const std::string& group, const std::string& version,
                             const std::string& plural) {
  return R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration",
    "metadata":{"name":"own"},"webhooks":[{"name":"own.example.io","admissionReviewVersions":["v1"],
    "sideEffects":"None","reinvocationPolicy":"IfNeeded","rules":[{"apiGroups":[")" +
         group + R"("],"apiVersions":[")" + version +
         R"("],"operations":["CREATE","UPDATE"],"resources":[")" + plural + R"("]}]}]})";
}

constexpr const char* kWidgets = R"(
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.io}
spec:
  group: example.io
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              replicas: {type: integer, minimum: 0, maximum: 9}
              hosts: {type: array, items: {type: string}}
)";

/// A defaulter of Widgets. Without the guard it takes 0 replicas for none, and adds its host at every call.
Webhook widgets(bool has_guard) {
  return {configuration_of("example.io", "v1", "widgets") + kWidgets,
          on_json_object([has_guard](nlohmann::json widget) {
            nlohmann::json& spec = widget["spec"];
            if (spec.is_null()) spec = nlohmann::json::object();
            const bool is_given = spec.contains("replicas") && (has_guard || spec["replicas"] != 0);
            if (!is_given) spec["replicas"] = 1;
            nlohmann::json& hosts = spec["hosts"];
            if (!has_guard || hosts.empty()) hosts.push_back("example.io");
            return widget;
          })};
}

/// Labels the template of a Deployment; without the guard it replaces all labels.
Webhook deployments(bool has_guard) {
  return {configuration_of("apps", "v1", "deployments"), on_json_object([has_guard](nlohmann::json object) {
            nlohmann::json& labels = object["spec"]["template"]["metadata"]["labels"];
            if (!has_guard) labels = nlohmann::json::object();
            labels["team"] = "a";
            return object;
          })};
}

TEST(LibraryKinds, MatchersTakeADefaulterOfACustomResource) {
  EXPECT_THAT(widgets(true), IsSound(kOfKinds));
  const Webhook growing = widgets(false);
  EXPECT_THAT(growing, testing::Not(Settles(kOfKinds)));
  EXPECT_THAT(growing, testing::Not(Holds("explicit-kept", kOfKinds)));
  EXPECT_THAT(growing, Holds("answers", kOfKinds));
}

TEST(LibraryKinds, MatchersTakeAWebhookOfWorkloads) {
  EXPECT_THAT(deployments(true), IsSound(kOfKinds));
  EXPECT_THAT(deployments(false), testing::Not(Holds("valid-spec", kOfKinds)));
}

TEST(LibraryKinds, CasesAreOfTheKind) {
  const Webhook own = widgets(true);
  for (std::uint64_t number = 0; number < 20; ++number) {
    const Case drawn = draw_case(1, number, own);
    const auto object = nlohmann::json::parse(drawn.object());
    EXPECT_EQ(object.value("kind", ""), "Widget") << drawn.text();
    const Admitted alone = admit(drawn.only(Part::object), own);
    EXPECT_TRUE(alone.allowed || alone.code == 422) << alone.message;
  }
  const Case written = Case().with_object(
      R"({"apiVersion":"example.io/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"replicas":10}})");
  const Admitted refused = admit(written, own);
  EXPECT_EQ(refused.code, 422) << "the manifest's definition judges it";
  EXPECT_THAT(refused.message, testing::HasSubstr("spec.replicas"));
}

TEST(LibraryKinds, RapidCheckDrawsThemAndShrinksThem) {
  const Webhook own = widgets(false);
  const auto found = rc::check("replicas of 0 are kept", [&] {
    const Case drawn = *cases_for(own);
    for (const CheckFinding& finding : violations(drawn, own)) RC_ASSERT(finding.property != "explicit-kept");
  });
  EXPECT_FALSE(found);
  EXPECT_TRUE(rc::check("a part is of the kind, too", [&] {
    const auto object = *parts_for<Part::object>(own);
    RC_ASSERT(nlohmann::json::parse(object.text()).value("kind", "") == "Widget");
  }));
}

TEST(LibraryKinds, AManifestThatCannotBeUsedIsRefusedWithWhatIsMissing) {
  const auto problem = [](const std::string& manifest) {
    return Webhook(manifest, on_object([](const std::string& same) { return same; })).problem();
  };
  const std::string own = configuration_of("example.io", "v1", "widgets");
  EXPECT_THAT(problem(own), testing::HasSubstr("give the CustomResourceDefinitions of its kinds"));
  EXPECT_THAT(problem(own + kWidgets + "---\nkind: Job\n"), testing::HasSubstr("found Job"));
  EXPECT_THAT(problem(own + "\n---\n" + own),
              testing::HasSubstr("expected one MutatingWebhookConfiguration"));
  EXPECT_EQ(problem(own + kWidgets), "");
}

}  // namespace
}  // namespace fixpoint
