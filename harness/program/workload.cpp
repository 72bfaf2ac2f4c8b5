#include "harness/program/workload.h"

#include <algorithm>
#include <vector>

#include "generators/draw.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/types/decode.h"
#include "harness/document/json.h"
#include "harness/program/program.h"
#include "harness/runner/examine.h"

namespace fixpoint::program {

Value sized_pod(std::span<const runner::Subject> subjects, std::size_t bytes) {
  std::vector<const runner::Vocabulary*> words;
  for (const runner::Subject& subject : subjects) words.push_back(&subject.vocabulary);
  runner::Choices simplest(std::vector<std::uint64_t>(64, 1));
  Value pod = generators::draw_pod(simplest, words);
  Value& first = pod.edit("spec").edit("containers").edit(0);
  bool is_named = false;
  for (const runner::Vocabulary* known : words) {
    for (const auto& [key, values] : known->labels)
      pod.edit("metadata").edit("labels").set(key, values.front());
    for (const auto& [key, values] : known->annotations)
      pod.edit("metadata").edit("annotations").set(key, values.front());
    if (!is_named && !known->containers.empty()) first.set("name", known->containers.front());
    is_named = is_named || !known->containers.empty();
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

/// The longest timeout that the API allows a webhook: a bound that is none.
constexpr int kTimeoutSecondsMax = 30;

/// All members in one cluster; an object that two of them bring stands there once.
Result<cases::Case> joint_cluster(std::span<const runner::Subject> members) {
  cases::Case value;
  auto& objects = value.cluster.objects;
  for (const runner::Subject& member : members) {
    for (const Value& object : member.objects) {
      if (std::find(objects.begin(), objects.end(), object) == objects.end()) objects.push_back(object);
    }
    for (const Value* other : cases::ordered_configurations(value.cluster)) {
      const std::string_view name = (*other)["metadata"]["name"].text();
      if (name == member.configuration["metadata"]["name"].text())
        return document::Error{"its configuration " + std::string(name) + " stands in the chain already",
                               member.name};
    }
    objects.push_back(member.configuration);
    value.webhooks.insert(member.webhooks.begin(), member.webhooks.end());
  }
  return value;
}

}  // namespace

std::optional<document::Error> problem_of(const apiserver::Hop& hop) {
  using apiserver::CallError;
  if (hop.error == CallError::none || hop.error == CallError::denied) return std::nullopt;
  return document::Error{"the call failed: " +
                         (hop.problem.empty() ? std::string(word(hop.error)) : hop.problem)};
}

Result<Workload> Workload::of(std::span<const runner::Subject> members, const Outside& outside) {
  auto value = joint_cluster(members);
  if (!value) return std::move(value).error();
  auto configured = apiserver::read_configurations(value->cluster);
  if (!configured) return std::move(configured).error();
  auto handlers = webhooks::handlers(*value, outside.resolve());
  if (!handlers) return std::move(handlers).error();
  outside.watch().hurry(kTimeoutSecondsMax);
  Workload work;
  work.value_ = *std::move(value);
  work.limits_ = outside.limits();
  work.configured_ = *std::move(configured);
  work.handlers_ = *std::move(handlers);
  return work;
}

apiserver::Hop Workload::call(std::size_t webhook, const Value& pod) const {
  const auto& configured = configured_.at(webhook);
  return apiserver::call_webhook(configured, handlers_.at(configured.key),
                                 {.request = value_.request, .cluster = value_.cluster, .object = pod},
                                 limits_);
}

cases::Case Workload::creation_of(const Value& pod) const {
  cases::Case creation = value_;
  creation.request.object = pod;
  return creation;
}

Result<apiserver::Admission> Workload::admit(const cases::Case& creation) const {
  return apiserver::admit(creation, handlers_, limits_, runner::kJudging);
}

namespace {

/// How many webhooks of the member patch this Pod, each asked alone.
Result<int> patches_of(const runner::Subject& member, const Workload& work, const Value& pod) {
  int count = 0;
  for (std::size_t i = 0; i < work.webhooks().size(); ++i) {
    const auto& webhook = work.webhooks()[i];
    if (webhook.configuration != member.configuration["metadata"]["name"].text()) continue;
    const apiserver::Hop hop = work.call(i, pod);
    if (auto problem = problem_of(hop)) return std::move(*problem).within(webhook.key);
    count += hop.applied ? 1 : 0;
  }
  return count;
}

}  // namespace

Result<Value> telling_pod(const Workload& work, std::span<const runner::Subject> members, std::size_t bytes) {
  const Value plain = sized_pod({}, bytes);
  std::vector<runner::Subject> told;
  for (const runner::Subject& member : members) {
    const auto with_words = patches_of(member, work, sized_pod({&member, 1}, bytes));
    if (!with_words) return with_words.error();
    const auto without = *with_words > 0 ? with_words : patches_of(member, work, plain);
    if (!without) return without.error();
    if (*without <= *with_words) told.push_back(member);
  }
  return sized_pod(told, bytes);
}

namespace {

/// Calls in a row of either: long enough for the clock, short enough that a disturbance meets both.
constexpr int kCallsOfRound = 40;
/// A slow webhook has as many rounds as fit, and this many at least.
constexpr int kRoundsMin = 3;
constexpr double kRoundsSeconds = 2;

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

Result<Ratio> ratio_to_reference(const runner::Subject& subject, const Outside& outside,
                                 std::size_t pod_bytes, int rounds) {
  const std::span<const runner::Subject> alone(&subject, 1);
  const auto work = Workload::of(alone, outside);
  if (!work) return work.error();
  const auto made = telling_pod(*work, alone, pod_bytes);
  if (!made) return document::Error(made.error()).within(subject.name);
  const Value& pod = *made;
  const std::string text = document::write_json(pod);
  std::size_t written = 0;
  std::vector<double> ratios, seconds;
  std::optional<document::Error> problem;
  const double end = now() + kRoundsSeconds;
  for (int round = 0; round < rounds && !problem && (round < kRoundsMin || now() < end); ++round) {
    const double reference =
        seconds_of([&] { written += document::write_json(document::read_json(text).value()).size(); });
    seconds.push_back(seconds_of([&] {
      const apiserver::Hop hop = work->call(0, pod);
      if (!problem) problem = problem_of(hop);
    }));
    ratios.push_back(seconds.back() / reference);
  }
  if (problem) return std::move(*problem).within(subject.name);
  document::check(written > 0, "the reference workload writes");
  return Ratio{.ratio = median(std::move(ratios)), .microseconds = median(std::move(seconds)) * 1e6};
}

}  // namespace fixpoint::program
