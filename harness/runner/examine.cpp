#include "harness/runner/examine.h"

#include "harness/apiserver/admission/policy_handlers.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/cut.h"
#include "harness/properties/acted.h"
#include "harness/properties/validity.h"
#include "harness/properties/webhook_caller.h"
#include "harness/runner/fingerprint.h"
#include "harness/runner/learning/subject.h"
#include "harness/runner/own_key.h"

namespace fixpoint::runner {

using cases::Case;
using properties::Property;
using properties::Violation;

namespace {

document::Result<Prepared> prepare_now(Case value, const webhooks::Resolve& resolve, const Limits& limits,
                                       const apiserver::AdmitOptions& options) {
  const std::uint64_t skipped_calls = resolve.calls_skipped_so_far();
  auto handlers = webhooks::handlers(value, resolve);
  if (!handlers) return std::move(handlers).error();
  apiserver::add_policy_handlers(value.cluster, *handlers);
  auto admission =
      value.faults.empty()
          ? apiserver::admit(value, *handlers, limits, options)
          : apiserver::admit(value, webhooks::with_all_faults(*handlers, value.faults), limits, options);
  if (!admission) return std::move(admission).error();
  if (resolve.calls_skipped_so_far() != skipped_calls)
    return document::Error{"a call was not made: the run is over"};
  auto replicas = webhooks::replicas(value, resolve);
  return Prepared{std::move(value), *std::move(handlers), *std::move(admission), std::move(replicas)};
}

/// Asks a property. One of whose own calls reaches a limit of ours was not decided.
properties::Judgement judge(const Property& property, const properties::Examination& examination) {
  const cases::Case& value = examination.value;
  if (!property.takes_any_kind && !cases::kind_of(value.request, value.cluster).is_pod()) {
    return properties::Skipped{.why = properties::Skipped::Why::not_applicable,
                               .reason = "the object is no Pod",
                               .observations = {}};
  }
  try {
    return property.ask(examination);
  } catch (const document::Cut& cut) {
    if (!cut.is_limit()) throw;
    return properties::Skipped{.reason = cut.what(), .observations = {}};
  }
}

}  // namespace

document::Result<Prepared> prepare(Case value, const webhooks::Resolve& resolve, const Limits& limits,
                                   const apiserver::AdmitOptions& options) {
  try {
    return prepare_now(std::move(value), resolve, limits, options);
  } catch (const document::Cut& cut) {
    if (!cut.is_limit()) throw;
    return document::Error{cut.what()};
  }
}

document::Result<Prepared> prepare_after(std::span<const Case> before, Case value,
                                         const webhooks::Resolve& resolve, const Limits& limits) {
  for (const Case& earlier : before)
    if (auto answered = prepare(earlier, resolve, limits, kWithoutWarnings); !answered) return answered;
  auto prepared = prepare(std::move(value), resolve, limits, kWithoutWarnings);
  if (prepared) prepared->has_history = !before.empty();
  return prepared;
}

document::Result<Prepared> prepare_for_replay(const cases::Finding& finding, const webhooks::Resolve& resolve,
                                              const Limits& limits) {
  if (finding.before.empty() || !resolve.anew) return prepare(finding.value, resolve, limits);
  return prepare_after(finding.before, finding.value, resolve.anew(), limits);
}

properties::Examination examination_of(const Prepared& prepared, const Limits& limits) {
  return {.value = prepared.value,
          .handlers = prepared.handlers,
          .admission = prepared.admission,
          .limits = limits,
          .replicas = &prepared.replicas,
          .has_history = prepared.has_history};
}

properties::Judgement judged_by(const Property& property, const properties::Examination& examination) {
  auto judgement = judge(property, examination);
  if (auto* violated = std::get_if<properties::Violated>(&judgement))
    for (Violation& violation : violated->violations) {
      keep_own_keys(examination, violation);
      drop_keys_of_values(examination, violation);
    }
  return judgement;
}

namespace {

struct AskedOnce {
  properties::Judgement judgement;
  bool is_whole;  ///< no call that it needs was skipped
};

}  // namespace

std::vector<PropertyJudgement> ask(const Prepared& prepared, std::span<const Property* const> which,
                                   const JudgeOptions& options, const Limits& limits,
                                   const webhooks::Resolve& resolve) {
  properties::CallMemory memory;
  const bool admission_acted =
      options.has_acted ? *options.has_acted : properties::has_acted(prepared.value, prepared.admission);
  const std::uint64_t made = resolve.made_so_far();
  bool acted = false;
  properties::Examination examination = examination_of(prepared, limits);
  examination.memory = options.only_cheap ? nullptr : &memory;
  examination.has_acted = &acted;
  if (!options.only_cheap && prepared.value.faults.empty()) memory.keep_all(prepared.admission);
  const auto answer_of = [&](const Property& property) {
    const std::uint64_t skipped_calls = resolve.calls_skipped_so_far();
    acted = admission_acted;
    AskedOnce answer{judged_by(property, examination), false};
    answer.is_whole = resolve.calls_skipped_so_far() == skipped_calls;
    // A property holds trivially for a webhook that does nothing: that is no verdict.
    if (!acted && std::holds_alternative<properties::Held>(answer.judgement))
      answer.judgement = properties::Skipped{.reason = "no webhook under test acted",
                                             .observations = properties::observations_of(answer.judgement)};
    return answer;
  };
  // An answer without a further call costs nothing, and one that was none stays out of the memory.
  const auto answer_without_calls = [&](const Property& property) {
    const auto pause = resolve.pause();
    properties::CallMemory so_far = memory;
    examination.memory = &so_far;
    AskedOnce answer = answer_of(property);
    examination.memory = &memory;
    return answer;
  };
  std::vector<PropertyJudgement> asked;
  for (const Property* property : which) {
    if (options.only_cheap && !property->is_cheap) continue;
    const std::uint64_t calls = resolve.made_so_far() - made;
    const bool is_spent = options.outside_calls_max > 0 && calls >= options.outside_calls_max;
    if (is_spent && !resolve.pause) break;
    AskedOnce answer = is_spent ? answer_without_calls(*property) : answer_of(*property);
    if (answer.is_whole) asked.push_back({property, std::move(answer.judgement)});
    if (!answer.is_whole && !is_spent && !options.only_cheap)
      break;  // the memory holds an answer that was none
  }
  return asked;
}

std::string without_release(std::string_view name) { return std::string(name.substr(0, name.find('@'))); }

std::string fingerprint(const Case& value, std::string_view property, const Violation& violation) {
  std::string subject;
  if (const auto backend = value.webhooks.find(violation.webhook); backend != value.webhooks.end()) {
    if (const auto* injector = std::get_if<cases::InjectorName>(&backend->second)) {
      subject = without_release(injector->name);
    }
  }
  const std::string webhook = cases::webhook_ref(value, violation.webhook).name;
  const std::string where = violation.shape + (violation.change.empty() ? "" : " " + violation.change);
  return fingerprint_of({property, subject, webhook, violation.verdict, where});
}

bool has_valid_pod(const Prepared& prepared) {
  const Value& pod = prepared.admission.first;
  return !pod.is_null() && properties::is_storable(prepared.value, pod);
}

std::optional<Violation> shows(const Prepared& prepared, const Property& property, std::string_view wanted,
                               const Limits& limits) {
  const auto judgement = judged_by(property, examination_of(prepared, limits));
  if (const auto* violated = std::get_if<properties::Violated>(&judgement)) {
    for (const Violation& violation : violated->violations) {
      if (fingerprint(prepared.value, property.name, violation) == wanted) return violation;
    }
  }
  return std::nullopt;
}

std::optional<Violation> shows(const Case& value, const Property& property, std::string_view wanted,
                               const webhooks::Resolve& resolve, const Limits& limits) {
  const std::uint64_t skipped_calls = resolve.calls_skipped_so_far();
  const auto prepared = prepare(value, resolve, limits, kWithoutWarnings);
  auto violation = prepared ? shows(*prepared, property, wanted, limits) : std::nullopt;
  return resolve.calls_skipped_so_far() == skipped_calls ? violation : std::nullopt;
}

}  // namespace fixpoint::runner
