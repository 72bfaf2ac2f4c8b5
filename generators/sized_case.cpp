#include "generators/sized_case.h"

#include <algorithm>
#include <string>

#include "harness/document/json.h"

namespace fixpoint::generators {

using document::Value;

namespace {

constexpr std::int64_t kVariables = 3;  ///< for each container, if no size in bytes is wanted

/// Returns the number with five digits, so that every variable and mount has the same size.
std::string five_digits(std::int64_t number) { return std::to_string(100'000 + number).substr(1); }

Value large_container(std::int64_t index, std::int64_t variables) {
  Value env = Value::empty_list(), mounts = Value::empty_list();
  for (std::int64_t i = 0; i < variables; ++i) {
    const std::string number = five_digits(i);
    env.push_back({{"name", "VARIABLE_" + number}, {"value", "of some length, as values are " + number}});
    mounts.push_back({{"name", "data"}, {"mountPath", "/data/" + number}});
  }
  const std::string number = std::to_string(index);
  return {{"name", "c" + number},
          {"image", "registry.example/app:" + number},
          {"ports", Value::list({Value{{"containerPort", 8000 + index}}})},
          {"env", std::move(env)},
          {"volumeMounts", std::move(mounts)},
          {"resources", {{"limits", {{"cpu", "1"}, {"memory", "1Gi"}}}}}};
}

Value large_pod(std::int64_t containers, std::int64_t variables) {
  Value all = Value::empty_list();
  for (std::int64_t i = 0; i < containers; ++i) all.push_back(large_container(i, variables));
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", {{"name", "large"}, {"annotations", {{"a", "b"}}}}},
          {"spec",
           {{"containers", std::move(all)},
            {"volumes", Value::list({Value{{"name", "data"}, {"emptyDir", Value::empty_object()}}})}}}};
}

/// Returns how many variables with mounts each container needs for a Pod of the wanted size.
std::int64_t variables_for(const CaseSize& size) {
  if (size.kilobytes == 0) return kVariables;
  const auto bytes_with = [&](std::int64_t variables) {
    return static_cast<std::int64_t>(document::write_json(large_pod(size.containers, variables)).size());
  };
  const std::int64_t none = bytes_with(1), each = bytes_with(2) - none;
  return std::max<std::int64_t>(1, 1 + (size.kilobytes * 1000 - none) / each);
}

/// Adds a webhook that adds an annotation, and a variable to the first container, once.
void add_adding_webhook(Value& objects, Value& backends, std::int64_t index) {
  const std::string name = "hook-" + std::to_string(100 + index);
  const std::string webhook = "inject.example.io";
  const Value rule{{"operations", Value::list({"CREATE"})},
                   {"apiGroups", Value::list({""})},
                   {"apiVersions", Value::list({"v1"})},
                   {"resources", Value::list({"pods"})}};
  objects.push_back({{"apiVersion", "admissionregistration.k8s.io/v1"},
                     {"kind", "MutatingWebhookConfiguration"},
                     {"metadata", {{"name", name}}},
                     {"webhooks", Value::list({Value{{"name", webhook},
                                                     {"rules", Value::list({rule})},
                                                     {"admissionReviewVersions", Value::list({"v1"})},
                                                     {"sideEffects", "None"},
                                                     {"reinvocationPolicy", "IfNeeded"}}})}});
  const Value patch =
      Value::list({Value{{"op", "add"}, {"path", "/metadata/annotations/" + name}, {"value", "injected"}},
                   Value{{"op", "add"},
                         {"path", "/spec/containers/0/env/-"},
                         {"value", {{"name", "OF_" + std::to_string(index)}, {"value", "x"}}}}});
  const Value once{{"when", {{"absent", "/metadata/annotations/" + name}}}, {"patch", patch}};
  backends.set(name + "/" + webhook, Value{{"script", Value::list({once})}});
}

}  // namespace

cases::Case sized_case(const CaseSize& size) {
  Value objects = Value::empty_list(), backends = Value::empty_object();
  for (std::int64_t i = 0; i < size.webhooks; ++i) add_adding_webhook(objects, backends, i);
  return cases::read_case(
             Value{{"apiVersion", "fixpoint/v1"},
                   {"kind", "Case"},
                   {"request",
                    {{"operation", "CREATE"}, {"object", large_pod(size.containers, variables_for(size))}}},
                   {"cluster", {{"objects", std::move(objects)}}},
                   {"webhooks", std::move(backends)}})
      .value();
}

}  // namespace fixpoint::generators
