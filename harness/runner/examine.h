#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/finding.h"
#include "harness/properties/property.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::runner {

/// A Case with its handlers and its admission: everything that properties need.
struct Prepared {
  cases::Case value;
  properties::Handlers handlers;  ///< without faults
  apiserver::Admission admission;
  properties::Handlers replicas = {};  ///< second processes of those that have one
  bool has_history = false;            ///< the first processes answered other Cases before, the second none
};

/// Resolves the webhooks of a Case and runs its admission. An error if the Case cannot run: an unknown
/// injector, a url or a command that is not allowed, an unsupported expression, a Pod that cannot be decoded,
/// or calls that were skipped at the end of the run. Warnings of a creation are not computed, since no
/// property uses them (kWithoutWarnings).
inline constexpr apiserver::AdmitOptions kWithoutWarnings{.warns = false};
document::Result<Prepared> prepare(cases::Case value, const webhooks::Resolve& resolve, const Limits& limits,
                                   const apiserver::AdmitOptions& options = {});

/// Does the same after the Cases that a Finding names before it.
document::Result<Prepared> prepare_after(std::span<const cases::Case> before, cases::Case value,
                                         const webhooks::Resolve& resolve, const Limits& limits);

/// Prepares a Finding's Case for a replay of its property: if Cases came before it, in new processes and
/// after them.
document::Result<Prepared> prepare_for_replay(const cases::Finding& finding, const webhooks::Resolve& resolve,
                                              const Limits& limits);

/// Returns the inputs of a property; they refer to `prepared` and `limits`.
properties::Examination examination_of(const Prepared& prepared, const Limits& limits);

/// Asks a property, and gives its violations their identity: shapes keep the keys that a webhook looks for.
properties::Judgement judged_by(const properties::Property& property,
                                const properties::Examination& examination);

struct PropertyJudgement {
  const properties::Property* property;
  properties::Judgement judgement;
};

struct JudgeOptions {
  bool only_cheap = false;              ///< those that are checked on every Case
  std::optional<bool> has_acted = {};   ///< a webhook under test acted in the admission, if that is known
  /// After so many of them only properties that need no more are asked; 0: no bound.
  std::uint64_t outside_calls_max = 0;
};

/// Checks the properties in their order. Those whose calls were not all made (Resolve::skipped_calls) are
/// left out.
std::vector<PropertyJudgement> ask(const Prepared& prepared,
                                   std::span<const properties::Property* const> which,
                                   const JudgeOptions& options, const Limits& limits,
                                   const webhooks::Resolve& resolve = {});

/// The identity of a violation (docs/judging.md#fingerprint): property, subject without release, webhook
/// without configuration, verdict, shape. Twelve hexadecimal digits.
std::string fingerprint(const cases::Case& value, std::string_view property,
                        const properties::Violation& violation);

/// Returns true if the server would store the request's Pod if no webhook changed it any more.
bool has_valid_pod(const Prepared& prepared);

/// Returns the first violation of the property that has this fingerprint, if the Case shows it.
std::optional<properties::Violation> shows(const Prepared& prepared, const properties::Property& property,
                                           std::string_view wanted, const Limits& limits);
std::optional<properties::Violation> shows(const cases::Case& value, const properties::Property& property,
                                           std::string_view wanted, const webhooks::Resolve& resolve,
                                           const Limits& limits);

}  // namespace fixpoint::runner
