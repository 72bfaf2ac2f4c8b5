#include "harness/runner/loop/case_result.h"

#include <algorithm>
#include <array>

#include "harness/cases/kind.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/properties/acted.h"
#include "harness/properties/contract.h"
#include "harness/properties/webhook_caller.h"
#include "harness/runner/loop/coverage.h"

namespace fixpoint::runner {

namespace sequences = properties::sequences;
using cases::Case;
using cases::WebhookRef;
using document::Value;
using properties::Violated;
using properties::Violation;

bool is_judged(const RunSubjects& subjects, const Case& value, const WebhookRef& webhook) {
  const auto& judged = subjects.configurations;
  if (judged.empty()) return true;
  if (value.neighbours) return webhook.is_subject;
  return std::find(judged.begin(), judged.end(), webhook.configuration) != judged.end();
}

Decision decision_of(const RunSubjects& subjects, const Case& value, const properties::Judgement& judgement) {
  const auto* violated = std::get_if<Violated>(&judgement);
  const auto is_of_subject = [&](const Violation& violation) {
    return violation.webhook.empty() ||
           is_judged(subjects, value, cases::webhook_ref(value, violation.webhook));
  };
  if (violated != nullptr)
    return std::ranges::any_of(violated->violations, is_of_subject) ? Decision::violated : Decision::skipped;
  const auto* skipped = std::get_if<properties::Skipped>(&judgement);
  if (skipped == nullptr) return Decision::held;
  return skipped->why == properties::Skipped::Why::not_reached ? Decision::skipped : Decision::not_applicable;
}

namespace {

CaseCounts counts_of(const Prepared& prepared) {
  static const Value kNoPod;
  const bool is_pod = cases::kind_of(prepared.value.request, prepared.value.cluster).is_pod();
  const Value& spec = is_pod ? prepared.value.request.object["spec"] : kNoPod;
  CaseCounts counts{.containers = spec["containers"].size(),
                    .init_containers = spec["initContainers"].size(),
                    .webhooks = prepared.admission.webhooks.size(),
                    .updates = prepared.value.request.is_update() ? 1u : 0u,
                    .dry_runs = prepared.value.request.dry_run ? 1u : 0u};
  for (const Value& container : spec["containers"].elements()) {
    for (const char* probe : {"livenessProbe", "readinessProbe", "startupProbe"})
      counts.probes += container.find(probe) == nullptr ? 0 : 1;
  }
  for (const auto& webhook : prepared.admission.webhooks) counts.if_needed += webhook.if_needed ? 1 : 0;
  return counts;
}

bool has_late_container(const apiserver::Admission& admission) {
  for (const apiserver::CallEvent& event : admission.calls) {
    if (event.index > 0 &&
        event.result.after["spec"]["containers"].size() > event.before["spec"]["containers"].size()) {
      return true;
    }
  }
  return false;
}

/// Returns true if a call brought no AdmissionReview, and no drawn fault is the reason: the webhook crashed,
/// or was too slow. Each further call would cost another start, or another timeout, and show the same.
bool has_failed_call(const Case& value, const apiserver::Admission& admission) {
  return value.faults.empty() && std::ranges::any_of(admission.calls, [](const apiserver::CallEvent& event) {
           return !event.result.answer.problem.empty();
         });
}

/// Returns true if the webhook is one of the subject with that number, counted over the judged
/// configurations.
bool is_of_subject(const RunSubjects& subjects, std::size_t number, const Case& value,
                   const WebhookRef& webhook) {
  if (!webhook.is_subject || webhook.configuration != subjects.configurations[number]) return false;
  const auto backend = value.webhooks.find(webhook.key);
  if (backend == value.webhooks.end()) return webhook.is_policy;
  const auto* injector = std::get_if<cases::InjectorName>(&backend->second);
  return injector == nullptr || injector->name == subjects.names[number];
}

/// Returns the webhook's entry in the Case's cluster, or null.
Value configured(const Case& value, const WebhookRef& webhook) {
  const Value* configuration = cases::find_configuration(value.cluster, webhook.configuration);
  const Value* entry = configuration == nullptr ? nullptr : cases::find_entry(*configuration, webhook.name);
  return entry == nullptr ? Value() : *entry;
}

bool is_called_alike(const Value& before, const Value& after) {
  constexpr std::array<std::string_view, 5> kMembers{"rules", "objectSelector", "namespaceSelector",
                                                     "matchConditions", "matchPolicy"};
  return std::all_of(kMembers.begin(), kMembers.end(),
                     [&](std::string_view member) { return before[member] == after[member]; });
}

/// Returns true if the webhook's owner states the same contract in both Cases, as far as both have its
/// configuration.
bool has_same_contract(const Case& original, const Case& candidate, const WebhookRef& webhook) {
  const Value* before = cases::find_configuration(original.cluster, webhook.configuration);
  const Value* after = cases::find_configuration(candidate.cluster, webhook.configuration);
  if (before == nullptr || after == nullptr) return true;
  const Value &stated = (*before)["metadata"]["annotations"], &kept = (*after)["metadata"]["annotations"];
  return stated[properties::kOwnsAnnotation] == kept[properties::kOwnsAnnotation] &&
         stated[properties::kPromisesAnnotation] == kept[properties::kPromisesAnnotation];
}

/// Records the effect of the subject's webhook calls; `acting` marks the calls in which some subject acted.
void take_calls(SubjectInCase& subject, const RunSubjects& subjects, const Prepared& prepared,
                const std::vector<bool>& acting) {
  for (std::size_t i = 0; i < acting.size(); ++i) {
    const apiserver::CallEvent& event = prepared.admission.calls[i];
    const WebhookRef& webhook = prepared.admission.webhooks[static_cast<std::size_t>(event.index)];
    if (!is_of_subject(subjects, subject.number, prepared.value, webhook)) continue;
    if (properties::is_faulted(prepared.value, webhook.key, event.number)) continue;
    if (event.result.error == apiserver::CallError::denied)
      subject.denial = event.result.answer.status.message;
    subject.acted = subject.acted || acting[i];
    subject.changed = subject.changed || (acting[i] && event.result.error == apiserver::CallError::none);
  }
}

std::vector<SubjectInCase> subjects_in(const RunSubjects& subjects, const Prepared& prepared,
                                       const std::vector<bool>& acting) {
  std::vector<SubjectInCase> all;
  const std::size_t count = std::min(subjects.configurations.size(), subjects.names.size());
  for (std::size_t number = 0; number < count; ++number) {
    const auto& webhooks = prepared.admission.webhooks;
    const bool stands_there = std::any_of(webhooks.begin(), webhooks.end(), [&](const auto& one) {
      return is_of_subject(subjects, number, prepared.value, one);
    });
    if (!stands_there) continue;
    SubjectInCase& subject = all.emplace_back(SubjectInCase{.number = number});
    take_calls(subject, subjects, prepared, acting);
    if (number >= subjects.triggers.size()) continue;
    for (const Trigger& trigger : subjects.triggers[number])
      subject.options.push_back(option_of(trigger, prepared.value));
  }
  return all;
}

/// A reconciler acts if it sends a request to the API server, and refuses nothing.
std::vector<SubjectInCase> subjects_in(const RunSubjects& subjects, const PreparedSequence& prepared) {
  const auto& names = subjects.names;
  const auto found = std::find(names.begin(), names.end(), prepared.value.subject);
  if (found == names.end()) return {};
  const auto& results = prepared.results;
  const bool sends = std::any_of(results.begin(), results.end(), [](const reconcile::StepResult& result) {
    return !result.reconciled.requests.empty();
  });
  return {{.number = static_cast<std::size_t>(found - names.begin()), .acted = sends, .changed = sends}};
}

bool is_untouched(const RunSubjects& subjects, const Case& value, const apiserver::Admission& admission) {
  return std::none_of(admission.calls.begin(), admission.calls.end(), [&](const apiserver::CallEvent& event) {
    return event.left_another() &&
           is_judged(subjects, value, admission.webhooks[static_cast<std::size_t>(event.index)]);
  });
}

/// Adds the observations of judged webhooks that this Case has not made yet.
void observe(const RunSubjects& subjects, const Case& value, const properties::Judgement& judgement,
             std::vector<properties::Observation>& observations) {
  for (const properties::Observation& seen : properties::observations_of(judgement)) {
    const auto is_it = [&](const properties::Observation& one) {
      return one.kind == seen.kind && one.webhook == seen.webhook && one.path == seen.path;
    };
    if (!is_judged(subjects, value, cases::webhook_ref(value, seen.webhook))) continue;
    if (std::none_of(observations.begin(), observations.end(), is_it)) observations.push_back(seen);
  }
}

/// Returns what a Case is asked: where a webhook outside this process failed, what needs no further call.
JudgeOptions bounds_of(const Prepared& prepared, bool calls_out, bool has_acted, bool is_slow,
                       bool asks_all) {
  const bool has_failed = calls_out && has_failed_call(prepared.value, prepared.admission);
  return {.only_cheap = (!is_slow && !asks_all) || has_failed,
          .has_acted = has_acted,
          .outside_calls_max = is_slow ? Pace::kCallsOfASlowCase : 0};
}

CaseResult examine_case(const RunOptions& options, const Knowledge& knowledge, Case value, bool fully) {
  CaseResult slot{.done = true};
  const double begin = options.hooks.clock();
  const std::uint64_t made = options.subjects.resolve.made_so_far();
  const std::uint64_t skipped_calls = options.subjects.resolve.calls_skipped_so_far();
  auto prepared =
      prepare(std::move(value), options.subjects.resolve, options.effort.limits, kWithoutWarnings);
  if (!prepared) {
    slot.totals.broken = 1;
    slot.done = options.subjects.resolve.calls_skipped_so_far() == skipped_calls;
    return slot;
  }
  Features features = features_of(prepared->admission);
  const bool is_new = knowledge.behaviour.has_new(features);
  if (is_new) slot.features = std::move(features);
  const bool is_slow = knowledge.pace.is_slow();
  const bool asks_all = fully || (is_new && options.effort.asks_news);
  slot.totals.reinvoked = prepared->admission.passes == 2 ? 1 : 0;
  slot.totals.rejected = prepared->admission.allowed ? 0 : 1;
  slot.totals.late_containers = has_late_container(prepared->admission) ? 1 : 0;
  slot.totals.without_effect = is_untouched(options.subjects, prepared->value, prepared->admission) ? 1 : 0;
  const std::vector<bool> acting = properties::acting_calls(prepared->value, prepared->admission);
  const bool has_acted = std::find(acting.begin(), acting.end(), true) != acting.end();
  slot.subjects = subjects_in(options.subjects, *prepared, acting);
  slot.acted = std::ranges::any_of(slot.subjects, &SubjectInCase::acted);
  slot.kind = cases::kind_of(prepared->value.request, prepared->value.cluster).resource();
  slot.counts = counts_of(*prepared);
  slot.totals.faults = prepared->value.faults.empty() ? 0 : 1;
  const bool calls_out = options.subjects.resolve.made_so_far() > made;
  const JudgeOptions bounds = bounds_of(*prepared, calls_out, has_acted, is_slow, asks_all);
  const auto usual = options.subjects.catalog.of_cases();
  const auto properties = is_slow ? order_of(knowledge.least_decided_first, slot.kind, usual) : usual;
  for (const PropertyJudgement& asked :
       ask(*prepared, properties, bounds, options.effort.limits, options.subjects.resolve)) {
    slot.decisions.emplace_back(asked.property->name,
                                decision_of(options.subjects, prepared->value, asked.judgement));
    observe(options.subjects, prepared->value, asked.judgement, slot.observations);
    const auto* violated = std::get_if<Violated>(&asked.judgement);
    if (violated == nullptr) continue;
    for (const Violation& violation : violated->violations)
      slot.violations.push_back(
          {asked.property, violation, fingerprint(prepared->value, asked.property->name, violation)});
  }
  slot.totals.all_properties = slot.decisions.size() == properties.size() ? 1 : 0;
  knowledge.pace.take(options.hooks.clock() - begin, options.subjects.resolve.made_so_far() - made);
  slot.is_sample = fully && std::ranges::any_of(slot.subjects, &SubjectInCase::changed);
  if (!slot.violations.empty() || slot.is_sample) slot.value = std::move(prepared->value);
  return slot;
}

/// All properties are checked on a Sequence, whatever its number.
CaseResult examine_sequence(const RunOptions& options, cases::Sequence value) {
  CaseResult slot{.done = true, .totals = {.cases = 1, .all_properties = 1, .sequences = 1}};
  auto prepared = prepare(std::move(value), options.subjects.resolve_reconciler);
  if (!prepared) {
    slot.totals.broken = 1;
    return slot;
  }
  slot.subjects = subjects_in(options.subjects, *prepared);
  for (const sequences::Property* property : options.subjects.catalog.of_sequences()) {
    const auto judgement = ask(*prepared, *property, options.effort.limits);
    slot.decisions.emplace_back(property->name, decision_of(options.subjects, {}, judgement));
    const auto* violated = std::get_if<Violated>(&judgement);
    if (violated == nullptr) continue;
    for (const Violation& violation : violated->violations)
      slot.of_sequence.emplace_back(property, violation);
  }
  if (!slot.of_sequence.empty()) slot.value = std::move(prepared->value);
  return slot;
}

}  // namespace

CaseResult examine(const RunOptions& options, const Knowledge& knowledge, const Draw& draw,
                   std::uint64_t index) {
  Choices choices(options.drawing.seed, index);
  Drawn drawn = draw(choices, knowledge.steering);
  if (auto* sequence = std::get_if<cases::Sequence>(&drawn))
    return examine_sequence(options, std::move(*sequence));
  return examine_case(options, knowledge, std::get<Case>(std::move(drawn)),
                      index % options.effort.sample_every == 0);
}

bool keeps_subjects(const RunSubjects& subjects, const Case& original, const Case& candidate) {
  return std::all_of(candidate.webhooks.begin(), candidate.webhooks.end(), [&](const auto& kept) {
    const auto& [key, backend] = kept;
    const WebhookRef webhook = cases::webhook_ref(candidate, key);
    if (!is_judged(subjects, candidate, webhook)) return true;
    if (!has_same_contract(original, candidate, webhook)) return false;
    if (std::holds_alternative<cases::InjectorName>(backend)) return true;
    return std::any_of(original.webhooks.begin(), original.webhooks.end(), [&](const auto& before) {
      const WebhookRef old = cases::webhook_ref(original, before.first);
      return old.name == webhook.name && before.second == backend &&
             is_called_alike(configured(original, old), configured(candidate, webhook));
    });
  });
}

}  // namespace fixpoint::runner
