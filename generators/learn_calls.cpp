#include "generators/learn_calls.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generators/answer_denials.h"
#include "generators/crashing_values.h"
#include "generators/fresh_values.h"
#include "generators/offered_keys.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/document/cut.h"
#include "harness/external/backends/call_monitor.h"
#include "harness/external/backends/program_observer.h"
#include "harness/external/manifests/program_strings.h"
#include "harness/properties/acted.h"
#include "harness/runner/clock.h"
#include "harness/runner/examine.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/learn_observed.h"
#include "harness/runner/learning/trigger.h"
#include "harness/webhooks/https.h"

namespace fixpoint::generators {

namespace {

using document::Error;
using runner::Subject;

/// The calls to learn from, the Cases to draw for them, and how many calls may be late or break off before
/// learning ends: restarting a process that died takes as long as many calls.
constexpr int kCallsMax = 64, kDrawsMax = 256, kLateMax = 3, kBrokenMax = 8;
/// The calls where hardly anything is changed: what makes the webhook act may be tried last.
constexpr int kCallsMaxUnchanged = 192;
constexpr int kDrawsOfAVocabulary = 16;

/// If fewer than one Case in kChangedOneIn is changed, kAnsweringCallsMax further calls search for one.
constexpr std::ptrdiff_t kChangedOneIn = 8;
constexpr int kAnsweringCallsMax = 192;

/// The results of the calls of one subject.
struct Answers {
  int calls = 0, late = 0, unreachable = 0, broken = 0;
  bool reads_cluster = false;  ///< through the API
  std::string problem = {};
  std::set<std::string> denials = {};   ///< the messages that triggers were learned from
  std::set<std::string> unserved = {};  ///< what it asked for in vain: spark.apache.org/v1 sparkapplications
  CrashingValues crashing = {};
};
/// The number of different messages from which triggers are learned.
constexpr std::size_t kMessagesMax = 64;

void take_denial(const apiserver::CallEvent& event, Subject& subject, Answers& answers) {
  if (event.result.error != apiserver::CallError::denied) return;
  const std::string& message = event.result.answer.status.message;
  if (message.empty() || answers.denials.size() >= kMessagesMax) return;
  if (answers.denials.insert(message).second) runner::learn_from_denial(subject.vocabulary, message);
}

void learn_from(const cases::Case& value, const apiserver::Admission& admission, Subject& subject,
                Answers& answers) {
  for (const apiserver::CallEvent& event : admission.calls) {
    const auto& webhook = admission.webhooks[static_cast<std::size_t>(event.index)];
    if (!event.result.called || !subject.webhooks.contains(webhook.key)) continue;
    ++answers.calls;
    answers.late += event.result.timed_out ? 1 : 0;
    answers.broken += event.result.answer.problem.empty() ? 0 : 1;
    if (webhooks::is_unreachable(event.result.answer)) {
      ++answers.unreachable;
      answers.problem = webhook.key + ": " + event.result.answer.problem;
    }
    if (event.result.answer.patch) runner::learn_from_patch(subject.vocabulary, *event.result.answer.patch);
    runner::learn_from_accesses(subject.vocabulary, value, event.result.answer.accesses);
    for (const cases::ApiAccess& access : event.result.answer.accesses) {
      const bool is_custom = access.kind.empty() && access.group.find('.') != std::string::npos;
      if (is_custom && answers.unserved.size() < kMessagesMax)
        answers.unserved.insert(access.group + "/" + access.version + " " + access.resource);
    }
    answers.reads_cluster = answers.reads_cluster || !event.result.answer.accesses.empty();
    take_denial(event, subject, answers);
    const auto& answer = event.result.answer;
    answers.crashing.take(subject.vocabulary, event.before, answer.problem);
    runner::learn_from_missing(subject.vocabulary, value,
                               answer.problem.empty() ? answer.status.message : answer.problem);
  }
}

/// Bounds each call while learning lasts; the destructor lifts the bound.
class BoundedCalls {
 public:
  BoundedCalls(external::CallMonitor& monitor, double seconds_max) : monitor_(monitor) {
    constexpr double kSecondsMax = 1e6;  // more than any call's own timeout
    monitor_.bound_calls(seconds_max > 0 ? std::max(1, static_cast<int>(std::min(seconds_max, kSecondsMax)))
                                         : 30);
  }
  ~BoundedCalls() { monitor_.bound_calls(0); }
  BoundedCalls(const BoundedCalls&) = delete;
  BoundedCalls& operator=(const BoundedCalls&) = delete;

