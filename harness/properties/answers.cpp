#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/apiserver/custom/structural_schema.h"
#include "harness/cases/kind.h"
#include "harness/document/json.h"
#include "harness/properties/judge.h"
#include "harness/properties/message_shape.h"
#include "harness/properties/property.h"
#include "harness/properties/tested_validators.h"
#include "harness/properties/untyped.h"
#include "harness/properties/validity.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallError;
using apiserver::CallEvent;
using apiserver::CallResult;

/// Returns true if the call failed because of the webhook: it broke off, or its answer could not be used.
bool is_broken_off(const CallEvent& event) {
  switch (event.result.error) {
    case CallError::call:
    case CallError::ignored:
    case CallError::internal:
      return true;
    default:
      return false;
  }
}

/// The problem without the numbers of ports, processes and times.
std::string shape_of_problem(std::string problem) {
  std::erase_if(problem, [](char c) { return c >= '0' && c <= '9'; });
  return "broken off: " + problem;
}

/// `said` is what the server says of the problem.
Violation broke_off(const std::string& webhook, const std::string& problem, const std::string& said) {
  Violation violation;
  violation.webhook = webhook;
  violation.path = "webhook";
  violation.value = problem;
  violation.shape = shape_of_problem(problem);
  violation.reason =
      webhook + " fails while it answers (" + said + "): the API server treats the call as failed";
  return violation;
}

/// Nobody creates such a Pod twice, but the process is gone for the others, too. On a valid one the same
/// crash is another finding, and worse.
Violation died_of_invalid(Violation violation) {
  violation.severity = Severity::warning;
  violation.shape += " on an invalid object";
  violation.reason += "; the API server would refuse the Pod anyway";
  return violation;
}

/// The patch is one on which the API server itself panics.
Violation crashed_server(const CallEvent& event, const std::string& webhook) {
  Violation violation = broke_off(webhook, event.result.problem, event.result.said);
  violation.reason =
      webhook +
      " sends a patch on which the API server panics: the client gets no answer, whatever the failurePolicy";
  return violation;
}

/// Returns true if the server cannot read a number of the result that no double holds exactly: the webhook
/// made a double of the user's and sent it back.
bool is_of_rounded_number(std::string_view problem) {
  constexpr std::string_view kBefore = "cannot unmarshal number ";
  constexpr std::size_t kDigitsOfDouble = 17;
  const auto at = problem.find(kBefore);
  if (at == std::string_view::npos) return false;
  const std::string_view number = problem.substr(at + kBefore.size());
  return std::min(number.find_first_not_of("-0123456789"), number.size()) >= kDigitsOfDouble;
}

/// It shows what numbers-survive asks for, on a Pod that hardly anybody writes.
Violation rounded(Violation violation) {
  violation.severity = Severity::warning;
  violation.symptom = "numbers";
  return violation;
}

/// A webhook that recovers and one that does not have the same bug: the shape is that of a connection which
/// the panic closed.
Violation panicked(const std::string& webhook, const std::string& panic) {
  Violation violation = broke_off(webhook, "EOF (" + panic + ")", panic);
  violation.value = "panic: " + panic;
  violation.symptom = "panic";
  violation.reason =
      webhook + " panicked (" + panic + "): its framework recovered and refused the Pod with 500";
  return violation;
}

/// Returns true if the webhook refused with code 500 a Pod that the server accepts: an internal failure, not
/// a denial on purpose.
bool has_failed_inside(const Examination& examination, const CallEvent& event) {
  return event.result.error == CallError::denied && event.result.answer.status.code == 500 &&
         is_storable(examination.value, event.before);
}

Violation failed_inside(const std::string& webhook, std::string_view kind, const std::string& message) {
  Violation violation;
  violation.webhook = webhook;
  violation.path = "webhook";
  violation.value = message;
  violation.shape = shape_of_problem(without_quoted(message));
  violation.symptom = "fails-inside";
  const std::string object(kind.empty() ? std::string_view("object") : kind);
  violation.reason = webhook + " refuses a valid " + object + " with 500 (" + message +
                     "): it failed, and the " + object + " is lost";
  return violation;
}

/// Returns what a message says of a kind that the cluster of the Case does not serve; empty if it says
/// nothing of it.
std::string_view lacking_kind(std::string_view message) {
  constexpr std::size_t kLongest = 120;
  for (const std::string_view text : {"no matches for kind", "could not find the requested resource"})
    if (const auto at = message.find(text); at != std::string_view::npos) return message.substr(at, kLongest);
  return {};
}

/// It refused for want of a kind, which is no failure of its own.
Observation refused_without_kind(const CallEvent& event, const std::string& webhook) {
  return {.kind = std::string(kUnservedKind),
          .webhook = webhook,
          .path = "webhook",
          .reason = "refuses Pods for a kind that no CustomResourceDefinition of the run declares: " +
                    std::string(lacking_kind(event.result.answer.status.message))};
}

/// Returns the paths below spec that a message names.
std::vector<std::string> paths_in(std::string_view message) {
  constexpr std::string_view kBegin = "spec.", kEnds = " :,;'\"`)=";
  std::vector<std::string> paths;
  for (auto at = message.find(kBegin); at != std::string_view::npos; at = message.find(kBegin, at)) {
    const auto end = std::min(message.find_first_of(kEnds, at), message.size());
    paths.emplace_back(message.substr(at, end - at));
    at = end;
  }
  return paths;
}

