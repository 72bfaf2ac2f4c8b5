#include "injectors/kserve/autoscaler/autoscaler_properties.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "injectors/bundled.h"
#include "injectors/kserve/autoscaler/autoscaler_steps.h"

namespace fixpoint::injectors::kserve::autoscaler {
namespace {

using cases::reconcile_step;
using properties::Held;
using properties::Severity;
using properties::Violated;
using reconcile::Objects;
using reconcile::Reconciled;
using reconcile::Request;

Value json(const char* text) { return document::read_json(text).value(); }

const Value& stored_own(const Objects& stored) {
  static const Value none;
  const Value* found = stored.find("HorizontalPodAutoscaler", "default", "model-predictor");
  return found == nullptr ? none : *found;
}
Value owned(int replicas = 1) {
  return {{"kind", "HorizontalPodAutoscaler"},
          {"metadata",
           {{"name", "model-predictor"},
            {"namespace", "default"},
            {"ownerReferences", Value::list({{{"kind", "InferenceService"}, {"uid", kOwnerUid}}})}}},
          {"spec", {{"maxReplicas", replicas}}}};
}
bool is_external(const Value& desired) {
  return !desired["annotations"]["serving.kserve.io/autoscalerClass"].is_null();
}

// Reconcilers without any defect except the planted one.

Reconciled create_once(const Objects& stored, const Value&) {
  if (!stored.all.empty()) return {};
  return {.requests = {{Request::Verb::create, owned()}}};
}
Reconciled overwrite(const Objects& stored, const Value&) {
  if (stored_own(stored)["spec"]["maxReplicas"].integer() == 1) return {};
  return {.requests = {{stored.all.empty() ? Request::Verb::create : Request::Verb::update, owned()}}};
}
Reconciled delete_when_external(const Objects& stored, const Value& desired) {
  if (!is_external(desired)) return create_once(stored, desired);
  if (stored.all.empty()) return {};
  return {.requests = {{Request::Verb::remove, stored.all.front()}}};
}
Reconciled delete_own_when_external(const Objects& stored, const Value& desired) {
  if (stored.all.empty() || is_owned(stored.all.front())) return delete_when_external(stored, desired);
  return {};
}
Reconciled take_over_then_delete(const Objects& stored, const Value&) {
  if (stored.all.empty()) return {};
  if (is_owned(stored.all.front())) return {.requests = {{Request::Verb::remove, stored.all.front()}}};
  return {.requests = {{Request::Verb::update, owned()}}};
}
Reconciled create_scaled_object(const Objects& stored, std::vector<Value> triggers) {
  if (!stored.all.empty()) return {};
  Value object = owned();
  object.set("kind", "ScaledObject");
  object.set("spec", {{"triggers", std::move(triggers)}});
  return {.requests = {{Request::Verb::create, object}}};
}
Reconciled without_trigger(const Objects& stored, const Value&) { return create_scaled_object(stored, {}); }
Reconciled with_trigger(const Objects& stored, const Value&) {
  return create_scaled_object(stored, {{{"type", "cpu"}, {"metadata", {{"value", "60"}}}}});
}
Reconciled with_zero(const Objects& stored, const Value&) {
  return create_scaled_object(stored, {{{"type", "cpu"}, {"metadata", {{"value", "0"}}}}});
}
Reconciled create_scaling_by(const Objects& stored, Value target) {
  if (!stored.all.empty()) return {};
  Value object = owned();
  object.set("apiVersion", "autoscaling/v2");
  object.set("spec", {{"maxReplicas", 1},
                      {"scaleTargetRef", {{"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"name", "m"}}},
                      {"metrics", Value::list({{{"type", "Resource"},
                                                {"resource", {{"name", "memory"}, {"target", target}}}}})}});
  return {.requests = {{Request::Verb::create, object}}};
}
Reconciled without_target(const Objects& stored, const Value&) {
  return create_scaling_by(stored, {{"type", "Utilization"}});
}
Reconciled with_target(const Objects& stored, const Value&) {
  return create_scaling_by(stored, {{"type", "Utilization"}, {"averageUtilization", 60}});
}
Reconciled keep_finalizers(const Objects& stored, const Value& desired) {
  auto asked = overwrite(stored, desired);
  if (!asked.requests.empty() && !stored.all.empty()) {
    const Value& finalizers = stored.all.front()["metadata"]["finalizers"];
    asked.requests.front().object.edit("metadata").set("finalizers", finalizers);
  }
  return asked;
}
Reconciled write_always(const Objects& stored, const Value&) {
  return {.requests = {{stored.all.empty() ? Request::Verb::create : Request::Verb::update, owned()}}};
}
Reconciled flip(const Objects& stored, const Value&) {
  if (stored.all.empty()) return {.requests = {{Request::Verb::create, owned()}}};
  const auto now = stored_own(stored)["spec"]["maxReplicas"].integer().value_or(0);
  return {.requests = {{Request::Verb::update, owned(now == 1 ? 2 : 1)}}};
}
Reconciled write_twice(const Objects& stored, const Value&) {
  if (stored.all.empty()) return {.requests = {{Request::Verb::create, owned()}}};
  if (stored_own(stored)["spec"]["maxReplicas"].integer() == 2) return {};
  return {.requests = {{Request::Verb::update, owned(2)}}};
}
Reconciled ask_dry(const Objects& stored, const Value& desired) {
  auto asked = create_once(stored, desired);
  if (asked.requests.empty())
    asked.requests.push_back({.verb = Request::Verb::update, .object = owned(), .dry_run = true});
  return asked;
}

constexpr const char* kOurs = R"({"metadata":{"name":"model-predictor","ownerReferences":[
    {"kind":"InferenceService","uid":"22222222-2222-2222-2222-222222222222"}]},"spec":{"maxReplicas":4}})";
constexpr const char* kOursHeld =
    R"({"metadata":{"name":"model-predictor","finalizers":["a/b"],"ownerReferences":[
    {"kind":"InferenceService","uid":"22222222-2222-2222-2222-222222222222"}]},"spec":{"maxReplicas":4}})";