 private:
  external::CallMonitor& monitor_;
};

/// A Case of learning, with the subject's reply: it changed the Pod, or refused it with a message.
struct Try {
  cases::Case value;
  Reply reply;
};
using Tried = std::vector<Try>;

bool changes_few(const Tried& tried) {
  const auto changed =
      std::count_if(tried.begin(), tried.end(), [](const Try& one) { return one.reply.has_changed; });
  return changed * kChangedOneIn < static_cast<std::ptrdiff_t>(tried.size());
}

Reply reply_of(const runner::Prepared& prepared) {
  Reply reply;
  const std::vector<bool> acting = properties::acting_calls(prepared.value, prepared.admission);
  for (std::size_t i = 0; i < acting.size(); ++i) {
    const apiserver::CallResult& result = prepared.admission.calls[i].result;
    reply.has_changed = reply.has_changed || (acting[i] && result.error == apiserver::CallError::none);
    if (acting[i] && result.error == apiserver::CallError::denied)
      reply.denial = result.answer.status.message;
  }
  return reply;
}

/// Returns the steering that the replies give for the triggers in the current vocabulary.
runner::Steering steering_of(const Subject& subject, const Tried& tried) {
  const auto triggers = runner::triggers_of(subject.vocabulary);
  runner::RoundCounts counts;
  for (const auto& [value, reply] : tried) {
    std::vector<std::size_t> options;
    for (const runner::Trigger& trigger : triggers) options.push_back(runner::option_of(trigger, value));
    counts.take(options, reply.has_changed);
  }
  runner::Steering steering;
  steering.learn(counts);
  return steering;
}

/// Returns, for each message, the denied Case with the fewest keys that may have a meaning.
std::vector<Try> plainest_denied(const Subject& subject, const Tried& tried) {
  const auto triggers = runner::triggers_of(subject.vocabulary);
  const auto keys_in = [&](const Try& one) {
    return std::count_if(triggers.begin(), triggers.end(), [&](const runner::Trigger& trigger) {
      return runner::option_of(trigger, one.value) > 0;
    });
  };
  std::vector<Try> denied;
  for (const Try& one : tried) {
    if (one.reply.denial.empty()) continue;
    const auto same = std::find_if(denied.begin(), denied.end(),
                                   [&](const Try& other) { return other.reply.denial == one.reply.denial; });
    if (same == denied.end())
      denied.push_back(one);
    else if (keys_in(one) < keys_in(*same))
      *same = one;
  }
  std::stable_sort(denied.begin(), denied.end(),
                   [&](const Try& a, const Try& b) { return keys_in(a) < keys_in(b); });
  return denied;
}

/// Prepares a Case; nothing if it cannot run, or if the time is over before it has.
std::optional<runner::Prepared> prepared_in_time(cases::Case value, const webhooks::Resolve& resolve,
                                                 const Limits& limits, const std::function<bool()>& is_over) {
  const document::Bounded bounded(is_over);
  try {
    if (auto prepared = runner::prepare(std::move(value), resolve, limits, runner::kWithoutWarnings))
      return *std::move(prepared);
  } catch (const document::Cut&) {  // the time is over
  }
  return std::nullopt;
}

/// Searches for a Case that the subject changes, if it refuses nearly all that is drawn. The run is then
/// drawn around that Case as around an example of the user's.
void seek_change(Subject& subject, const webhooks::Resolve& resolve, const Limits& limits,
                 const std::function<bool()>& is_over, Tried& tried) {
  if (!changes_few(tried)) return;
  int calls = 0;
  const Ask ask = [&](const cases::Case& value) -> std::optional<Reply> {
    if (calls++ >= kAnsweringCallsMax || is_over()) return {};
    auto prepared = prepared_in_time(value, resolve, limits, is_over);
    if (!prepared) return Reply{};
    Reply reply = reply_of(*prepared);
    tried.push_back({std::move(prepared->value), reply});
    return reply;
  };
  for (const Try& denied : plainest_denied(subject, tried)) {
    auto found = answer_denials(subject.vocabulary, denied.value, denied.reply.denial, ask);
    if (!found) continue;
    subject.examples.push_back({.request = found->request, .cluster = found->cluster});
    return;
  }
}

Answers learn(Subject& subject, const webhooks::Resolve& resolve, const Limits& limits, std::uint64_t seed,
              const std::function<bool()>& is_over, runner::Steering& steering) {
  std::optional<generators::DrawContext> draw_context;
  Answers answers;
  Tried tried;
  for (int i = 0; i < kDrawsMax && !is_over(); ++i) {
    if (answers.calls >= (changes_few(tried) ? kCallsMaxUnchanged : kCallsMax)) break;
    if (answers.late >= kLateMax || answers.broken >= kBrokenMax) break;
    // Draw with the triggers learned so far: a webhook that requires several things names them one at a time.
    if (i % kDrawsOfAVocabulary == 0) {
      runner::complete(subject.vocabulary);
      draw_context.emplace(generators::DrawOptions{.subjects = {subject}, .has_faults = false});
      steering = steering_of(subject, tried);
    }
    runner::Choices choices(~seed, static_cast<std::uint64_t>(i));
    auto prepared =
        prepared_in_time(generators::draw(choices, *draw_context, {&steering, 1}), resolve, limits, is_over);
    if (prepared) {
      learn_from(prepared->value, prepared->admission, subject, answers);
      Reply reply = reply_of(*prepared);
      tried.push_back({std::move(prepared->value), std::move(reply)});
    }
    if (answers.unreachable >= kLateMax && answers.unreachable == answers.calls) break;
  }
  // Objects that a chart's roles allow to read are drawn for nothing if the webhook does not use the API.
  if (!answers.reads_cluster) subject.vocabulary.reads.clear();
  seek_change(subject, resolve, limits, is_over, tried);
  runner::complete(subject.vocabulary);
  steering = steering_of(subject, tried);
  return answers;
}

/// The calls of a round in which programs are observed, and the rounds: what a program looks up in the first
/// leads to what it looks up in the second.
constexpr int kCallsOfRound = 16, kRoundsMax = 12, kQuietRounds = 3;

/// Learns what the programs behind the subject look up in their requests. Nothing if their language is not
/// one that can be observed.
void learn_from_lookups(Subject& subject, const external::ExternalWebhooks& outside, std::uint64_t seed,
                        const std::function<bool()>& is_over) {
  auto observer = external::ProgramObserver::make();
  if (!observer) return;  // without it, less is learned
  const webhooks::Resolve resolve = outside.resolve_with((*observer)->environment());
  OfferedKeys offered;
  FreshValues fresh;
  Answers answers;
  std::set<std::string> grown;
  std::uint64_t number = 0;
  const auto ends = [&] { return is_over() || answers.late > 0; };
  for (int round = 0, quiet = 0; round < kRoundsMax && quiet < kQuietRounds && !ends(); ++round) {
    runner::complete(subject.vocabulary);
    fresh.take(subject.vocabulary);
    const generators::DrawContext context(
        generators::DrawOptions{.subjects = {subject}, .has_faults = false});
    const auto calls_before = answers.calls;
    std::string lines;
    for (int i = 0; i < 2 * kCallsOfRound && answers.calls < calls_before + kCallsOfRound; ++i) {
      if (ends()) break;
      if (answers.calls > 1 && !(*observer)->has_begun()) return;
      runner::Choices choices(~seed, kDrawsMax + number++);
      const runner::Steering none;
      cases::Case value = generators::draw(choices, context, {&none, 1});
      fresh.put_next(value);
      const std::string key = offered.keep_one(value.request.object, choices);
      const auto prepared = prepared_in_time(std::move(value), resolve, outside.limits(), is_over);
      if (!prepared) continue;
      learn_from(prepared->value, prepared->admission, subject, answers);
      offered.take(key, reply_of(*prepared));
      lines += (*observer)->take_lines();
    }
    quiet = lines.empty() ? quiet + 1 : 0;
    runner::learn_from_observed(subject.vocabulary, lines, offered.all(), grown);
  }
  for (const std::string& key : offered.refused()) runner::forget_offered(subject.vocabulary, key);
}

bool is_observable(const Subject& subject) {
  return std::any_of(subject.webhooks.begin(), subject.webhooks.end(), [](const auto& one) {
    const auto* command = std::get_if<cases::Command>(&one.second);
    return command != nullptr && external::is_observable(command->argv);
  });
}

bool share_one(const runner::Names::List& some, const runner::Names::List& others) {
  return std::any_of(some.begin(), some.end(), [&](const Value& one) {
    return std::find(others.begin(), others.end(), one) != others.end();
  });
}

/// Returns true if the neighbour happens to add something of the same name as the subject: it is then a
/// rival, and shows nothing about the subject.
bool are_rivals(const Subject& peer, const Subject& subject) {
  using enum runner::NameKind;
  const runner::Names &a = peer.vocabulary.names, &b = subject.vocabulary.names;
  if (share_one(a[container], b[init_container]) || share_one(a[init_container], b[container])) return true;
  return std::ranges::any_of(std::array{container, init_container, volume, mount_path, env, port_name, port},
                             [&](runner::NameKind kind) { return share_one(a[kind], b[kind]); });
}

}  // namespace

std::optional<Error> learn_from_calls(Subjects& subjects, const external::ExternalWebhooks& outside,
                                      std::uint64_t seed, double seconds_max) {
  const BoundedCalls until_done(outside.monitor(), seconds_max);
  constexpr double kShareOfLookups = 0.5;
  const double begin = runner::now();
  const auto is_over = [&] {
    return seconds_max > 0 && runner::now() >= begin + kShareOfLookups * seconds_max;
  };
  for (Subject& subject : subjects.chains.subjects)
    if (is_observable(subject)) learn_from_lookups(subject, outside, seed, is_over);
  return learn_from_calls(subjects, outside.resolve(), outside.limits(), seed,
                          seconds_max > 0 ? std::max(seconds_max - (runner::now() - begin), 0.1) : 0);
}

std::optional<Error> learn_from_calls(Subjects& subjects, const webhooks::Resolve& resolve,
                                      const Limits& limits, std::uint64_t seed, double seconds_max) {
  const double end = runner::now() + seconds_max;
  const auto is_over = [&] { return seconds_max > 0 && runner::now() >= end; };
  for (Subject& subject : subjects.chains.subjects) {
    runner::Steering& steering = subjects.steering.emplace_back();
    if (is_bundled(subject)) continue;
    const Answers answers = learn(subject, resolve, limits, seed, is_over, steering);
    if (answers.calls > 0 && answers.unreachable == answers.calls)
      return Error{answers.problem, subject.name + " cannot be reached"};
    for (const std::string& resource : answers.unserved)
      subjects.notes.push_back(subject.name + " asked for " + resource +
                               ", which no CustomResourceDefinition declares: give it with the manifest");
    if (!subjects.names_peers)
      std::erase_if(subjects.chains.peers, [&](const Subject& peer) { return are_rivals(peer, subject); });
  }
  return std::nullopt;
}

}  // namespace fixpoint::generators
