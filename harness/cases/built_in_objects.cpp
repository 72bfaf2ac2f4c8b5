#include "harness/cases/built_in_objects.h"

#include <array>
#include <vector>

namespace fixpoint::cases {

namespace {

using document::Value;

Value priority_class(const char* name, int value) {
  return {{"apiVersion", "scheduling.k8s.io/v1"},
          {"kind", "PriorityClass"},
          {"metadata", {{"name", name}}},
          {"value", value},
          {"preemptionPolicy", "PreemptLowerPriority"}};
}

Value active_namespace(const char* name) {
  return {{"apiVersion", "v1"},
          {"kind", "Namespace"},
          {"metadata", {{"name", name}, {"labels", {{"kubernetes.io/metadata.name", name}}}}},
          {"status", {{"phase", "Active"}}}};
}

}  // namespace

std::span<const Value> built_in_objects() {
  thread_local const std::array<Value, 6> all{priority_class("system-node-critical", 2000001000),
                                              priority_class("system-cluster-critical", 2000000000),
                                              active_namespace("default"),
                                              active_namespace("kube-node-lease"),
                                              active_namespace("kube-public"),
                                              active_namespace("kube-system")};
  return all;
}

const Value* built_in_object(const ObjectName& name) {
  for (const Value& object : built_in_objects()) {
    if (ObjectName(object) == name) return &object;
  }
  return nullptr;
}

}  // namespace fixpoint::cases
