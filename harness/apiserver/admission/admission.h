#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/dispatch/dispatch.h"
#include "harness/apiserver/policies/policy_event.h"
#include "harness/cases/case.h"
#include "harness/cases/minors.h"
#include "harness/cases/outcome.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::apiserver {

/// One webhook call in a pass, as it happened.
struct CallEvent {
  int pass = 1;
  int index = 0;   ///< into Admission::webhooks
  int number = 1;  ///< of the calls to this webhook
  Value before = {};
  CallResult result = {};
  /// Returns true if the webhook returned another object than it received.
  bool left_another() const { return result.applied && !result.after.same(before); }
};

/// The record of one admission, cheap to make; outcome_of() converts it to the Outcome format.
struct Admission {
  std::vector<ConfiguredWebhook> webhooks = {};
  bool allowed = true;
  std::optional<cases::Status> status = {};
  int passes = 1;
  std::vector<policies::PolicyEvent> policies = {};
  std::vector<policies::ConditionEvent> conditions = {};  ///< of policies
  std::vector<CallEvent> calls = {};
  Value received = {};  ///< the request's Pod as decoded, defaulted and completed by the handler
  Value first = {};     ///< after the in-tree plugins and policies of pass 1: the first webhook's input
  Value object = {};    ///< after mutating admission; null if rejected before
  Value stored = {};    ///< after the registry's preparation; null if it was not reached
  std::vector<std::string> warnings = {};
  std::map<std::string, std::string> webhook_annotations = {};  ///< the webhooks' own, as recorded
  bool crashed = false;  ///< the API server panics: its client gets no answer
  std::vector<cases::FieldError> invalid = {};
  std::optional<cases::Validating> validating = {};  ///< empty if the registry was not asked, or refused
};

struct AdmitOptions {
  bool store = true;  ///< prepare and validate the result as the registry does
  bool warns = true;  ///< also give the creation warnings; needs `store`
};

/// Runs mutating admission for a Case in its two passes (docs/simulator.md#5), then the registry's
/// preparation and validation and the judges of the validating phase. An error if the simulator does not
/// support something in the Case. Handlers have the key <configuration>/<webhook>.
document::Result<Admission> admit(const cases::Case& value,
                                  const std::map<std::string, webhooks::Handler>& handlers,
                                  const Limits& limits = {}, const AdmitOptions& options = {});

/// The Outcome of an admission, with audit annotations at the level Request.
cases::Outcome outcome_of(const cases::Case& value, const Admission& admission);

using cases::minor_of;

/// Returns the stored Pod as the client is shown it: read back from the store, and so defaulted once more.
/// A value that a plugin added can have a default of its own (a container's requests make those of a
/// Pod-level request). Null if nothing is stored.
Value shown_to_client(const cases::Case& value, const Admission& admission);

}  // namespace fixpoint::apiserver
