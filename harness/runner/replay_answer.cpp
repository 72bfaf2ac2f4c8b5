#include "harness/runner/replay_answer.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "harness/cases/kind.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/properties/acted.h"
#include "harness/properties/validity.h"
#include "harness/properties/webhook_caller.h"
#include "harness/runner/lone_call.h"
#include "harness/runner/own_key.h"
#include "harness/runner/sequences.h"
#include "harness/runner/todays_configuration.h"
#include "harness/runner/trace.h"

namespace fixpoint::runner {

namespace {

using apiserver::CallError;
using apiserver::CallResult;
using cases::Case;
using cases::Finding;
using cases::TraceStep;
using document::Value;
using properties::Judgement;
using properties::Skipped;
using properties::Violated;
using properties::Violation;
using Kind = Answer::Kind;

constexpr std::array<std::string_view, 7> kWords{
    "still failing", "fails otherwise", "not reached", "not applicable", "not run", "fixed", "holds"};

/// The ways in which a call ends, from good to bad.
enum class End { well, refused, failed };

End end_of(CallError error) {
  if (error == CallError::none) return End::well;
  return error == CallError::denied ? End::refused : End::failed;
}

/// Returns how a call ended by its line in a trace: "! denied: …".
End end_of(const TraceStep& step) {
  End end = End::well;
  for (const std::string& effect : step.effect) {
    if (!effect.starts_with("! ")) continue;
    end = std::max(end, effect.starts_with("! denied") ? End::refused : End::failed);
  }
  return end;
}

/// The way on which a finding was seen: how often each webhook was called in the admission, and how its calls
/// ended at worst. A finding without a trace says nothing of it.
struct Route {
  std::map<std::string, std::size_t> calls = {};
  std::map<std::string, End> ends = {};
  explicit Route(const Finding& finding) {
    for (const TraceStep& step : finding.evidence.calls) {
      if (step.pass > 0) ++calls[step.webhook];
      End& end = ends[step.webhook];
      end = std::max(end, end_of(step));
    }
  }
  End worst_of(const std::string& webhook) const {
    const auto found = ends.find(webhook);
    return found == ends.end() ? End::well : found->second;
  }
  std::size_t calls_of(const std::string& webhook) const {
    const auto found = calls.find(webhook);
    return found == calls.end() ? 0 : found->second;
  }
};

/// Returns the reason why a call did not go well: what a denial says, or what the server says of a failure.
std::string reason_of(const CallResult& result) {
  if (result.error == CallError::denied) {
    const auto& status = result.answer.status;
    return !status.message.empty() ? status.message : status.reason;
  }
  if (!result.answer.problem.empty()) return result.answer.problem;
  return !result.problem.empty() ? result.problem : std::string(apiserver::word(result.error));
}

std::string with_reason(std::string sentence, const std::string& reason) {
  return reason.empty() ? sentence : std::move(sentence) + ": " + reason;
}

/// Returns the answer for a property that could not be decided.
Answer skipped_answer(const Skipped& skipped) {
  const bool applies = skipped.why == Skipped::Why::not_reached;
  return {applies ? Kind::not_reached : Kind::not_applicable, skipped.reason};
}

/// Returns true if a trace has the same effects of the webhook in the same order.
bool has_same_effects(const std::vector<TraceStep>& stored, const std::vector<TraceStep>& now,
                      const std::string& webhook) {
  const auto effects = [&](const std::vector<TraceStep>& trace) {
    std::vector<std::vector<std::string>> all;
    for (const TraceStep& step : trace)
      if (step.webhook == webhook) all.push_back(step.effect);
    return all;
  };
  return effects(stored) == effects(now);
}

/// Returns true for an error in an element that the webhooks also wrote when the finding was made: it says
/// nothing of what changed since.
bool is_of_finding(const cases::FieldError& error, const Value& object, const Finding& finding) {
  const auto end = error.field.find(']');
  if (end == std::string::npos) return false;
  const Value element = properties::at_path(object, error.field.substr(0, end + 1));
  const std::string name = " " + std::string(element["name"].text());
  const auto& calls = finding.evidence.calls;
  return name.size() > 1 && std::any_of(calls.begin(), calls.end(), [&](const TraceStep& step) {
           return std::any_of(step.effect.begin(), step.effect.end(),
                              [&](const std::string& effect) { return effect.ends_with(name); });
         });
}

/// Returns the paths of the elements of a Pod's lists, and of its containers' lists.
std::vector<std::string> elements_of(const Value& pod) {
  constexpr std::size_t kElementsMax = 64;
  std::vector<std::string> paths;
  const auto add = [&paths](const Value& object, const std::string& path, const auto& self) -> void {
    for (const auto& member : object.members()) {
      const std::string list = properties::member_path(path, member.key.text());
      for (std::size_t i = 0; i < member.value.size() && member.value.is_array(); ++i) {
        if (paths.size() >= kElementsMax) return;
        const std::string element = properties::element_path(list, i);
        paths.push_back(element);
        if (is_list_of_containers(member.key.text())) self(member.value.at(i), element, self);
      }
    }
  };
  add(pod["spec"], "spec", add);
  return paths;
}

/// Returns true if a webhook under test acts on the Pod without one of its elements: a guard that was added
/// leaves the Case alone, and not every Pod.
bool acts_on_a_variant(const Prepared& prepared, const Limits& limits) {
  const Value& pod = prepared.admission.first;
  const properties::Examination alone = examination_of(prepared, limits);
  for (const properties::FirstCall& call : properties::first_calls(alone)) {
    if (!call.webhook.is_subject) continue;
    for (const std::string& path : elements_of(pod)) {
      const Value less = properties::without_path(pod, path);
      const CallResult result = properties::WebhookCaller(alone).call(call.webhook, less);
      if (end_of(result.error) == End::well && properties::has_acted(less, result)) return true;
    }
  }
  return false;
}

/// One Case of a finding, run again.
class CaseReplay {
 public:
  CaseReplay(const Finding& finding, const properties::Property& property, const ReplayWith& with)
      : finding_(finding), property_(property), with_(with), route_(finding) {}