/// The webhook refuses for a value that the user has not set: the definition's default has.
std::optional<Observation> refused_default(const Examination& examination, const CallEvent& event,
                                           const std::string& webhook) {
  const cases::Request& request = examination.value.request;
  const cases::Kind kind = cases::kind_of(request, examination.value.cluster);
  if (!kind.is_custom() || request.operation != "CREATE") return std::nullopt;
  const Value defaulted =
      apiserver::custom::with_defaults(request.object, apiserver::custom::schema_of(kind));
  for (const std::string& path : paths_in(event.result.answer.status.message)) {
    const Value sent = at_path(request.object, path), set = at_path(defaulted, path);
    if (!sent.is_null() || !is_scalar(set) || at_path(event.before, path) != set) continue;
    return Observation{.kind = "refused-default",
                       .webhook = webhook,
                       .path = path,
                       .reason = "refuses an object for " + path +
                                 ", which its author has not set: the "
                                 "definition's default is " +
                                 document::write_json(set)};
  }
  return std::nullopt;
}

/// The Pod is one that the API server refuses in any case.
Observation failed_on_invalid(const Examination& examination, const CallEvent& event,
                              const std::string& webhook) {
  const auto errors = errors_of(examination, event.before);
  return {
      .kind = "fails-on-invalid",
      .webhook = webhook,
      .path = errors.empty() ? "webhook" : shape_of(errors.front().field, event.before, Value()),
      .reason = "crashes on a request that validation refuses" +
                (errors.empty() ? "" : " (" + errors.front().field + ": " + errors.front().message + ")")};
}

/// Returns true if a fault kept one of the mutating webhooks from what the validating ones count on.
bool has_faults(const Examination& examination) {
  return std::ranges::any_of(examination.admission.calls, [&](const CallEvent& event) {
    return is_answer_disturbed(examination, event) || is_disturbed(examination, event);
  });
}

class AnswersQuestion {
 public:
  explicit AnswersQuestion(const Examination& examination) : examination_(examination) {}

  Judgement ask() {
    const apiserver::Admission& admission = examination_.admission;
    for (const CallEvent& event : admission.calls) {
      if (is_answer_disturbed(examination_, event)) continue;
      ask(admission.webhooks[static_cast<std::size_t>(event.index)].key, event);
    }
    ask_validators();
    if (!is_asked_) return not_reached("a fault stood in front of every call");
    return judged(std::move(violations_), std::move(observations_));
  }

 private:
  void ask(const std::string& webhook, const CallEvent& event) {
    const CallResult& result = event.result;
    const std::string& message = result.answer.status.message;
    if (result.error == CallError::denied && !lacking_kind(message).empty())
      return observations_.push_back(refused_without_kind(event, webhook));
    if (result.error == CallError::denied)
      if (auto refused = refused_default(examination_, event, webhook))
        observations_.push_back(*std::move(refused));
    const bool is_read_disturbed = is_disturbed(examination_, event);
    if (is_read_disturbed && result.timed_out) return;
    is_asked_ = true;
    const auto panic = webhooks::recovered_panic(result.answer);
    // To refuse is right while the cluster cannot be read.
    const bool has_failed = !panic && !is_read_disturbed && has_failed_inside(examination_, event);
    if (!panic && !has_failed && !is_broken_off(event)) return;
    if (is_excused(examination_, event))
      return observations_.push_back(failed_on_invalid(examination_, event, webhook));
    if (!named_.insert(webhook).second) return;
    if (has_died_of_invalid(examination_, event))
      violations_.push_back(died_of_invalid(broke_off(webhook, result.problem, result.said)));
    else
      violations_.push_back(panic            ? panicked(webhook, *panic)
                            : result.crashed ? crashed_server(event, webhook)
                            : has_failed     ? failed_inside(webhook, event.before["kind"].text(), message)
                            : is_of_rounded_number(result.said)
                                ? rounded(broke_off(webhook, result.problem, result.said))
                                : broke_off(webhook, result.problem, result.said));
  }

  /// A validating webhook that failed is called once more, without the Case's faults: the record of its
  /// phase has no answers.
  void ask_validators() {
    if (has_faults(examination_)) return;
    for (const auto& [webhook, record] : validator_calls(examination_)) {
      if (!record.is_sent) continue;
      is_asked_ = true;
      if (record.error.empty() || (record.error == "denied" && record.code != 500)) continue;
      const Value& stored = examination_.admission.stored;
      const CallResult again = WebhookCaller(examination_).call(webhook, stored, examination_.value.request);
      if (!again.timed_out) ask(webhook.key, {.number = 0, .before = stored, .result = again});
    }
  }

  const Examination& examination_;
  std::vector<Violation> violations_;
  std::vector<Observation> observations_;
  std::set<std::string> named_;
  bool is_asked_ = false;
};

Judgement answers(const Examination& examination) {
  if (examination.admission.calls.empty()) return not_reached("no webhook was called");
  return AnswersQuestion(examination).ask();
}

}  // namespace

extern constinit const Property kAnswers = {
    .name = "answers",
    .claim = "A webhook answers every request: it neither crashes nor sends what cannot be used.",
    .is_cheap = true,
    .ask = answers,
    .takes_any_kind = true,
    .applies_to = is_called,
    .explanation = {.example =
                        "The handler breaks off with an index out of range on a container without a command.",
                    .matters = "With failurePolicy Fail nobody can create such a Pod; with Ignore it starts "
                               "without the injection.",
                    .fix = "Test with minimal Pods: no annotations, no mounts, no command, empty lists."},
};

}  // namespace fixpoint::properties
