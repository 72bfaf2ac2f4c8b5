#include "harness/program/workload.h"

#include <algorithm>
#include <vector>

#include "generators/draw.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/types/decode.h"
#include "harness/document/json.h"
#include "harness/program/program.h"

namespace fixpoint::program {

Value sized_pod(const runner::Subject& subject, std::size_t bytes) {
  runner::Choices simplest(std::vector<std::uint64_t>(64, 1));
  Value pod = generators::draw_pod(simplest, {&subject.vocabulary});
  for (const auto& [key, values] : subject.vocabulary.labels)
    pod.edit("metadata").edit("labels").set(key, values.front());
  for (const auto& [key, values] : subject.vocabulary.annotations) {
    pod.edit("metadata").edit("annotations").set(key, values.front());
  }
  if (!subject.vocabulary.containers.empty()) {
    pod.edit("spec").edit("containers").edit(0).set("name", subject.vocabulary.containers.front());
  }
  pod = apiserver::default_pod(apiserver::decode_pod(pod).value());
  for (int i = 0; document::write_json(pod).size() < bytes; ++i) {
    const std::string name = "SETTING_" + std::to_string(i);
    pod.edit("spec")
        .edit("containers")
        .edit(0)
        .edit("env")
        .push_back({{"name", name}, {"value", "some value of it"}});
  }
  return apiserver::default_pod(apiserver::decode_pod(pod).value());
}

namespace {

cases::Case case_of(const runner::Subject& subject) {
  cases::Case value;
  value.cluster.objects = subject.objects;
  value.cluster.objects.push_back(subject.configuration);
  value.webhooks = subject.webhooks;
  return value;
}

}  // namespace

MeasuredCall::MeasuredCall(const runner::Subject& subject)
    : value_(case_of(subject)),
      configured_(apiserver::read_configurations(value_.cluster).value()),
      handlers_(webhooks::handlers(value_, bundled()).value()) {}

apiserver::Hop MeasuredCall::operator()(const Value& pod) const {
  const auto& webhook = configured_.front();
  return apiserver::call_webhook(webhook, handlers_.at(webhook.key),
                                 {.request = value_.request, .cluster = value_.cluster, .object = pod}, {});
}

namespace {

/// Calls in a row of either: long enough for the clock, short enough that a disturbance meets both.
constexpr int kCallsOfRound = 40;

template <class Call>
double seconds_of(const Call& call) {
  const double start = now();
  for (int i = 0; i < kCallsOfRound; ++i) call();
  return (now() - start) / kCallsOfRound;
}

double median(std::vector<double> figures) {
  std::sort(figures.begin(), figures.end());
  return figures[figures.size() / 2];
}

}  // namespace

Ratio ratio_to_reference(const runner::Subject& subject, std::size_t pod_bytes, int rounds) {
  const Value pod = sized_pod(subject, pod_bytes);
  const std::string text = document::write_json(pod);
  const MeasuredCall call(subject);
  std::size_t written = 0;
  std::vector<double> ratios, seconds;
  for (int round = 0; round < rounds; ++round) {
    const double reference =
        seconds_of([&] { written += document::write_json(document::read_json(text).value()).size(); });
    seconds.push_back(seconds_of([&] { call(pod); }));
    ratios.push_back(seconds.back() / reference);
  }
  document::check(written > 0, "the reference workload writes");
  return {.ratio = median(std::move(ratios)), .microseconds = median(std::move(seconds)) * 1e6};
}

}  // namespace fixpoint::program
