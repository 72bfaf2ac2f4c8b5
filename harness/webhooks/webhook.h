#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cases/case.h"
#include "harness/cases/outcome.h"
#include "harness/document/limits.h"
#include "harness/document/value.h"
#include "harness/webhooks/sent_patch.h"

namespace fixpoint::webhooks {

using document::Value;

/// The content of one AdmissionReview request of the API server (docs/simulator.md#3-2), and the objects of
/// the cluster that a webhook can read. References outlive the call.
struct Call {
  const Value& object;      ///< the current object as the server encodes it
  const Value& old_object;  ///< null but for an UPDATE
  const cases::Request& request;
  const cases::Cluster& cluster;
  std::string_view webhook;         ///< <configuration>/<webhook>
  std::string_view review_version;  ///< "v1" or "v1beta1"
  std::string_view uid;
  std::string_view name;  ///< metadata.name of the request, empty with generateName only
  int number = 1;         ///< of this call to this webhook within the Case, from 1
  int timeout_seconds = 10;
};

/// In Answer::api_version: the answer has none.
inline constexpr const char* kNoApiVersion = "-";

/// The answer of a webhook. The defaults are those of a well-formed answer that allows and changes nothing;
/// faults and foreign webhooks may set any of it. The dispatcher decides which of it is a calling failure
/// (docs/simulator.md#3-5, docs/simulator.md#3-6).
struct Answer {
  /// Not empty: calling failed before there was an AdmissionReview to read (refused, timeout, status, body),
  /// and why.
  std::string problem = {};
  bool timed_out = false;
  std::string api_version = {};  ///< of the answer; empty: the one that was asked; kNoApiVersion: none
  std::string kind = "AdmissionReview";
  bool has_response = true;
  bool uid_echoed = true;
  bool allowed = true;
  cases::Denial status = {};  ///< response.status; a zero code means absent
  bool has_status = false;
  SentPatch patch = {};
  std::optional<std::string> patch_type = {};
  std::vector<std::string> warnings = {};
  std::map<std::string, std::string> audit_annotations = {};
  double seconds = 0;  ///< how long the call took on the simulated clock
};

/// The one seam: whatever stands behind a webhook is a function from a call to an answer. It must be a
/// function of the call alone for everything deterministic; it may be called from several threads.
using Handler = std::function<Answer(const Call&)>;

/// An answer that allows, with `patch` unless it is an empty list.
Answer allow(Value patch = {});
/// An answer that allows and makes `after` of the call's object `before`, by the patch that `make` works out.
Answer allow_change(const Value& before, Value after, SentPatch::Make make = document::diff);
Answer deny(int code, std::string reason, std::string message);
/// Calling failed.
Answer fail(std::string problem);

/// The denial with code 500 by which controller-runtime answers after a panic of the webhook's code, on by
/// default from its release 0.19 on (pkg/webhook/admission, Webhook.Handle): "panic: … [recovered]".
Answer recovered(std::string_view panic);
/// The panic of such an answer, without the words around it; nothing for any other answer.
std::optional<std::string> recovered_panic(const Answer& answer);

/// The handler of a script webhook.
Handler scripted(std::shared_ptr<const cases::Script> script);

/// Puts the faults of a Case that name `webhook` in front of its handler; the handler itself if there are
/// none.
Handler with_faults(Handler inner, std::string_view webhook, const std::vector<cases::Fault>& faults);

/// Finds the handler behind a backend, or says why there is none: the name of an injector, and where calling
/// out was allowed, a URL or a command. Made from a function of names alone it refuses the latter two.
struct Resolve {
  Resolve() = default;
  template <std::invocable<std::string_view> Named>
  Resolve(Named function) : named(std::move(function)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return static_cast<bool>(named); }
  document::Result<Handler> operator()(std::string_view injector) const { return named(injector); }

  std::function<document::Result<Handler>(std::string_view injector)> named = {};
  std::function<document::Result<Handler>(const cases::Backend& outside)> outside = {};
  /// The handler of a second process of a program, which gets no request but those of its own callers;
  /// nothing for a backend of which there is but one, like a URL. Absent: for none.
  std::function<std::optional<Handler>(const cases::Backend& outside)> replica = {};
  /// The same webhooks with every program in new processes, which no request has reached. Absent: there are
  /// no programs.
  std::function<Resolve()> anew = {};
  /// Of an injector that is made of others, or one of these: the whole, then its parts, in their releases.
  /// Empty for one that stands alone.
  std::function<std::vector<std::string>(std::string_view injector)> family = {};
  /// How many calls of this thread to the outside were not made so far, because the run was over: what was
  /// asked meanwhile says nothing.
  std::function<std::uint64_t()> withheld = {};
  std::uint64_t withheld_so_far() const { return withheld ? withheld() : 0; }
  /// How many calls of this thread to the outside were made so far.
  std::function<std::uint64_t()> made = {};
  std::uint64_t made_so_far() const { return made ? made() : 0; }
};

/// What answers behind each webhook of a Case, without its faults, by <configuration>/<webhook>.
document::Result<std::map<std::string, Handler>> handlers(const cases::Case& value, const Resolve& resolve);
/// The handlers of second processes of those that have one, by <configuration>/<webhook>.
std::map<std::string, Handler> replicas(const cases::Case& value, const Resolve& resolve);
/// The same with the faults of the Case in front of them.
std::map<std::string, Handler> with_all_faults(std::map<std::string, Handler> all,
                                               const std::vector<cases::Fault>& faults);

}  // namespace fixpoint::webhooks
