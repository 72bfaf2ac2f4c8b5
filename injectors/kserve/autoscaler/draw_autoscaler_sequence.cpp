#include "injectors/kserve/autoscaler/draw_autoscaler_sequence.h"

#include <array>

#include "harness/apiserver/defaulting/default_autoscaler.h"
#include "harness/document/json.h"
#include "injectors/kserve/autoscaler/component.h"

namespace fixpoint::injectors::kserve::autoscaler {

namespace {

using cases::Sequence;
using cases::Step;
using runner::Choices;

constexpr int kStepsMax = 8;
constexpr std::uint64_t kOneInOfNoSpec = 64;  ///< the component's spec is null

constexpr std::array<const char*, 3> kVerbs{"create", "update", "delete"};
constexpr std::array<const char*, 6> kClasses{"absent", "hpa", "external", "none", "keda", "kpa"};

/// Component extensions whose autoscaler the API server would accept.
constexpr std::array<const char*, 9> kSpecs{
    R"({})",
    R"({"minReplicas":1,"maxReplicas":3})",
    R"({"minReplicas":2,"maxReplicas":5})",
    R"({"maxReplicas":4,"scaleTarget":60})",
    R"({"minReplicas":1,"maxReplicas":3,"scaleMetric":"memory","scaleTarget":70})",
    R"({"maxReplicas":3,"autoScaling":{"metrics":[{"type":"Resource","resource":{"name":"cpu",
        "target":{"type":"Utilization","averageUtilization":60}}},{"type":"Resource","resource":{
        "name":"memory","target":{"type":"Utilization","averageUtilization":70}}}]}})",
    R"({"maxReplicas":2,"autoScaling":{"metrics":[{"type":"Resource","resource":{"name":"memory",
        "target":{"type":"AverageValue","averageValue":"1Gi"}}}]}})",
    R"({"maxReplicas":2,"scaleMetric":"memory"})",
    R"({"maxReplicas":3,"autoScaling":{"metrics":[{"type":"Resource","resource":{"name":"memory",
        "target":{"type":"Utilization"}}}]}})"};

/// Specs of stored autoscalers: a user's, one that a reconciler would write, and one with its own behavior.
constexpr std::array<const char*, 3> kStored{
    R"({"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"model-predictor"},
        "minReplicas":2,"maxReplicas":9})",
    R"({"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"model-predictor"},
        "minReplicas":1,"maxReplicas":3,"behavior":{}})",
    R"({"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"model-predictor"},
        "maxReplicas":3,"behavior":{"scaleDown":{"stabilizationWindowSeconds":60}}})"};

/// Owners other than the component's InferenceService.
constexpr std::array<const char*, 2> kOtherOwners{
    R"({"apiVersion":"apps/v1","kind":"Deployment","name":"other","uid":"3","controller":true})",
    R"({"apiVersion":"serving.kserve.io/v1alpha1","kind":"InferenceGraph","name":"model-predictor","uid":"4",
        "controller":true,"blockOwnerDeletion":true})"};

constexpr const char* kOurOwner =
    R"({"apiVersion":"serving.kserve.io/v1beta1","kind":"InferenceService","name":"","uid":"",
        "controller":true,"blockOwnerDeletion":true})";

template <std::size_t n>
std::vector<Value> read_all(const std::array<const char*, n>& texts) {
  std::vector<Value> values;
  for (const char* text : texts) values.push_back(document::read_json(text).value());
  return values;
}

/// The parsed texts, one copy for each thread.
struct ParsedTexts {
  std::vector<Value> specs = read_all(kSpecs), stored = read_all(kStored), others = read_all(kOtherOwners);
  Value ours = document::read_json(kOurOwner).value();
  Value labels{{"serving.kserve.io/inferenceservice", "model"}};
  ParsedTexts() {
    ours.set("name", kOwnerName);
    ours.set("uid", kOwnerUid);
  }
};
const ParsedTexts& parsed() {
  static thread_local const ParsedTexts all;
  return all;
}

void draw_owner(Choices& choices, Value& metadata) {
  switch (choices.below(4)) {
    case 0:
      return;
    case 1:
    case 2:
      metadata.set("ownerReferences", Value::list({parsed().ours}));
      return;
    default:
      metadata.set("ownerReferences", Value::list({choices.pick(parsed().others)}));
  }
}

Value draw_initial(Choices& choices) {
  if (!choices.coin()) return {};
  Value metadata{{"name", cases::kComponentName}, {"namespace", cases::kComponentNamespace}};
  draw_owner(choices, metadata);
  if (choices.one_in(3)) metadata.set("labels", {{"team", "users"}});
  if (choices.one_in(3)) metadata.edit("annotations").set("team", "users");
  if (choices.one_in(4)) metadata.edit("annotations").set(kClassAnnotation, "hpa");
  if (choices.one_in(5)) metadata.set("finalizers", Value::list({"example.com/audit"}));
  return apiserver::default_autoscaler({{"apiVersion", "autoscaling/v2"},
                                        {"kind", "HorizontalPodAutoscaler"},
                                        {"metadata", std::move(metadata)},
                                        {"spec", choices.pick(parsed().stored)}});
}

Value draw_component(Choices& choices) {
  Value component = Value::empty_object();
  const Value& spec = choices.pick(parsed().specs);
  if (choices.one_in(kOneInOfNoSpec))
    component.set("spec", Value());
  else if (!spec.empty())
    component.set("spec", spec);
  if (choices.one_in(2)) component.set("labels", parsed().labels);
  return component;
}

Step draw_step(Choices& choices, Value& component) {
  switch (choices.below(8)) {
    case 4:
    case 5: {
      // The last class is one that every release refuses.
      const char* name =
          kClasses[choices.one_in(16) ? kClasses.size() - 1 : choices.below(kClasses.size() - 1)];
      return {"set", name};
    }
    case 6:
      return {"user", kVerbs[choices.below(kVerbs.size())]};
    case 7:
      return {"stop", !choices.one_in(3)};
    default:
      if (choices.one_in(4)) component = draw_component(choices);
      return cases::reconcile_step(component);
  }
}

}  // namespace

Sequence draw_autoscaler_sequence(Choices& choices, const std::string& subject) {
  Sequence value{.subject = subject};
  value.initial = draw_initial(choices);
  Value component = draw_component(choices);
  const int steps = choices.between(1, kStepsMax);
  for (int i = 0; i < steps; ++i) value.steps.push_back(draw_step(choices, component));
  return value;
}

}  // namespace fixpoint::injectors::kserve::autoscaler
