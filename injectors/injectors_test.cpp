#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "generators/draw.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/dispatch/dispatch.h"
#include "harness/document/json.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::injectors {
namespace {

using document::Value;

/// The webhook of a subject, called as the API server calls it.
class Called {
 public:
  explicit Called(const std::string& name) {
    const runner::Subject subject = find_subject(name).value();
    value_.cluster.objects = subject.objects;
    value_.cluster.objects.push_back(subject.configuration);
    webhook_ = apiserver::read_configurations(value_).value().front();
    handler_ = resolve(name).value();
  }
  Value operator()(const Value& pod) const {
    const auto result = apiserver::call_webhook(
        webhook_, handler_, {.request = value_.request, .cluster = value_.cluster, .object = pod}, {});
    EXPECT_EQ(result.error, apiserver::CallError::none) << result.problem;
    return result.after;
  }

 private:
  cases::Case value_;
  apiserver::ConfiguredWebhook webhook_;
  webhooks::Handler handler_;
};

Value decoded(const char* text) {
  return apiserver::default_pod(apiserver::decode_pod(document::read_json(text).value()).value());
}

std::size_t count_named(const Value& list, std::string_view name) {
  std::size_t count = 0;
  for (const Value& element : list.elements()) count += element["name"].text() == name ? 1 : 0;
  return count;
}

constexpr const char* kScraped =
    R"({"metadata":{"name":"p","labels":{"serving.kserve.io/inferenceservice":"m"},
    "annotations":{"serving.kserve.io/enable-metric-aggregation":"true","prometheus.kserve.io/port":"9000",
    "serving.kserve.io/enable-prometheus-scraping":"true"}},
    "spec":{"containers":[{"name":"kserve-container","image":"x"},{"name":"queue-proxy","image":"y"}]}})";

TEST(Injectors, TheirPacksPropertiesAreExplained) {
  const auto& catalog = bundled().catalog;
  const auto is_explained = [](const properties::Explanation& more) {
    return !more.example.empty() && !more.matters.empty() && !more.fix.empty();
  };
  for (const auto* property : catalog.of_cases()) EXPECT_TRUE(is_explained(property->explanation));
  ASSERT_FALSE(catalog.of_sequences().empty());
  for (const auto* property : catalog.of_sequences()) EXPECT_TRUE(is_explained(property->explanation));
}

TEST(MetricsAggregator, AppendsItsEnvAtEveryCallBefore015) {
  for (const auto& [release, copies] :
       {std::pair("0.11.2", 3u), {"0.14.1", 3u}, {"0.15.0", 1u}, {"0.20.0", 1u}}) {
    const Called inject(std::string("kserve/metrics-aggregator@") + release);
    const Value pod = inject(inject(inject(decoded(kScraped))));
    const Value& proxy = pod["spec"]["containers"].at(1);
    EXPECT_EQ(count_named(proxy["env"], "AGGREGATE_PROMETHEUS_METRICS_PORT"), copies) << release;
    EXPECT_EQ(proxy["env"].at(0)["value"].text(), "9000") << release;
    EXPECT_EQ(count_named(proxy["ports"], "aggr-metric"), std::string(release) == "0.11.2" ? 0u : 1u)
        << release;
    EXPECT_EQ(pod["metadata"]["annotations"]["prometheus.io/port"].text(), "9088") << release;
    EXPECT_TRUE(pod["spec"]["containers"].at(0)["env"].is_null()) << release;
  }
}

TEST(MetricsAggregator, LeavesAPodWithoutTheLabelAlone) {
  const Value pod =
      decoded(R"({"metadata":{"name":"p","annotations":{"serving.kserve.io/enable-metric-aggregation":
      "true"}},"spec":{"containers":[{"name":"queue-proxy","image":"y"}]}})");
  EXPECT_TRUE(Called("kserve/metrics-aggregator@0.14.1")(pod).same(pod));
}

constexpr const char* kModel = R"({"metadata":{"name":"p","labels":{"serving.kserve.io/inferenceservice":"m"},
    "annotations":{
    "internal.serving.kserve.io/storage-initializer-sourceuri":"oci://registry.example/model:1"}},
    "spec":{"containers":[{"name":"kserve-container","image":"x"}]}})";

TEST(Modelcar, AddsEverythingAgainIn0120Only) {
  for (const auto& [release, copies] :
       {std::pair("0.12.0", 2u), {"0.12.1", 1u}, {"0.16.0", 1u}, {"0.20.0", 1u}}) {
    const Called inject(std::string("kserve/modelcar@") + release);
    const Value pod = inject(inject(decoded(kModel)));
    EXPECT_EQ(count_named(pod["spec"]["volumes"], "kserve-provision-location"), copies) << release;
    EXPECT_EQ(count_named(pod["spec"]["containers"], "modelcar"), copies) << release;
    EXPECT_EQ(pod["spec"]["containers"].at(0)["volumeMounts"].size(), copies) << release;
    EXPECT_EQ(count_named(pod["spec"]["initContainers"], "modelcar-init"),
              std::string_view(release) >= "0.14" ? 1u : 0u)
        << release;
    EXPECT_TRUE(pod["spec"]["shareProcessNamespace"].is_true()) << release;
  }
}

/// Checks that a good neighbour is a no-op on its own output, for any Pod.
void check_no_op_on_own_output(const std::string& name) {
  const Called inject(name);
  const auto subject = find_subject(name).value();
  runner::Choices choices(*rc::gen::arbitrary<std::uint64_t>(), 0);
  const auto read = apiserver::decode_pod(generators::draw_pod(choices, {&subject.vocabulary}));
  RC_PRE(read.ok());
  const Value once = inject(apiserver::default_pod(*read));
  RC_ASSERT(inject(once).same(once));
}

RC_GTEST_PROP(Peers, SidecarGuarded, ()) { check_no_op_on_own_output("peers/sidecar-guarded"); }
RC_GTEST_PROP(Peers, SidecarAppended, ()) { check_no_op_on_own_output("peers/sidecar-appended"); }
RC_GTEST_PROP(Peers, MetadataAndVolume, ()) { check_no_op_on_own_output("peers/metadata-and-volume"); }

TEST(Catalog, EveryReleaseHasAConfigurationThatNamesIt) {
  for (const Injector& injector : all()) {
    for (std::string_view release : injector.releases) {
      const std::string name = std::string(injector.name) + "@" + std::string(release);
      const auto subject = find_subject(name).value();
      EXPECT_EQ(subject.name, name);
      for (const auto& [webhook, backend] : subject.webhooks) {
        EXPECT_EQ(std::get<cases::InjectorName>(backend).name, name);
        EXPECT_TRUE(resolve(name).ok());
      }
    }
  }
}

}  // namespace
}  // namespace fixpoint::injectors