  Answer answer(Case value) {
    Finding now = finding_;
    now.value = std::move(value);
    auto prepared = prepare_for_replay(now, with_.resolve, with_.limits);
    if (!prepared) return {Kind::not_run, prepared.error().text()};
    prepared_ = *std::move(prepared);
    const Judgement judgement = ask();
    if (const auto* violated = std::get_if<Violated>(&judgement))
      if (const auto same = same_of(violated->violations))
        return violation_answer(Kind::still_failing, *same);
    if (auto silent = unreachable()) return *std::move(silent);
    if (auto ended = of_bad_calls()) return *std::move(ended);
    if (const auto* violated = std::get_if<Violated>(&judgement))
      return violation_answer(Kind::fails_otherwise, violated->violations.front());
    if (const auto* skipped = std::get_if<Skipped>(&judgement)) return skipped_answer(*skipped);
    return of_route();
  }

  /// Returns the number of calls of the webhook in the admission of the Case that was asked last.
  std::size_t calls_of(const std::string& webhook) const {
    if (!prepared_) return 0;
    const auto& calls = prepared_->admission.calls;
    return static_cast<std::size_t>(std::count_if(
        calls.begin(), calls.end(), [&](const auto& event) { return key_of(event) == webhook; }));
  }

 private:
  const std::string& key_of(const apiserver::CallEvent& event) const {
    return prepared_->admission.webhooks[static_cast<std::size_t>(event.index)].key;
  }
  bool is_tested(const std::string& webhook) const {
    return cases::webhook_ref(prepared_->value, webhook).is_subject;
  }

  Judgement ask() {
    acted_ = properties::has_acted(prepared_->value, prepared_->admission);
    own_calls_.clear();
    properties::Examination examination = examination_of(*prepared_, with_.limits);
    examination.has_acted = &acted_;
    examination.own_calls = &own_calls_;
    return judged_by(property_, examination);
  }

  Answer violation_answer(Kind kind, const Violation& violation) const {
    return {kind, finding_.property + ": " + violation.reason,
            trace_of(prepared_->admission, violation.calls), violation};
  }

