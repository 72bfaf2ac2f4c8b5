#include <array>
#include <string>

#include "injectors/kserve/branches.h"
#include "injectors/kserve/pod_edit.h"
#include "injectors/kserve/step_input.h"

namespace fixpoint::injectors::kserve {

namespace {

/// The differences between the releases (docs/kserve.md#2-2). Each row holds from that release on.
struct AggregatorSwitches {
  int since;
  bool merges_env;  ///< #4333; before, a second call appended all three entries again
  bool adds_port;   ///< #3291 with #3447; a port of that name prevents a second one
};
constexpr std::array<AggregatorSwitches, 3> kAggregatorSwitches{
    {{1102, false, false}, {1200, false, true}, {1500, true, true}}};

constexpr document::Name kAggregation = "serving.kserve.io/enable-metric-aggregation";
constexpr document::Name kScraping = "serving.kserve.io/enable-prometheus-scraping";
constexpr document::Name kPort = "prometheus.kserve.io/port";
constexpr document::Name kPath = "prometheus.kserve.io/path";
constexpr const char* kDefaultPodPort = "9091";
constexpr const char* kAggregatePort = "9088";

/// Writes the config's value if the annotation is absent; returns true if the annotation then is "true".
bool is_enabled(Value& pod, const document::Name& key, const Value& config, const char* field) {
  if (annotation(pod, key) == nullptr) annotate(pod, key, config[field].text());
  return annotation_or(pod, key) == "true";
}

/// The model server's own metrics endpoint, from the Pod's annotations.
struct Own {
  std::string port, path;
};

/// Returns an env entry; the usual one, which most Pods get, is built only once.
Value entry_of(const Value& usual, const std::string& value) {
  return usual["value"].text() == value ? usual : env(usual["name"].text(), value);
}

void set_up_queue_proxy(Value& container, const Own& own, const AggregatorSwitches& switches) {
  static const Value port = env("KSERVE_CONTAINER_PROMETHEUS_METRICS_PORT", "8080");
  static const Value path = env("KSERVE_CONTAINER_PROMETHEUS_METRICS_PATH", "/metrics");
  static const Value aggregate = env("AGGREGATE_PROMETHEUS_METRICS_PORT", kAggregatePort);
  static const Value listens{{"name", "aggr-metric"}, {"containerPort", 9088}, {"protocol", "TCP"}};
  reach("metrics/queue-proxy");
  for (const Value& entry : {entry_of(port, own.port), entry_of(path, own.path), aggregate}) {
    switches.merges_env ? merge_env(container, entry) : container.edit("env").push_back(entry);
  }
  const bool is_there = has_named(container["ports"], "aggr-metric");
  if (is_there) reach("metrics/port-there-already");
  if (switches.adds_port && !is_there) container.edit("ports").push_back(listens);
}

}  // namespace

Problem aggregate_metrics(Value& pod, const StepInput& input) {
  const AggregatorSwitches& switches = switches_of(kAggregatorSwitches, input.release);
  const Value& config = input.config.metrics;
  const bool aggregates = is_enabled(pod, kAggregation, config, "enableMetricAggregation");
  for (std::size_t i = 0; aggregates && i < pod["spec"]["containers"].size(); ++i) {
    if (pod["spec"]["containers"].at(i)["name"].text() != kQueueProxy) continue;
    const Own own{std::string(annotation_or(pod, kPort, "8080")),
                  std::string(annotation_or(pod, kPath, "/metrics"))};
    set_up_queue_proxy(container_at(pod, i), own, switches);
  }
  if (!is_enabled(pod, kScraping, config, "enablePrometheusScraping"))
    return (reach("metrics/off"), std::nullopt);
  reach("metrics/scraped");
  annotate(pod, "prometheus.io/port",
           annotation_or(pod, kAggregation) == "true" ? kAggregatePort : kDefaultPodPort);
  annotate(pod, "prometheus.io/path", "/metrics");
  return std::nullopt;
}

}  // namespace fixpoint::injectors::kserve
