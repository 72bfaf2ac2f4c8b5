#include <array>

#include "generators/pod/feature.h"
#include "harness/document/json.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

constexpr std::string_view kHandlers = R"([
  {"httpGet": {"path": "/healthz", "port": 8080}}, {"httpGet": {"port": "http"}},
  {"httpGet": {"path": "/v1?a=b&c=\"d\"", "port": 8443, "scheme": "HTTPS", "host": "127.0.0.1",
               "httpHeaders": [{"name": "X-A", "value": "1"}, {"name": "X-A", "value": "2"}]}},
  {"tcpSocket": {"port": 8080}}, {"tcpSocket": {"port": "metrics", "host": "10.0.0.1"}},
  {"exec": {"command": ["cat", "/tmp/healthy"]}}, {"exec": {"command": ["sh", "-c", "test \"$A\" = 'b'"]}},
  {"grpc": {"port": 9000}}, {"grpc": {"port": 9000, "service": "liveness"}}, {"grpc": {"port": 9000,
         "service": ""}}])";

constexpr std::string_view kTimings = R"([
  {"initialDelaySeconds": 5, "periodSeconds": 20}, {"timeoutSeconds": 3, "failureThreshold": 30},
  {"initialDelaySeconds": 0, "timeoutSeconds": 0, "periodSeconds": 0, "successThreshold": 0,
         "failureThreshold": 0}])";

constexpr std::array kKinds{"readinessProbe", "livenessProbe", "startupProbe"};

/// Turns the fragment, which was merged in as an untyped member of the container, into a probe.
template <std::size_t kFirst, std::size_t kCount>
void probe(PodBuilder& builder, Value& container) {
  static const std::vector<Value> handlers = [] {
    const auto read = document::read_json(kHandlers);
    return std::vector<Value>(read->elements().begin(), read->elements().end());
  }();
  static const std::vector<Value> timings = [] {
    const auto read = document::read_json(kTimings);
    return std::vector<Value>(read->elements().begin(), read->elements().end());
  }();
  Value made = handlers[kFirst + builder.c.below(kCount)];
  if (builder.c.one_in(3)) merge_into(made, builder.c.pick(timings));
  container.set(builder.c.pick(kKinds), std::move(made));
}

void all_kinds(PodBuilder& builder, Value& container) {
  for (const char* kind : kKinds) {
    probe<0, 10>(builder, container);
    if (container[kind].is_null()) container.set(kind, {{"tcpSocket", {{"port", 8080}}}});
  }
}

constexpr Feature kProbeFeatures[] = {
    {"probes/http", common, Place::container, {}, probe<0, 2>},
    {"probes/any", common, Place::container, {}, probe<0, 10>},
    {"probes/ready-by-command", common, Place::container,
     R"({"readinessProbe": {"exec": {"command": ["cat", "/tmp/ready"]}}})"},
    {"probes/http-in-full", exotic, Place::container, {}, probe<2, 1>},
    {"probes/tcp", exotic, Place::container, {}, probe<3, 2>},
    {"probes/exec", exotic, Place::container, {}, probe<5, 2>},
    {"probes/grpc", exotic, Place::container, {}, probe<7, 3>},
    {"probes/all-kinds", exotic, Place::container, {}, all_kinds},
    {"probes/startup-grpc", exotic, Place::container,
     R"({"startupProbe": {"grpc": {"port": 9000}, "failureThreshold": 60}})"},
    {"probes/grace", exotic, Place::container,
     R"({"livenessProbe": {"exec": {"command": ["true"]}, "terminationGracePeriodSeconds": 10}})"},
    {"probes/named-port-of-its-own", exotic, Place::container,
     R"({"ports": [{"name": "health", "containerPort": 8099}],
         "readinessProbe": {"httpGet": {"port": "health"}}})"},
    {"probes/port-as-text", defect, Place::container, R"({"readinessProbe": {"httpGet": {"port": "8080"}}})"},
    {"probes/two-handlers", defect, Place::container,
     R"({"livenessProbe": {"exec": {"command": ["true"]}, "tcpSocket": {"port": 8080}}})"},
    {"probes/no-handler", defect, Place::container,
     R"([{"livenessProbe": {}}, {"readinessProbe": {"periodSeconds": 5}}])"},
    {"probes/success-threshold", defect, Place::container,
     R"({"livenessProbe": {"exec": {"command": ["true"]}, "successThreshold": 2}})"},
};

}  // namespace

std::span<const Feature> probe_features() { return kProbeFeatures; }

}  // namespace fixpoint::generators