  /// Returns the violation that is the finding's. An older version gave other fingerprints: there it is the
  /// one with the same value, at the path, inside of it or because of an error there, for which the webhook
  /// did just what it did then.
  std::optional<Violation> same_of(const std::vector<Violation>& violations) const {
    for (const Violation& one : violations)
      if (fingerprint(prepared_->value, property_.name, one) == finding_.fingerprint) return one;
    const Violation* same = nullptr;
    for (const Violation& one : violations) {
      const cases::Evidence& stored = finding_.evidence;
      if (one.verdict != finding_.verdict || !(one.value == stored.value)) continue;
      const bool is_there =
          one.path.starts_with(stored.path) || one.reason.find(" " + stored.path + " ") != std::string::npos;
      if (!is_there) continue;
      const auto trace = trace_of(prepared_->admission, one.calls);
      if (!has_same_effects(finding_.evidence.calls, trace, finding_.webhook)) continue;
      if (same == nullptr || one.path == finding_.evidence.path) same = &one;
    }
    if (same != nullptr) return *same;
    return std::nullopt;
  }

  /// Returns an answer if a webhook outside the process answers nothing, neither in this Case nor a harmless
  /// request: a webhook that is not up shows nothing.
  std::optional<Answer> unreachable() const {
    std::map<std::string, std::string> failures;
    std::map<std::string, bool> has_answered;
    for (const apiserver::CallEvent& event : prepared_->admission.calls) {
      const std::string& webhook = key_of(event);
      if (!is_tested(webhook) || properties::is_faulted(prepared_->value, webhook, event.number)) continue;
      if (is_review(event.result.answer))
        has_answered[webhook] = true;
      else
        failures.emplace(webhook, reason_of(event.result));
    }
    for (const auto& [webhook, problem] : failures) {
      if (has_answered.contains(webhook) || route_.worst_of(webhook) == End::failed) continue;
      if (answers_harmless(webhook)) continue;
      return Answer{Kind::not_run, webhook + " answered no call: " + problem + "; is it up?"};
    }
    return std::nullopt;
  }

  /// Returns true if the webhook answers a request for a plain Pod.
  bool answers_harmless(const std::string& webhook) const {
    const auto& all = prepared_->admission.webhooks;
    const auto configured =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.key == webhook; });
    const auto handler = prepared_->handlers.find(webhook);
    if (configured == all.end() || handler == prepared_->handlers.end()) return false;
    const cases::Request request =
        harmless_request(prepared_->value.request.namespace_name,
                         cases::kind_of(prepared_->value.request, prepared_->value.cluster));
    const auto result =
        call_alone(*configured, handler->second, request, prepared_->value.cluster, with_.limits);
    return result && is_review(result->answer);
  }

  /// Returns the answer for a call that ended worse than in the finding: it was refused, or it failed.
  std::optional<Answer> of_bad_calls() const {
    for (const apiserver::CallEvent& event : prepared_->admission.calls) {
      const std::string& webhook = key_of(event);
      if (!is_tested(webhook) || properties::is_faulted(prepared_->value, webhook, event.number)) continue;
      if (auto answer = of_bad_call(webhook, event.result, "")) return answer;
    }
    for (const properties::OwnCall& call : own_calls_) {
      if (!is_tested(call.webhook) || !is_on_the_way(call.before)) continue;
      if (auto answer = of_bad_call(call.webhook, call.result, " in a further call")) return answer;
    }
    return std::nullopt;
  }
  std::optional<Answer> of_bad_call(const std::string& webhook, const CallResult& result,
                                    const char* where) const {
    const End end = end_of(result.error);
    if (end <= route_.worst_of(webhook)) return std::nullopt;
    const auto trace = trace_of(prepared_->admission, own_calls_);
    if (end == End::refused)
      return Answer{Kind::not_reached,
                    with_reason(webhook + " refuses the " + noun() + where, reason_of(result)), trace};
    return Answer{Kind::fails_otherwise,
                  with_reason("the call of " + webhook + " now fails" + where, reason_of(result)), trace};
  }
  std::string noun() const {
    const cases::Case& value = prepared_->value;
    return std::string(cases::kind_of(value.request, value.cluster).name);
  }
  /// Returns true for a Pod that the admission, or a call on such a Pod, left behind; false for variants that
  /// a property makes, which a webhook may refuse.
  bool is_on_the_way(const Value& pod) const {
    const auto& calls = prepared_->admission.calls;
    return std::any_of(calls.begin(), calls.end(),
                       [&](const auto& event) { return event.before == pod || event.result.after == pod; }) ||
           std::any_of(own_calls_.begin(), own_calls_.end(),
                       [&](const auto& call) { return call.result.after == pod; });
  }

