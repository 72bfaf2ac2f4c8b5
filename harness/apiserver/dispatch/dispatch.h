#pragma once

#include <optional>
#include <string>

#include "harness/apiserver/dispatch/configuration.h"
#include "harness/cases/kind.h"
#include "harness/cases/minors.h"
#include "harness/cases/outcome.h"
#include "harness/document/limits.h"
#include "harness/document/patch.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::apiserver {

/// The error of one call, in the words of the Outcome.
/// A policy fails by itself, whatever its failurePolicy makes of that.
enum class CallError { none, call, ignored, internal, denied, condition, dry_run, policy };
std::string_view word(CallError error);

/// The result of calling one webhook on one object, from the dry-run check to the defaulted result
/// (docs/simulator.md#3-1).
struct CallResult {
  bool called = false;  ///< the webhook was reached and the call counts
  webhooks::Answer answer = {};
  CallError error = CallError::none;
  std::optional<cases::Status> status = {};  ///< the client's answer if the call ends the request
  /// The reason of a failure in our words, of which the identity of a finding is made, and in the server's.
  std::string problem = {}, said = {};
  std::string excerpt = {};  ///< the expression of a policy, with a caret under what failed (cel::excerpt)
  bool applied = false;      ///< a non-empty patch was applied and decoded
  bool changed = false;      ///< before defaulting, by semantic equality (docs/simulator.md#4-3)
  bool crashed = false;  ///< the API server panics on this patch: no audit annotations, whatever the policy
  bool timed_out = false;
  Value after = {};              ///< the object that the next webhook gets
  std::string nanoseconds = {};  ///< of the new object, if the patch was applied
};

/// The input of a call, beside the webhook.
struct CallInput {
  const cases::Request& request;
  const cases::Cluster& cluster;
  const Value& object;
  int number = 1;                     ///< number of the call, from 1
  std::string_view nanoseconds = {};  ///< of the object in memory, lost in JSON (nanoseconds.h)
  int minor = cases::kNewestMinor;
  std::string_view name = {};  ///< of the object, from the request
  /// In the version in which the webhook gets the object; nullptr: that of the request.
  const cases::Kind* kind = nullptr;
};

/// Calls a webhook and processes its answer as the dispatcher does. The result depends only on the arguments.
CallResult call_webhook(const ConfiguredWebhook& webhook, const webhooks::Handler& handler,
                        const CallInput& input, const Limits& limits);

/// Returns true for a key of the audit log: a qualified name with exactly one slash (docs/simulator.md#3-8).
bool is_audit_key(std::string_view key);

}  // namespace fixpoint::apiserver