constexpr const char* kUsers = R"({"metadata":{"name":"model-predictor"},"spec":{"maxReplicas":4}})";

struct Planted {
  const char* property;
  Reconciled (*buggy)(const Objects&, const Value&);
  Reconciled (*fixed)(const Objects&, const Value&);
  const char* initial;
  bool external;
  const char* verdict;
  Severity severity;
  const char* shape;
  int more_reconciles = 0;  ///< before the one that shows it
};

constexpr Planted kPlanted[] = {
    {"foreign-object-untouched", overwrite, create_once, kUsers, false, "", Severity::error,
     "HorizontalPodAutoscaler.update[class=hpa]"},
    {"foreign-object-untouched", delete_when_external, delete_own_when_external, kUsers, true, "",
     Severity::error, "HorizontalPodAutoscaler.delete[class=external]"},
    {"users-object-kept", take_over_then_delete, delete_own_when_external, kUsers, true, "", Severity::error,
     "HorizontalPodAutoscaler.delete[class=external]", 1},
    {"written-objects-taken", without_trigger, with_trigger, "null", false, "", Severity::error,
     "ScaledObject.triggers"},
    {"written-objects-taken", with_zero, with_trigger, "null", false, "", Severity::error,
     "ScaledObject.value"},
    {"written-objects-taken", without_target, with_target, "null", false, "", Severity::error,
     "HorizontalPodAutoscaler.spec.metrics.resource.target.averageUtilization"},
    {"external-hands-off", create_once, delete_when_external, "null", true, "", Severity::error,
     "HorizontalPodAutoscaler.create[class=external]"},
    {"finalizers-respected", overwrite, keep_finalizers, kOursHeld, false, "", Severity::error,
     "HorizontalPodAutoscaler.metadata.finalizers"},
    {"reconcile-settles", write_always, create_once, "null", false, "unsettled", Severity::error,
     "HorizontalPodAutoscaler.update[class=hpa]"},
    {"reconcile-settles", flip, ask_dry, "null", false, "oscillating-2", Severity::error,
     "HorizontalPodAutoscaler.update[class=hpa]"},
    {"reconcile-settles", write_twice, overwrite, "null", false, "settles-after-2", Severity::warning,
     "HorizontalPodAutoscaler.update[class=hpa]"},
    {"no-orphan", create_once, delete_when_external, kOurs, true, "", Severity::error,
     "HorizontalPodAutoscaler[class=external]"},
};

using Reconciling = std::function<Reconciled(const Objects&, const Value&)>;

Judgement judgement(const Planted& planted, const Reconciling& function) {
  const reconcile::Reconciler reconciler{function, autoscaler_steps()};
  std::vector<cases::Step> steps;
  if (planted.external) steps.push_back({"set", "external"});
  for (int i = 0; i <= planted.more_reconciles; ++i) steps.push_back(reconcile_step());
  const cases::Sequence sequence{.initial = json(planted.initial), .steps = steps};
  const auto results = reconcile::run_sequence(sequence, reconciler);
  return bundled().catalog.find_of_sequences(planted.property)->ask({sequence, reconciler, results, {}});
}