  /// Returns the answer for a property that holds: `fixed` only if the webhooks did what they did before.
  Answer of_route() const {
    if (!acted_ && !acts_on_a_variant(*prepared_, with_.limits))
      return {Kind::not_reached, "no webhook under test acts on this Case any more",
              trace_of(prepared_->admission, {})};
    for (const auto& [webhook, calls] : route_.calls) {
      if (!is_tested(webhook) || calls_of(webhook) >= calls || acts(webhook)) continue;
      return {Kind::not_reached, webhook + " is called less often than in the finding, and does nothing"};
    }
    if (!finding_.webhook.empty() && route_.calls_of(finding_.webhook) > 0 && calls_of(finding_.webhook) == 0)
      return {Kind::not_reached, finding_.webhook + " is not called any more"};
    if (auto refused = of_refused_pod()) return *std::move(refused);
    return {Kind::fixed, property_.name.empty() ? "" : std::string(property_.name) + " holds"};
  }
  bool acts(const std::string& webhook) const {
    const auto& calls = prepared_->admission.calls;
    return std::any_of(calls.begin(), calls.end(), [&](const auto& event) {
      return key_of(event) == webhook && properties::has_acted(event.before, event.result);
    });
  }
  /// Returns an answer if the API server refuses a valid Pod after the webhooks.
  std::optional<Answer> of_refused_pod() const {
    const auto& admission = prepared_->admission;
    const bool failed_before = std::any_of(route_.ends.begin(), route_.ends.end(),
                                           [](const auto& one) { return one.second > End::well; });
    if (admission.invalid.empty() || failed_before || !has_valid_pod(*prepared_)) return std::nullopt;
    const auto error_at =
        std::find_if(admission.invalid.begin(), admission.invalid.end(),
                     [&](const auto& one) { return !is_of_finding(one, admission.object, finding_); });
    if (error_at == admission.invalid.end()) return std::nullopt;
    const cases::FieldError& error = *error_at;
    return Answer{Kind::fails_otherwise,
                  with_reason("the API server refuses the " + noun() + " after the webhooks: " + error.field,
                              error.message.empty() ? error.type : error.message),
                  trace_of(admission, {})};
  }

  const Finding& finding_;
  const properties::Property& property_;
  const ReplayWith& with_;
  const Route route_;
  std::optional<Prepared> prepared_ = {};
  std::vector<properties::OwnCall> own_calls_ = {};
  bool acted_ = false;
};

/// Returns the change of the configuration that keeps the finding from happening, if one does alone: the
/// webhook is called less often with it, or no longer for the request that the property makes.
std::optional<std::string> fixing_member(const Finding& finding, const properties::Property& property,
                                         const ReplayWith& with, const Case& today) {
  CaseReplay stored(finding, property, with);
  const bool fails_as_stored = stored.answer(finding.value).kind == Kind::still_failing;
  for (const ChangedMember& member : changed_members(finding.value, today, finding.webhook)) {
    CaseReplay other(finding, property, with);
    const Kind kind = other.answer(member.value).kind;
    const bool is_called_less = other.calls_of(finding.webhook) < stored.calls_of(finding.webhook);
    const bool heals = fails_as_stored && !is_failing(kind);
    if (is_called_less || heals) return member.effect;
  }
  return std::nullopt;
}

Answer answer_of_case(const Finding& finding, const ReplayWith& with) {
  const auto* property = with.catalog.find(finding.property);
  if (property == nullptr) return {Kind::not_run, "there is no property \"" + finding.property + "\""};
  const Case today = with_configurations(finding.value, with.configurations);
  Answer answer = CaseReplay(finding, *property, with).answer(today);
  const bool is_other = !(today.cluster.objects == finding.value.cluster.objects);
  if (!is_other || is_failing(answer.kind) || finding.webhook.empty()) return answer;
  if (const auto effect = fixing_member(finding, *property, with, today))
    return {.kind = Kind::fixed, .why = "by configuration: " + *effect, .is_by_configuration = true};
  return answer;
}

