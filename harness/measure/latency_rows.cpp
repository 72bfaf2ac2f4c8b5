#include "harness/measure/latency_rows.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/document/json.h"
#include "harness/measure/workload.h"
#include "harness/runner/clock.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::measure {

using document::Error;
using document::Result;
using document::Value;

namespace {

constexpr std::size_t kBenchPodBytes[] = {1000, 3000, 20000};

/// The result of a call or an admission, apart from its duration.
struct Observed {
  std::optional<Error> problem = {};  ///< a call failed, so its duration is no latency
  std::optional<Error> refusal = {};  ///< the chain refuses the Pod
  std::string note = {};              ///< a remark for the user
  std::size_t patch_bytes = 0, calls = 0;
};

/// Calls one webhook, and does everything that the API server does with its answer.
class BenchCalls {
 public:
  using Done = apiserver::CallResult;
  BenchCalls(const Workload& work, std::size_t webhook, const Value& pod)
      : work_(work), webhook_(webhook), request_(work.request_of(webhook, pod)) {}
  Done operator()() const { return work_.call(webhook_, request_); }
  static Observed look(const Done& result, bool closely) {
    if (auto problem = problem_of(result)) return {.problem = std::move(problem)};
    if (!closely) return {};
    return {.patch_bytes = document::write_json(result.answer.patch.value_or(Value::empty_list())).size(),
            .calls = 1};
  }

 private:
  const Workload& work_;
  std::size_t webhook_;
  cases::Request request_;
};

/// Runs whole admissions, with every call that the server makes.
class BenchAdmissions {
 public:
  using Done = Result<apiserver::Admission>;
  BenchAdmissions(const Workload& work, const Value& pod) : work_(work), value_(work.case_of(pod)) {}
  Done operator()() const { return work_.admit(value_); }
  static Observed look(const Done& done, bool) {
    if (!done) return {.problem = done.error()};
    Observed observed;
    for (const apiserver::CallEvent& event : done->calls) {
      if (auto problem = problem_of(event.result)) {
        const auto& webhook = done->webhooks[static_cast<std::size_t>(event.index)];
        return {.problem = std::move(*problem).within(webhook.key)};
      }
      observed.calls += event.result.called ? 1 : 0;
    }
    if (!done->invalid.empty()) {
      observed.note = "what comes out is refused: " + done->status->message;
    } else if (done->status) {
      observed.refusal = Error{"the Pod is refused: " + done->status->message};
    }
    return observed;
  }

