#include "harness/measure/workload.h"

#include <algorithm>
#include <vector>

#include "generators/draw.h"
#include "harness/apiserver/admission/policy_handlers.h"
#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/matching/request_match.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/json.h"
#include "harness/runner/clock.h"
#include "harness/runner/examine.h"

namespace fixpoint::measure {

using document::Result;
using document::Value;

Value triggering_pod(std::span<const runner::Subject> subjects) {
  using Where = runner::Trigger::Where;
  std::vector<const runner::Vocabulary*> words;
  for (const runner::Subject& subject : subjects) words.push_back(&subject.vocabulary);
  runner::Choices simplest(std::vector<std::uint64_t>(64, 1));
  Value pod = generators::draw_pod(simplest, words);
  Value& first = pod.edit("spec").edit("containers").edit(0);
  bool is_named = false;
  for (const runner::Vocabulary* known : words) {
    for (const auto& [key, values] : known->common(Where::label))
      pod.edit("metadata").edit("labels").set(key, values.front());
    for (const auto& [key, values] : known->common(Where::annotation))
      pod.edit("metadata").edit("annotations").set(key, values.front());
    const auto& names = known->names[runner::NameKind::container];
    if (!is_named && !names.empty()) first.set("name", names.front());
    is_named = is_named || !names.empty();
  }
  return pod;
}

Value sized_pod(std::span<const runner::Subject> subjects, std::size_t bytes) {
  Value pod = apiserver::default_pod(apiserver::decode_pod(triggering_pod(subjects)).value());
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

/// The longest timeout that the API allows a webhook, used where no bound is wanted.
constexpr int kTimeoutSecondsMax = 30;

/// Returns a Case with all members in one cluster; an object that two members need is in it once.
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

std::optional<document::Error> problem_of(const apiserver::CallResult& result) {
  using apiserver::CallError;
  if (result.error == CallError::none || result.error == CallError::denied) return std::nullopt;
  return document::Error{"the call failed: " +
                         (result.problem.empty() ? std::string(word(result.error)) : result.problem)};
}

Result<Workload> Workload::of(std::span<const runner::Subject> members,
                              const external::ExternalWebhooks& outside) {
  auto value = joint_cluster(members);
  if (!value) return std::move(value).error();
  auto configured = apiserver::read_configurations(*value);
  if (!configured) return std::move(configured).error();
  if (configured->empty()) return document::Error{"there is no webhook to call"};
  auto handlers = webhooks::handlers(*value, outside.resolve());
  if (!handlers) return std::move(handlers).error();
  apiserver::add_policy_handlers(value->cluster, *handlers);
  outside.monitor().bound_calls(kTimeoutSecondsMax);
  Workload work;
  work.value_ = *std::move(value);
  work.limits_ = outside.limits();
  work.configured_ = *std::move(configured);
  work.handlers_ = *std::move(handlers);
  return work;
}

namespace {

/// A request for Pods that a webhook's rules may match; the table begins with the most common. `tell_apart`
/// makes the update plausible by a small difference between the stored Pod and the new one.
struct PodRequest {
  std::string_view operation, sub_resource;
  void (*tell_apart)(Value& old, Value& now) = nullptr;
};

void another_image(Value& old, Value&) {
  old.edit("spec").edit("containers").edit(0).set("image", "registry.example.io/before:1");
}

void one_debugger_more(Value&, Value& now) {
  now.edit("spec")
      .edit("ephemeralContainers")
      .push_back({{"name", "debugger"}, {"image", "registry.example.io/debugger:1"}});
}

void less_cpu(Value& old, Value& now) {
  for (const auto& [pod, cpu] : {std::pair(&old, "10m"), {&now, "20m"}})
    pod->edit("spec").edit("containers").edit(0).edit("resources").edit("requests").set("cpu", cpu);
}

constexpr PodRequest kPodRequests[] = {{"CREATE", ""},
                                       {"UPDATE", "", another_image},
                                       {"UPDATE", "ephemeralcontainers", one_debugger_more},
                                       {"UPDATE", "resize", less_cpu}};

bool takes(const apiserver::ConfiguredWebhook& webhook, const PodRequest& row) {
  const auto& rules = webhook.rules.elements();
  return std::any_of(rules.begin(), rules.end(), [&](const Value& rule) {
    return apiserver::rule_matches(rule, cases::pod_kind(), row.operation, row.sub_resource);
  });
}

/// Returns the first request that the rules of one of these webhooks match, or a creation if none does.
const PodRequest& request_for(std::span<const apiserver::ConfiguredWebhook> webhooks) {
  for (const PodRequest& row : kPodRequests) {
    if (std::any_of(webhooks.begin(), webhooks.end(),
                    [&](const auto& webhook) { return takes(webhook, row); }))
      return row;
  }
  return kPodRequests[0];
}

/// Returns the Pod as the cluster stores it, with the fields that the server adds.
Value as_stored(Value pod, const cases::Request& request) {
  Value& metadata = pod.edit("metadata");
  if (metadata["name"].text().empty()) metadata.set("name", "job-xxxxx");
  metadata.set("namespace", request.namespace_name);
  metadata.set("uid", "11111111-1111-1111-1111-111111111111");
  metadata.set("resourceVersion", "1");
  metadata.set("creationTimestamp", "2026-01-01T00:00:00Z");
  return apiserver::default_pod(apiserver::decode_pod(pod).value());
}

cases::Request pod_request(cases::Request request, const PodRequest& row, const Value& pod) {
  request.object = pod;
  if (row.tell_apart == nullptr) return request;
  request.operation = row.operation;
  request.sub_resource = row.sub_resource;
  Value now = as_stored(pod, request), old = now;
  row.tell_apart(old, now);
  request.object = apiserver::default_pod(apiserver::decode_pod(now).value());
  request.old_object = std::move(old);
  return request;
}

}  // namespace

cases::Request Workload::request_of(std::size_t webhook, const Value& pod) const {
  return pod_request(value_.request, request_for({&configured_.at(webhook), 1}), pod);
}

apiserver::CallResult Workload::call(std::size_t webhook, const cases::Request& request) const {
  const auto& configured = configured_.at(webhook);
  return apiserver::call_webhook(configured, handlers_.at(configured.key),
                                 {.request = request,
                                  .cluster = value_.cluster,
                                  .object = request.object,
                                  .name = request.object["metadata"]["name"].text()},
                                 limits_);
}

cases::Case Workload::case_of(const Value& pod) const {
  cases::Case value = value_;
  value.request = pod_request(value_.request, request_for(configured_), pod);
  return value;
}

Result<apiserver::Admission> Workload::admit(const cases::Case& value) const {
  return apiserver::admit(value, handlers_, limits_, runner::kWithoutWarnings);
}

namespace {

/// Returns the number of the member's webhooks that patch this Pod; each is called alone.
Result<int> patches_of(const runner::Subject& member, const Workload& work, const Value& pod) {
  int count = 0;
  for (std::size_t i = 0; i < work.webhooks().size(); ++i) {
    const auto& webhook = work.webhooks()[i];
    if (webhook.configuration != member.configuration["metadata"]["name"].text()) continue;
    const apiserver::CallResult result = work.call(i, work.request_of(i, pod));
    if (auto problem = problem_of(result)) return std::move(*problem).within(webhook.key);
    count += result.applied ? 1 : 0;
  }
  return count;
}

}  // namespace

Result<Value> pod_with_triggers(const Workload& work, std::span<const runner::Subject> members,
                                std::size_t bytes) {
  const Value plain = sized_pod({}, bytes);
  std::vector<runner::Subject> acting;
  for (const runner::Subject& member : members) {
    const auto with_words = patches_of(member, work, sized_pod({&member, 1}, bytes));
    if (!with_words) return with_words.error();
    const auto without = *with_words > 0 ? with_words : patches_of(member, work, plain);
    if (!without) return without.error();
    if (*without <= *with_words) acting.push_back(member);
  }
  return sized_pod(acting, bytes);
}

namespace {

/// The number of consecutive calls in a round: long enough for the clock, short enough that a disturbance
/// affects both the webhook and the reference.
constexpr int kCallsOfRound = 40;
/// A slow webhook gets as many rounds as fit into the time, but at least this many.
constexpr int kRoundsMin = 3;
constexpr double kRoundsSeconds = 2;

template <class Call>
double seconds_of(const Call& call) {
  const double start = runner::now();
  for (int i = 0; i < kCallsOfRound; ++i) call();
  return (runner::now() - start) / kCallsOfRound;
}

double median(std::vector<double> figures) {
  std::sort(figures.begin(), figures.end());
  return figures[figures.size() / 2];
}

/// Measures the ratio of one webhook on this Pod.
Result<Ratio> ratio_of(const Workload& work, std::size_t webhook, const Value& pod, int rounds) {
  const cases::Request request = work.request_of(webhook, pod);
  const std::string text = document::write_json(request.object);
  std::size_t written = 0;
  std::vector<double> ratios, seconds;
  std::optional<document::Error> problem;
  const double end = runner::now() + kRoundsSeconds;
  for (int round = 0; round < rounds && !problem && (round < kRoundsMin || runner::now() < end); ++round) {
    const double reference =
        seconds_of([&] { written += document::write_json(document::read_json(text).value()).size(); });
    seconds.push_back(seconds_of([&] {
      const apiserver::CallResult result = work.call(webhook, request);
      if (!problem) problem = problem_of(result);
    }));
    ratios.push_back(seconds.back() / reference);
  }
  const std::string& key = work.webhooks()[webhook].key;
  if (problem) return std::move(*problem).within(key);
  document::check(written > 0, "the reference workload writes");
  return Ratio{
      .webhook = key, .ratio = median(std::move(ratios)), .microseconds = median(std::move(seconds)) * 1e6};
}

}  // namespace

Result<std::vector<Ratio>> ratios_to_reference(const runner::Subject& subject,
                                               const external::ExternalWebhooks& outside,
                                               std::size_t pod_bytes, int rounds) {
  const std::span<const runner::Subject> alone(&subject, 1);
  const auto work = Workload::of(alone, outside);
  if (!work) return work.error();
  const auto pod = pod_with_triggers(*work, alone, pod_bytes);
  if (!pod) return document::Error(pod.error()).within(subject.name);
  std::vector<Ratio> all;
  for (std::size_t i = 0; i < work->webhooks().size(); ++i) {
    auto ratio = ratio_of(*work, i, *pod, rounds);
    if (!ratio) return std::move(ratio).error().within(subject.name);
    all.push_back(*std::move(ratio));
  }
  return all;
}

}  // namespace fixpoint::measure
