// A webhook's tests in GoogleTest: it settles, one test a property, stored findings.
#include <fixpoint/gtest.h>
#include <fixpoint/nlohmann.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <string>

namespace {

constexpr const char* kConfiguration = R"(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: my-sidecar}
webhooks:
  - name: inject.example.io
    admissionReviewVersions: [v1]
    sideEffects: None
    reinvocationPolicy: IfNeeded
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
)";

bool has_sidecar(const nlohmann::json& pod) {
  for (const char* list : {"containers", "initContainers"}) {
    for (const auto& container : pod["spec"].value(list, nlohmann::json::array()))
      if (container.value("name", "") == "my-sidecar") return true;
  }
  return false;
}

/// Appends a container, unless it is there. With GROW in the environment, the guard is missing.
nlohmann::json inject(nlohmann::json pod) {
  if (has_sidecar(pod) && std::getenv("GROW") == nullptr) return pod;
  pod["spec"]["containers"].push_back({{"name", "my-sidecar"}, {"image", "sidecar:1"}});
  return pod;
}

const fixpoint::Webhook& own() {
  static const fixpoint::Webhook webhook(kConfiguration, fixpoint::on_json_object(inject));
  return webhook;
}

const fixpoint::TestOptions kOptions{.check = {.cases = 100}};

TEST(Sidecar, Settles) { EXPECT_THAT(own(), fixpoint::Settles(kOptions)); }

class SidecarProperty : public testing::TestWithParam<std::string> {};
TEST_P(SidecarProperty, Holds) {
  if (!fixpoint::is_decided(own(), GetParam(), kOptions.check)) GTEST_SKIP() << "decided in no Case";
  EXPECT_THAT(own(), fixpoint::Holds(GetParam(), kOptions));
}
INSTANTIATE_TEST_SUITE_P(Own, SidecarProperty, testing::ValuesIn(fixpoint::property_names()),
                         fixpoint::TestName());

class SidecarFinding : public testing::TestWithParam<std::string> {};
TEST_P(SidecarFinding, IsFixed) { EXPECT_THAT(own(), fixpoint::Fixes(GetParam())); }
INSTANTIATE_TEST_SUITE_P(Own, SidecarFinding, testing::ValuesIn(fixpoint::finding_files(FINDINGS)),
                         fixpoint::TestName());

constexpr const char* kWidgets = R"(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: my-widgets}
webhooks:
  - name: widgets.example.io
    admissionReviewVersions: [v1]
    sideEffects: None
    rules: [{apiGroups: [example.io], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [widgets]}]
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
          required: [spec]
          properties: {spec: {type: object, properties: {replicas: {type: integer, minimum: 0}}}}
)";

/// Sets the default number of replicas.
nlohmann::json set_replicas(nlohmann::json widget) {
  if (!widget["spec"].contains("replicas")) widget["spec"]["replicas"] = 1;
  return widget;
}

/// kWidgets holds the configuration and, behind `---`, the definition of Widgets.
const fixpoint::Webhook& defaulter() {
  static const fixpoint::Webhook webhook(kWidgets, fixpoint::on_json_object(set_replicas));
  return webhook;
}

TEST(Widgets, AreDefaultedSoundly) { EXPECT_THAT(defaulter(), fixpoint::IsSound(kOptions)); }

}  // namespace

int main(int count, char** values) {
  testing::InitGoogleMock(&count, values);
  return RUN_ALL_TESTS();
}