 private:
  const Workload& work_;
  cases::Case value_;
};

/// Measures the figure by repeating `act`; the first call that fails ends it with an error.
template <class Act>
Result<BenchFigure> measured(const BenchFigure& figure, const Act& act, const MeasuringBounds& bounds) {
  constexpr std::size_t kClosely = 3;
  std::vector<std::size_t> sizes;
  std::size_t calls = 0, admissions = 0;
  const auto call = [&]() -> Result<double> {
    const double start = runner::now();
    const auto done = act();
    const double seconds = runner::now() - start;
    const Observed observed = Act::look(done, sizes.size() < kClosely);
    if (observed.problem) return *observed.problem;
    if (observed.refusal) return *observed.refusal;
    if (sizes.size() < kClosely) sizes.push_back(observed.patch_bytes);
    calls += observed.calls;
    ++admissions;
    return seconds;
  };
  const auto complete = [&](BenchFigure& done) {
    if (done.is_chain()) {
      const double mean = static_cast<double>(calls) / static_cast<double>(admissions);
      done.calls_per_admission = std::round(mean * 100) / 100;
    } else {
      std::sort(sizes.begin(), sizes.end());
      done.patch_bytes = static_cast<std::int64_t>(sizes[sizes.size() / 2]);
    }
  };
  return bounds.benchmark->measure(figure, {.call = call,
                                            .calls_max = bounds.calls,
                                            .seconds_max = bounds.seconds,
                                            .is_over = bounds.is_over,
                                            .complete = complete});
}

using Members = std::shared_ptr<const std::vector<runner::Subject>>;

template <class Act>
LatencyRow row_of(BenchFigure of, const Members& members, const std::shared_ptr<const Workload>& work,
                  const MeasuringBounds& bounds, const Value& example,
                  const std::function<Act(const Value& pod)>& act_on) {
  const auto measure = [of, members, work, bounds, act_on, example,
                        is_noted = std::make_shared<bool>()]() -> Result<BenchFigure> {
    const auto pod = example.is_null()
                         ? pod_with_triggers(*work, *members, static_cast<std::size_t>(of.pod_bytes))
                         : Result<Value>(example);
    if (!pod) return pod.error();
    const Act act = act_on(*pod);
    const Observed first = Act::look(act(), true);
    if (!first.note.empty() && !std::exchange(*is_noted, true)) bounds.note({first.note, of.name()});
    return measured(of, act, bounds);
  };
  return {of, [of, measure]() -> Result<BenchFigure> {
            auto figure = measure();
            if (!figure) return std::move(figure).error().within(of.name());
            return figure;
          }};
}

/// A Pod to measure with: one of a size that is made to fit the members, or an example as it is.
struct BenchPod {
  std::int64_t bytes = 0;
  std::string example = {};
  Value pod = {};
};

/// Returns the example's Pod as the server hands it to the first webhook, with its defaults.
Result<BenchPod> pod_of_example(const cases::Case& example, std::size_t number) {
  const auto decoded = apiserver::decode_pod(example.request.object);
  if (!decoded) return decoded.error();
  Value pod = apiserver::default_pod(*decoded);
  std::string name(pod["metadata"]["name"].text());
  if (name.empty()) name = std::string(pod["metadata"]["generateName"].text());
  if (name.empty()) name = std::to_string(number);
  return BenchPod{static_cast<std::int64_t>(document::write_json(pod).size()), std::move(name),
                  std::move(pod)};
}

/// Returns the examples of the subjects, each once; without any, a Pod of each size.
Result<std::vector<BenchPod>> pods_of(const std::vector<runner::Subject>& subjects) {
  std::vector<BenchPod> pods;
  std::vector<const cases::Case*> known;
  for (const runner::Subject& subject : subjects) {
    for (const cases::Case& example : subject.examples) {
      const bool is_known = std::any_of(known.begin(), known.end(), [&](const cases::Case* other) {
        return other->request.object == example.request.object;
      });
      if (is_known || example.request.is_update()) continue;
      known.push_back(&example);
      auto pod = pod_of_example(example, known.size());
      if (!pod) return std::move(pod).error().within("--example");
      while (std::any_of(pods.begin(), pods.end(),
                         [&](const BenchPod& other) { return other.example == pod->example; }))
        pod->example += "'";
      pods.push_back(*std::move(pod));
    }
  }
  if (!pods.empty()) return pods;
  for (const std::size_t bytes : kBenchPodBytes) pods.push_back({.bytes = static_cast<std::int64_t>(bytes)});
  return pods;
}

/// Adds a row for each webhook and Pod.
std::optional<Error> add_calls(std::vector<LatencyRow>& rows, const runner::Subject& subject,
                               const std::vector<BenchPod>& pods, const external::ExternalWebhooks& outside,
                               const MeasuringBounds& bounds) {
  const Members alone = std::make_shared<const std::vector<runner::Subject>>(1, subject);
  auto made = Workload::of(*alone, outside);
  if (!made) return std::move(made).error().within(subject.name);
  const auto work = std::make_shared<const Workload>(*std::move(made));
  const auto& webhooks = work->webhooks();
  for (std::size_t i = 0; i < webhooks.size(); ++i) {
    for (const BenchPod& one : pods) {
      BenchFigure of{.injector = webhooks.size() == 1 ? subject.name : webhooks[i].key};
      of.pod_bytes = one.bytes;
      of.example = one.example;
      rows.push_back(row_of<BenchCalls>(std::move(of), alone, work, bounds, one.pod,
                                        [work, i](const Value& pod) { return BenchCalls(*work, i, pod); }));
    }
  }
  return std::nullopt;
}

/// Adds a row for each Pod.
std::optional<Error> add_chain(std::vector<LatencyRow>& rows, std::vector<runner::Subject> subjects,
                               const std::vector<BenchPod>& pods, const external::ExternalWebhooks& outside,
                               const MeasuringBounds& bounds) {
  const auto name_of = [](const runner::Subject& subject) {
    return subject.configuration["metadata"]["name"].text();
  };
  std::stable_sort(subjects.begin(), subjects.end(),
                   [&](const auto& a, const auto& b) { return name_of(a) < name_of(b); });
  const Members members = std::make_shared<const std::vector<runner::Subject>>(std::move(subjects));
  auto made = Workload::of(*members, outside);
  if (!made) return std::move(made).error().within("--chain");
  const auto work = std::make_shared<const Workload>(*std::move(made));
  for (const BenchPod& one : pods) {
    BenchFigure of{.pod_bytes = one.bytes};
    of.example = one.example;
    for (const runner::Subject& member : *members) of.chain.push_back(member.name);
    rows.push_back(row_of<BenchAdmissions>(std::move(of), members, work, bounds, one.pod,
                                           [work](const Value& pod) { return BenchAdmissions(*work, pod); }));
  }
  return std::nullopt;
}

Result<std::vector<runner::Subject>> subjects_named(std::vector<std::string> names,
                                                    const external::ExternalWebhooks& outside,
                                                    const generators::FindSubjects& find_subjects,
                                                    const MeasuringBounds& bounds) {
  if (names.empty()) {
    for (const auto role : {injectors::Role::subject, injectors::Role::peer}) {
      for (const auto& subject : injectors::newest(role)) names.push_back(subject.name);
    }
  }
  auto found = find_subjects(names, outside);
  if (!found) return std::move(found).error();
  if (!found->reconcilers.empty())
    return Error{"bench takes webhooks, and " + found->reconcilers.front() + " is a reconciler"};
  for (const std::string& note : found->notes) bounds.note({note});
  return std::move(found->chains.subjects);
}

}  // namespace

Result<std::vector<LatencyRow>> latency_rows(const LatencySubjects& subjects,
                                             const external::ExternalWebhooks& outside,
                                             const generators::FindSubjects& find_subjects,
                                             const MeasuringBounds& bounds) {
  auto members = subjects_named(subjects.names, outside, find_subjects, bounds);
  if (!members) return std::move(members).error();
  const auto pods = pods_of(*members);
  if (!pods) return pods.error();
  std::vector<LatencyRow> rows;
  for (const runner::Subject& subject : *members) {
    if (auto problem = add_calls(rows, subject, *pods, outside, bounds)) return *std::move(problem);
  }
  if (!subjects.has_chain) return rows;
  if (subjects.names.empty()) members = injectors::default_chain();
  if (auto problem = add_chain(rows, *std::move(members), *pods, outside, bounds)) return *std::move(problem);
  return rows;
}

}  // namespace fixpoint::measure
