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

/// A Case with its handlers and its admission: everything that properties ask about.
struct Prepared {
  cases::Case value;
  properties::Handlers handlers;  ///< without faults
  apiserver::Admission admission;
  properties::Handlers replicas = {};  ///< second processes of those that have one
  bool has_history = false;            ///< the first processes answered other Cases before, the second none
};

/// Resolves the webhooks of a Case and runs its admission. An error for what cannot run: an unknown injector,
/// a url or a command that nobody allowed, an unsupported expression, a Pod that cannot be decoded. No
/// property looks at the warnings of a creation: a run does without (kJudging). Calls that were not made any
/// more are an error, too.
inline constexpr apiserver::AdmitOptions kJudging{.warns = false};
document::Result<Prepared> prepare(cases::Case value, const webhooks::Resolve& resolve, const Limits& limits,
                                   const apiserver::AdmitOptions& options = {});

/// The same after the Cases that a Finding names before it.
document::Result<Prepared> prepare_after(std::span<const cases::Case> before, cases::Case value,
                                         const webhooks::Resolve& resolve, const Limits& limits);

/// A Finding's Case, ready to ask its property again: where Cases came before it, in new processes and after
/// them.
document::Result<Prepared> prepare_for_replay(const cases::Finding& finding, const webhooks::Resolve& resolve,
                                              const Limits& limits);

/// What a property asks about; it refers to `prepared` and `limits`.
properties::Examination examination_of(const Prepared& prepared, const Limits& limits);

struct Asked {
  const properties::Property* property;
  properties::Judgement judgement;
};

struct AskOptions {
  bool only_cheap = false;              ///< those that are asked of every Case
  std::optional<bool> has_acted = {};   ///< a webhook under test acted in the admission, where that is known
  std::uint64_t outside_calls_max = 0;  ///< no property is begun after so many of them; 0: no bound
};

/// Asks the properties, in their order. Those are left out whose calls were not all made (Resolve::withheld).
std::vector<Asked> ask(const Prepared& prepared, std::span<const properties::Property* const> which,
                       const AskOptions& options, const Limits& limits,
                       const webhooks::Resolve& resolve = {});

/// The identity of a violation (docs/judging.md#fingerprint): property, subject without release, webhook
/// without configuration, verdict, evidence path without indices. Twelve hexadecimal digits.
std::string fingerprint(const cases::Case& value, std::string_view property,
                        const properties::Violation& violation);

/// Whether the server would store the request's Pod if no webhook changed it any more.
bool has_valid_pod(const Prepared& prepared);

/// The first violation of the property that has this fingerprint, when the Case shows it.
std::optional<properties::Violation> shows(const Prepared& prepared, const properties::Property& property,
                                           std::string_view wanted, const Limits& limits);
std::optional<properties::Violation> shows(const cases::Case& value, const properties::Property& property,
                                           std::string_view wanted, const webhooks::Resolve& resolve,
                                           const Limits& limits);

}  // namespace fixpoint::runner
