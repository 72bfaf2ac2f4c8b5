#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/admission/dispatch.h"
#include "harness/cases/case.h"
#include "harness/cases/outcome.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::apiserver {

/// One webhook's turn in a pass, as it happened.
struct CallEvent {
  int pass = 1;
  int index = 0;   ///< into Admission::webhooks
  int number = 1;  ///< of the calls to this webhook
  Value before = {};
  Hop hop = {};
  /// Whether the webhook left another object than it got.
  bool left_another() const { return hop.applied && !hop.after.same(before); }
};

/// Everything that happened to one request, cheap to make; outcome_of() writes it down as the format has it.
struct Admission {
  std::vector<ConfiguredWebhook> webhooks = {};
  bool allowed = true;
  std::optional<cases::Status> status = {};
  int passes = 1;
  std::vector<CallEvent> calls = {};
  Value received = {};  ///< the request's Pod as decoded, defaulted and completed by the handler
  Value first = {};     ///< after the in-tree plugins of pass 1: what the first webhook gets
  Value object = {};    ///< after mutating admission; null when rejected before that
  Value stored = {};    ///< after the registry's preparation; null when that was not reached
  std::vector<std::string> warnings = {};
  std::map<std::string, std::string> webhook_annotations = {};  ///< the webhooks' own, as recorded
  bool crashed = false;
  std::vector<cases::FieldError> invalid = {};
};

struct AdmitOptions {
  bool store = true;  ///< prepare and validate the result as the registry does
  bool warns = true;  ///< then give the creation warnings too
};

/// Mutating admission of a Case in its two passes (docs/simulator.md#5), then the registry's preparation and
/// validation. An error if the Case asks for something that the simulator does not know. Handlers have the
/// key <configuration>/<webhook>.
document::Result<Admission> admit(const cases::Case& value,
                                  const std::map<std::string, webhooks::Handler>& handlers,
                                  const Limits& limits = {}, const AdmitOptions& options = {});

/// The Outcome of an admission, with audit annotations of the level Request.
cases::Outcome outcome_of(const cases::Case& value, const Admission& admission);

/// The Kubernetes minor of a Case's version: 36 for "1.36".
int minor_of(const cases::Cluster& cluster);

}  // namespace fixpoint::apiserver
