#include "harness/runner/learning/named_objects.h"

#include <utility>

namespace fixpoint::runner {

namespace {

using document::Value;

constexpr int kSomePriority = 1000;
/// Returns the PriorityClass; those that every cluster has come with these values.
Value priority_of(std::string_view name, const Value& given) {
  if (name == "system-cluster-critical") return 2000000000;
  if (name == "system-node-critical") return 2000001000;
  return given.is_number() ? given : Value(kSomePriority);
}

Value object(const char* api_version, const char* kind, const Value& name) {
  return {{"apiVersion", api_version}, {"kind", kind}, {"metadata", {{"name", name}}}};
}

}  // namespace

std::vector<Value> objects_named_by(const Value& spec, std::string_view namespace_name) {
  std::vector<Value> objects;
  if (const Value& priority = spec["priorityClassName"]; !priority.text().empty()) {
    Value named = object("scheduling.k8s.io/v1", "PriorityClass", priority);
    named.set("value", priority_of(priority.text(), spec["priority"]));
    objects.push_back(std::move(named));
  }
  if (const Value& runtime = spec["runtimeClassName"]; !runtime.text().empty()) {
    Value named = object("node.k8s.io/v1", "RuntimeClass", runtime);
    named.set("handler", runtime);
    objects.push_back(std::move(named));
  }
  // Every namespace has the account "default".
  const Value& account = spec["serviceAccountName"];
  if (!namespace_name.empty() && !account.text().empty() && account.text() != "default") {
    Value named = object("v1", "ServiceAccount", account);
    named.edit("metadata").set("namespace", namespace_name);
    objects.push_back(std::move(named));
  }
  return objects;
}

void add_named_objects(cases::Case& value) {
  for (Value& object : objects_named_by(value.request.object["spec"], value.request.namespace_name))
    value.cluster.add_missing(std::move(object));
}

}  // namespace fixpoint::runner