class PlantedBugOfSequences : public testing::TestWithParam<Planted> {};

TEST_P(PlantedBugOfSequences, IsCaught) {
  const auto judged = judgement(GetParam(), GetParam().buggy);
  const auto* violated = std::get_if<Violated>(&judged);
  ASSERT_NE(violated, nullptr);
  EXPECT_EQ(violated->violations.front().verdict, GetParam().verdict);
  EXPECT_EQ(violated->violations.front().severity, GetParam().severity);
  EXPECT_EQ(violated->violations.front().shape, GetParam().shape);
  const int step = (GetParam().external ? 1 : 0) + GetParam().more_reconciles;
  EXPECT_EQ(violated->violations.front().path, "steps[" + std::to_string(step) + "]");
}

TEST_P(PlantedBugOfSequences, IsNotSeenInItsFixedVariant) {
  EXPECT_TRUE(std::holds_alternative<Held>(judgement(GetParam(), GetParam().fixed)));
}

INSTANTIATE_TEST_SUITE_P(Properties, PlantedBugOfSequences, testing::ValuesIn(kPlanted));

TEST(SequenceProperties, EveryRowHasAPlantedBug) {
  for (const auto& property : all_properties()) {
    EXPECT_TRUE(std::any_of(std::begin(kPlanted), std::end(kPlanted), [&](const Planted& planted) {
      return planted.property == property.name;
    })) << property.name;
    EXPECT_EQ(bundled().catalog.find_of_sequences(property.name), &property);
  }
  EXPECT_EQ(bundled().catalog.find_of_sequences("no-orphans"), nullptr);
}

TEST(SequenceProperties, AnAutoscalerScalesByWhatIsAsked) {
  const auto reported = [](const char* spec, Value metrics) {
    const Reconciling writes = [&](const Objects&, const Value&) {
      Value object = owned();
      object.edit("spec").set("metrics", metrics);
      return Reconciled{.requests = {{Request::Verb::create, object}}};
    };
    const reconcile::Reconciler reconciler{writes, autoscaler_steps()};
    const cases::Sequence sequence{.steps = {reconcile_step({{"spec", json(spec)}})}};
    const auto results = reconcile::run_sequence(sequence, reconciler);
    return std::holds_alternative<Violated>(bundled()
                                                .catalog.find_of_sequences("written-objects-taken")
                                                ->ask({sequence, reconciler, results, {}}));
  };
  const Value memory = Value::list({{{"type", "Resource"}, {"resource", {{"name", "memory"}}}}});
  EXPECT_TRUE(reported(R"({"scaleMetric":"memory"})", Value::empty_list()));
  EXPECT_FALSE(reported(R"({"scaleMetric":"memory"})", memory));
  EXPECT_FALSE(reported(R"({"scaleMetric":"cpu"})", Value::empty_list())) << "the server's default is cpu";
  EXPECT_FALSE(reported(R"({"scaleMetric":"concurrency"})", Value::empty_list())) << "of Knative";
  EXPECT_TRUE(reported(R"({"autoScaling":{"metrics":[{"resource":{"name":"cpu"}}]}})", memory));
}

TEST(SequenceProperties, ErrorsAndCrashesAreNotReached) {
  const Reconciling failing = [](const Objects&, const Value&) { return Reconciled{.error = "no"}; };
  const Reconciling crashing = [](const Objects&, const Value&) { return Reconciled{.crashed = true}; };
  for (const Planted& planted : kPlanted) {
    for (const auto& reconciler : {failing, crashing})
      EXPECT_FALSE(std::holds_alternative<Violated>(judgement(planted, reconciler))) << planted.property;
  }
}

TEST(SequenceProperties, AnotherInferenceServicesObjectIsDistinguished) {
  const char* like = R"({"metadata":{"name":"model-predictor","ownerReferences":[{"kind":"InferenceService",
      "uid":"5"}]},"spec":{"maxReplicas":4}})";
  const Planted planted{
      "foreign-object-untouched", delete_when_external, nullptr, like, true, "", Severity::error, ""};
  const auto judged = judgement(planted, planted.buggy);
  EXPECT_EQ(std::get<Violated>(judged).violations.front().shape,
            "HorizontalPodAutoscaler.delete[class=external][owner=InferenceService]");
}

}  // namespace
}  // namespace fixpoint::injectors::kserve::autoscaler