bool sends(const PreparedSequence& prepared) {
  return std::any_of(prepared.results.begin(), prepared.results.end(),
                     [](const auto& result) { return !result.reconciled.requests.empty(); });
}

/// Returns true if the reconciler sends a request when one of the other steps is left out: with a class that
/// is not its own it rightly sends none.
bool sends_in_a_variant(const cases::Sequence& value, const reconcile::ResolveReconciler& resolve) {
  for (std::size_t i = 0; i < value.steps.size(); ++i) {
    if (value.steps[i].is_reconcile()) continue;
    cases::Sequence shorter = value;
    shorter.steps.erase(shorter.steps.begin() + static_cast<std::ptrdiff_t>(i));
    const auto prepared = prepare(std::move(shorter), resolve);
    if (prepared && sends(*prepared)) return true;
  }
  return false;
}

Answer answer_of_sequence(const Finding& finding, const ReplayWith& with) {
  const auto* property = with.catalog.find_of_sequences(finding.property);
  if (property == nullptr) return {Kind::not_run, "there is no property \"" + finding.property + "\""};
  const auto prepared = prepare(*finding.sequence, with.resolve_reconciler);
  if (!prepared) return {Kind::not_run, prepared.error().text()};
  const auto trace = trace_of(prepared->value, prepared->results);
  const Judgement judgement = ask(*prepared, *property, with.limits);
  const auto* violated = std::get_if<Violated>(&judgement);
  if (violated != nullptr) {
    for (const Violation& one : violated->violations) {
      const bool is_it = fingerprint(prepared->value, property->name, one) == finding.fingerprint ||
                         (one.path == finding.evidence.path && one.verdict == finding.verdict &&
                          one.value == finding.evidence.value);
      if (is_it) return {Kind::still_failing, finding.property + ": " + one.reason, trace};
    }
  }
  Route route(finding);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (end_of(trace[i]) <= route.worst_of(trace[i].webhook)) continue;
    const auto& reconciled = prepared->results[i].reconciled;
    return {Kind::fails_otherwise,
            "step " + std::to_string(trace[i].pass) +
                (reconciled.crashed ? " now crashes" : with_reason(" now fails", reconciled.error)),
            trace};
  }
  if (violated != nullptr)
    return {Kind::fails_otherwise, finding.property + ": " + violated->violations.front().reason, trace};
  if (const auto* skipped = std::get_if<Skipped>(&judgement)) return skipped_answer(*skipped);
  if (!sends(*prepared) && !sends_in_a_variant(*finding.sequence, with.resolve_reconciler))
    return {Kind::not_reached, "the reconciler sends no request any more", trace};
  return {Kind::fixed, finding.property + " holds"};
}

}  // namespace

std::string_view word(Answer::Kind kind) { return kWords[static_cast<std::size_t>(kind)]; }

std::string text_of(const Answer& answer) {
  const std::string text(word(answer.kind));
  if (answer.kind == Kind::still_failing || answer.kind == Kind::holds) return text;
  if (answer.kind == Kind::fixed) return answer.is_by_configuration ? text + " (" + answer.why + ")" : text;
  return with_reason(text, answer.why);
}

bool is_failing(Kind kind) { return kind == Kind::still_failing || kind == Kind::fails_otherwise; }

bool is_fixed(std::string_view text) {
  const std::string fixed(word(Kind::fixed));
  return text == fixed || text.starts_with(fixed + " (") || text == word(Kind::holds);
}

bool is_failing(std::string_view text) {
  return text == word(Kind::still_failing) || text.starts_with(word(Kind::fails_otherwise));
}

Answer answer_of(const Finding& finding, const ReplayWith& with) {
  return finding.sequence ? answer_of_sequence(finding, with) : answer_of_case(finding, with);
}

}  // namespace fixpoint::runner
