#include "generators/pod/feature.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

void with_priority_class(PodBuilder& builder, Value& spec) {
  builder.objects.push_back({{"apiVersion", "scheduling.k8s.io/v1"},
                             {"kind", "PriorityClass"},
                             {"metadata", {{"name", spec["priorityClassName"]}}},
                             {"value", 1000}});
}

void with_runtime_class(PodBuilder& builder, Value& spec) {
  Value object{{"apiVersion", "node.k8s.io/v1"},
               {"kind", "RuntimeClass"},
               {"metadata", {{"name", spec["runtimeClassName"]}}},
               {"handler", "sandbox"}};
  if (builder.c.coin()) object.set("overhead", {{"podFixed", {{"cpu", "10m"}, {"memory", "64Mi"}}}});
  if (builder.c.one_in(3)) object.set("scheduling", {{"nodeSelector", {{"sandbox", "yes"}}}});
  builder.objects.push_back(std::move(object));
}

constexpr Feature kSchedulingFeatures[] = {
    {"scheduling/node-selector", common, Place::spec, R"({"nodeSelector": {"disk": "ssd"}})"},
    {"scheduling/empty-node-selector", exotic, Place::spec,
     R"([{"nodeSelector": {}}, {"nodeSelector": null}])"},
    {"scheduling/tolerations", exotic, Place::spec,
     R"([{"tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}]},
         {"tolerations": [{"operator": "Exists"}]}, {"tolerations": []},
         {"tolerations": [{"key": "a", "value": "b"}, {"key": "a", "value": "b"}]},
         {"tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute",
                           "tolerationSeconds": 60}]}])"},
    {"scheduling/node-affinity", exotic, Place::spec,
     R"({"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms":
         [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a", "b"]}]}]},
         "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference":
         {"matchExpressions": [{"key": "disk", "operator": "Exists"}]}}]}}})"},
    {"scheduling/pod-affinity", exotic, Place::spec,
     R"({"affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 100,
         "podAffinityTerm": {"topologyKey": "kubernetes.io/hostname",
         "labelSelector": {"matchLabels": {"app": "web"}}}}]}}})"},
    {"scheduling/empty-affinity", exotic, Place::spec,
     R"([{"affinity": {}}, {"affinity": {"nodeAffinity": {}}}])"},
    {"scheduling/spread", exotic, Place::spec,
     R"([{"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone",
         "whenUnsatisfiable": "DoNotSchedule",
          "labelSelector": {"matchLabels": {"app": "web"}}}]},
         {"topologySpreadConstraints": [
          {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"},
          {"maxSkew": 2, "topologyKey": "host", "whenUnsatisfiable": "DoNotSchedule", "minDomains": 2}]}])"},
    {"scheduling/priority-class", exotic, Place::spec, R"({"priorityClassName": "high"})",
     with_priority_class},
    {"scheduling/runtime-class", exotic, Place::spec, R"({"runtimeClassName": "sandbox"})",
     with_runtime_class},
    {"scheduling/scheduler", exotic, Place::spec, R"({"schedulerName": "bin-packer"})"},
    {"scheduling/node-name", exotic, Place::spec, R"({"nodeName": "node-1"})"},
    {"scheduling/gates", exotic, Place::spec,
     R"({"schedulingGates": [{"name": "example.io/wait"}, {"name": "queue.example.io/a"}]})"},
    {"scheduling/readiness-gates", exotic, Place::spec,
     R"({"readinessGates": [{"conditionType": "example.io/ready"}]})"},
    {"scheduling/preemption", exotic, Place::spec, R"({"preemptionPolicy": "PreemptLowerPriority"})"},
    {"scheduling/gate-twice",
     defect,
     Place::spec,
     {},
     [](PodBuilder&, Value& at) {
       at.set("schedulingGates", Value::list({Value{{"name", "a.io/b"}}, Value{{"name", "a.io/b"}}}));
     }},
    {"scheduling/spread-twice", defect, Place::spec,
     R"({"topologySpreadConstraints": [
          {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"},
          {"maxSkew": 2, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}]})"},
    {"scheduling/bad-toleration", defect, Place::spec,
     R"({"tolerations": [{"operator": "Exists", "value": "x"}]})"},
    {"scheduling/gates-and-node", defect, Place::spec,
     R"({"schedulingGates": [{"name": "a.io/b"}], "nodeName": "node-1"})"},
    {"scheduling/affinity-without-terms", defect, Place::spec,
     R"({"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
         "nodeSelectorTerms": []}}}})"},
};

}  // namespace

std::span<const Feature> scheduling_features() { return kSchedulingFeatures; }

}  // namespace fixpoint::generators
