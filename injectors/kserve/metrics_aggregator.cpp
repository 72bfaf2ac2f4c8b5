#include <algorithm>
#include <array>

#include "injectors/kserve/common.h"
#include "injectors/kserve/kserve.h"

namespace fixpoint::injectors::kserve {

namespace {

/// What changed between the releases (specs: 2.2). Each row holds from that release on.
struct Switches {
  std::string_view since;
  bool merges_env;  ///< #4333; before, a second call appended all three again
  bool adds_port;   ///< #3291 with #3447, guarded by name
};
constexpr std::array<Switches, 3> kSwitches{
    {{"0.11.2", false, false}, {"0.12.0", false, true}, {"0.15.0", true, true}}};

constexpr const char* kAggregation = "serving.kserve.io/enable-metric-aggregation";
constexpr const char* kScraping = "serving.kserve.io/enable-prometheus-scraping";
constexpr const char* kPort = "prometheus.kserve.io/port";
constexpr const char* kPath = "prometheus.kserve.io/path";
constexpr const char* kDefaultPodPort = "9091";
constexpr const char* kAggregatePort = "9088";

Value annotations(const Value& pod) { return pod["metadata"]["annotations"]; }

void annotate(Value& pod, const char* key, std::string_view value) {
  const Value* old = annotations(pod).find(key);
  if (old != nullptr && old->text() == value) return;
  pod.edit("metadata").edit("annotations").set(key, value);
}

/// Writes the config's value where the annotation is absent; whether it then says "true".
bool is_enabled(Value& pod, const char* key, const Value& config, const char* field) {
  if (annotations(pod).find(key) == nullptr) annotate(pod, key, config[field].text());
  return annotations(pod)[key].text() == "true";
}

std::string annotation_or(const Value& pod, const char* key, const char* fallback) {
  const Value* found = annotations(pod).find(key);
  return found == nullptr ? fallback : std::string(found->text());
}

void set_up_queue_proxy(Value& container, const Value& pod, const Switches& switches) {
  const auto set = switches.merges_env ? merge_env : append_env;
  set(container, "KSERVE_CONTAINER_PROMETHEUS_METRICS_PORT", annotation_or(pod, kPort, "8080"));
  set(container, "KSERVE_CONTAINER_PROMETHEUS_METRICS_PATH", annotation_or(pod, kPath, "/metrics"));
  set(container, "AGGREGATE_PROMETHEUS_METRICS_PORT", kAggregatePort);
  if (switches.adds_port && !has_named(container["ports"], "aggr-metric")) {
    container.edit("ports").push_back(
        {{"name", "aggr-metric"}, {"containerPort", 9088}, {"protocol", "TCP"}});
  }
}

void inject(Value& pod, const Value& config, const Switches& switches) {
  const bool aggregates = is_enabled(pod, kAggregation, config, "enableMetricAggregation");
  for (std::size_t i = 0; aggregates && i < pod["spec"]["containers"].size(); ++i) {
    if (pod["spec"]["containers"].at(i)["name"].text() != "queue-proxy") continue;
    const Value before = pod;
    set_up_queue_proxy(pod.edit("spec").edit("containers").edit(i), before, switches);
  }
  if (!is_enabled(pod, kScraping, config, "enablePrometheusScraping")) return;
  annotate(pod, "prometheus.io/port",
           annotations(pod)[kAggregation].text() == "true" ? kAggregatePort : kDefaultPodPort);
  annotate(pod, "prometheus.io/path", "/metrics");
}

/// The last row that holds for the release.
const Switches& switches_of(std::string_view release) {
  std::size_t row = 0;
  while (row + 1 < kSwitches.size() && is_at_least(release, kSwitches[row + 1].since)) ++row;
  return kSwitches[row];
}

}  // namespace

runner::Subject metrics_subject(std::string_view release) {
  runner::Subject subject = base_subject("kserve/metrics-aggregator", release);
  subject.vocabulary.annotations = {{kAggregation, {"true", "false", ""}},
                                    {kScraping, {"true", "false"}},
                                    {kPort, {"9090", "http"}},
                                    {kPath, {"/v1/metrics"}},
                                    {"prometheus.io/port", {"8080"}}};
  subject.vocabulary.containers = {"queue-proxy", "kserve-container"};
  subject.vocabulary.env = {"KSERVE_CONTAINER_PROMETHEUS_METRICS_PORT",
                            "KSERVE_CONTAINER_PROMETHEUS_METRICS_PATH", "AGGREGATE_PROMETHEUS_METRICS_PORT"};
  subject.vocabulary.port_names = {"aggr-metric"};
  subject.vocabulary.ports = {9088};
  return subject;
}

webhooks::Handler metrics_handler(std::string_view release) {
  const Switches& switches = switches_of(release);
  return around(
      [&switches](Value& pod, const webhooks::Call&, const Value& config) {
        inject(pod, config, switches);
        return Problem();
      },
      "metricsAggregator", common(release));
}

}  // namespace fixpoint::injectors::kserve
