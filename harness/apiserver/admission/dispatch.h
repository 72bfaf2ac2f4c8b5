#pragma once

#include <optional>
#include <string>

#include "harness/apiserver/admission/configuration.h"
#include "harness/cases/outcome.h"
#include "harness/document/limits.h"
#include "harness/document/patch.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::apiserver {

/// How one call ended; the words are the Outcome's.
enum class CallError { none, call, ignored, internal, denied, condition, dry_run };
std::string_view word(CallError error);

/// One call of one webhook on one object, from the dry-run gate to the defaulted result
/// (docs/simulator.md#3-1).
struct Hop {
  bool called = false;  ///< the webhook was reached, and its call counted
  webhooks::Answer answer = {};
  CallError error = CallError::none;
  std::optional<cases::Status> status = {};  ///< what the client gets when this ends the request
  std::string problem = {};                  ///< why it failed, for people
  bool applied = false;                      ///< a non-empty patch was applied and decoded
  bool changed = false;  ///< before defaulting, by semantic equality (docs/simulator.md#4-3)
  bool crashed = false;  ///< the API server panics on this patch: no audit annotations, whatever the policy
  bool timed_out = false;
  Value after = {};              ///< the object that the next webhook gets
  std::string nanoseconds = {};  ///< of the object that was made, when the patch was applied
};

/// What a call needs beside the webhook.
struct HopInput {
  const cases::Request& request;
  const cases::Cluster& cluster;
  const Value& object;
  int number = 1;                     ///< of the call, from 1
  std::string_view nanoseconds = {};  ///< of the object in memory, which no JSON keeps (nanoseconds.h)
  int minor = 36;
  std::string_view name = {};  ///< of the object, as the request says
};

/// The JSON Patch library that a minor was released with.
document::PatchLibrary patch_library(int minor);

/// Calls a webhook and does with its answer what the dispatcher does. The result depends on nothing but its
/// arguments.
Hop call_webhook(const ConfiguredWebhook& webhook, const webhooks::Handler& handler, const HopInput& input,
                 const Limits& limits);

}  // namespace fixpoint::apiserver
