#include <algorithm>
#include <array>

#include "injectors/defects/defect_helpers.h"
#include "injectors/defects/defects.h"

namespace fixpoint::injectors::defects {

namespace {

// Defects in the contents of an injected value.

/// Adds variables in the order of a hash map, which changes from call to call.
Answer hash_order(const Call& call, bool is_fixed) {
  std::array<const char*, 3> names{"FEATURE_A", "FEATURE_B", "FEATURE_C"};
  if (!is_fixed) std::rotate(names.begin(), names.begin() + call.number % 3, names.end());
  return changed(call, [&](Value& pod) {
    for_each_container(pod, [&](Value& one) {
      for (const char* name : names) {
        if (!has_named(one["env"], name)) one.edit("env").push_back(env(name, "on"));
      }
    });
  });
}

Answer timestamp(const Call& call, bool is_fixed) {
  constexpr const char* kKey = "defects.example.io/injected-at";
  if (!call.object["metadata"]["annotations"][kKey].is_null()) return webhooks::allow();
  const std::string second = is_fixed ? "0" : std::to_string(call.number % 10);
  return changed(call, [&](Value& pod) {
    pod.edit("metadata").edit("annotations").set(kKey, "2026-01-01T00:00:0" + second + "Z");
  });
}

Answer name_of_object(const Call& call, bool is_fixed) {
  const Value& metadata = call.object["metadata"];
  const std::string_view own = metadata["name"].text();
  const std::string name(is_fixed && own.empty() ? metadata["generateName"].text() : own);
  return changed(call, [&](Value& pod) {
    for_each_container(pod, [&](Value& one) {
      if (!has_named(one["env"], "WORKLOAD")) one.edit("env").push_back(env("WORKLOAD", name));
    });
  });
}

/// Writes the list of containers once, without those that are added later.
Answer aggregate_once(const Call& call, bool is_fixed) {
  constexpr const char* kKey = "defects.example.io/containers";
  if (!is_fixed && !call.object["metadata"]["annotations"][kKey].is_null()) return webhooks::allow();
  std::vector<std::string> names;
  for (const Value& one : call.object["spec"]["containers"].elements())
    names.emplace_back(one["name"].text());
  std::sort(names.begin(), names.end());
  std::string list;
  for (const std::string& name : names) list.append(list.empty() ? "" : ",").append(name);
  return changed(call, [&](Value& pod) { pod.edit("metadata").edit("annotations").set(kKey, list); });
}

Answer value_flipped(const Call& call, bool is_fixed) {
  constexpr const char* kKey = "defects.example.io/shard";
  const bool is_blue = call.object["metadata"]["labels"][kKey].text() == "blue";
  return changed(call, [&](Value& pod) {
    pod.edit("metadata").edit("labels").set(kKey, is_blue && !is_fixed ? "green" : "blue");
  });
}

/// Labels the Pod with its name, which may be longer than the value of a label.
Answer name_in_label(const Call& call, bool is_fixed) {
  constexpr std::size_t kLabelMax = 63;
  const Value& metadata = call.object["metadata"];
  std::string name(metadata["name"].text());
  if (name.empty()) name = metadata["generateName"].text();
  if (is_fixed) name.resize(std::min(name.size(), kLabelMax));
  name.erase(name.find_last_not_of("-.") + 1);
  return changed(call,
                 [&](Value& pod) { pod.edit("metadata").edit("labels").set("defects.example.io/of", name); });
}

/// Labels the Pod; the defect is in the configuration.
Answer labels_pod(const Call& call, bool) {
  return changed(
      call, [](Value& pod) { pod.edit("metadata").edit("labels").set("defects.example.io/seen", "yes"); });
}

/// The webhook runs in a Deployment of its own namespace, which only the fixed variant leaves out.
void runs_in_deployment(runner::Subject& subject) {
  const Value labels{{"app", "injector"}}, metadata{{"name", "injector"}, {"namespace", "injector-system"}};
  Value& webhook = subject.configuration.edit("webhooks").edit(0);
  webhook.set("failurePolicy", "Fail");
  webhook.set("clientConfig", {{"service", metadata}});
  subject.objects.push_back(
      {{"apiVersion", "v1"}, {"kind", "Service"}, {"metadata", metadata}, {"spec", {{"selector", labels}}}});
  subject.objects.push_back(
      {{"apiVersion", "apps/v1"},
       {"kind", "Deployment"},
       {"metadata", metadata},
       {"spec",
        {{"selector", {{"matchLabels", labels}}},
         {"template",
          {{"metadata", {{"labels", labels}}},
           {"spec", {{"containers", Value::list({container("injector", "injector:1")})}}}}}}}});
  if (!subject.name.ends_with("@fixed")) return;
  const Value left_out{{"key", "kubernetes.io/metadata.name"},
                       {"operator", "NotIn"},
                       {"values", Value::list({"injector-system", "kube-system"})}};
  webhook.set("namespaceSelector", {{"matchExpressions", Value::list({left_out})}});
}

constexpr Defect kValueDefects[] = {
    {"hash-map-order", "Adds env in the order of a hash map.", "deterministic", hash_order,
     [](runner::Subject& subject) { subject.vocabulary.names[runner::NameKind::env] = {"FEATURE_A"}; }},
    {"timestamp", "Writes the time of the call into the Pod.", "deterministic", timestamp, no_setup},
    {"name-of-object", "Reads the name from the object, which a controller's Pod lacks.", "request-context",
     name_of_object, no_setup},
    {"name-in-label", "Copies a name of any length into a label.", "request-context", name_in_label,
     [](runner::Subject& subject) { owns(subject, {"metadata.labels[defects.example.io/of]"}); }},
    {"aggregate-computed-once", "Lists the Pod's containers at the first call only.", "aggregate-consistent",
     aggregate_once,
     [](runner::Subject& subject) {
       owns(subject, {"metadata.annotations[defects.example.io/containers]"});
     }},
    {"value-flipped", "Toggles a label on every call.", "idempotent", value_flipped,
     [](runner::Subject& subject) { owns(subject, {"metadata.labels[defects.example.io/shard]"}); }},
    {"own-pods-selected", "Must answer before its own Pods are created.", "configuration-sound", labels_pod,
     runs_in_deployment},
};

}  // namespace

std::span<const Defect> value_defects() { return kValueDefects; }

}  // namespace fixpoint::injectors::defects
