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

#include "harness/cases/api_access.h"
#include "harness/cases/case.h"
#include "harness/cases/outcome.h"
#include "harness/document/limits.h"
#include "harness/document/value.h"
#include "harness/webhooks/sent_patch.h"

namespace fixpoint::webhooks {

using document::Value;

/// The content of one AdmissionReview request of the API server (docs/simulator.md#3-2), and the objects of
/// the cluster that a webhook can read. References outlive the call. A copy with another object is the same
/// call on that object.
struct Call {
  Value object;      ///< the current object as the server encodes it
  Value old_object;  ///< null except for an UPDATE
  const cases::Request& request;
  const cases::Cluster& cluster;
  std::string_view webhook;         ///< <configuration>/<webhook>
  std::string_view review_version;  ///< "v1" or "v1beta1"
  std::string_view uid;
  std::string_view name;  ///< metadata.name of the request; empty if there is only generateName
  std::string_view version = {};  ///< of the object's kind, if the request's is another (docs/any-kind.md)
  int number = 1;         ///< the number of this call to this webhook within the Case, from 1
  int timeout_seconds = 10;
  std::string_view read_fault = {};  ///< how reads of the cluster fail during this call (cases::kReadFaults)
  /// Requests that are to be in flight at the same time, and whose answers nobody needs: for servers that
  /// take several at a time.
  const std::vector<Call>* concurrent = nullptr;
  bool is_alone = false;  ///< beside those no request is to be in flight, of no other Case either
};

/// The value of Answer::api_version for an answer without one.
inline constexpr const char* kNoApiVersion = "-";

/// The answer of a webhook. The defaults are a well-formed answer that allows and changes nothing; faults and
/// external webhooks may set any field. The dispatcher decides which values are calling failures
/// (docs/simulator.md#3-5, docs/simulator.md#3-6).
struct Answer {
  /// The reason why the call failed before there was an AdmissionReview to read (refused, timeout, status,
  /// body); empty if it did not.
  std::string problem = {};
  /// The server's text for such a call, if that is known; of an answer with another uid, that uid.
  std::string said = {};
  bool timed_out = false;
  std::string api_version = {};  ///< that of the answer; empty: the request's; kNoApiVersion: none
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
  double seconds = 0;  ///< the duration of the call on the simulated clock
  bool was_concurrent = false;  ///< the requests of Call::concurrent were in flight, too
  /// The requests that the webhook made during the call to the API that serves it the Case's cluster.
  std::vector<cases::ApiAccess> accesses = {};
};

/// The one interface of all webhooks: a function from a call to an answer. The answer of a deterministic
/// webhook must depend on the call alone. May be called from several threads.
///
///     const Handler labels = [](const Call& call) {
///       Value pod = call.object;
///       pod.edit("metadata").edit("labels").set("seen", "yes");
///       return allow_change(call.object, std::move(pod));
///     };
using Handler = std::function<Answer(const Call&)>;

/// Returns an answer that allows, with `patch` unless that is an empty list.
Answer allow(Value patch = {});
/// Returns an answer that allows and turns the call's object `before` into `after`, with a patch computed by
/// `make`.
Answer allow_change(const Value& before, Value after, SentPatch::Make make = document::diff);
Answer deny(int code, std::string reason, std::string message);
/// Returns an answer for a failed call. `said` are the server's words for it.
Answer fail(std::string problem, std::string said = {});
/// The server's text for a status other than 200 to 206; `body` is the body of the response if it is plain
/// text, else `unknown`.
std::string refused_status(int code, std::string_view body);
/// The server's text for a body that is no JSON object, of the JSON kind that Go names `kind`.
std::string refused_body(std::string_view kind);

/// Returns the denial with code 500 that controller-runtime returns after a panic of the webhook's code, by
/// default since its release 0.19 (pkg/webhook/admission, Webhook.Handle): "panic: … [recovered]".
Answer recovered(std::string_view panic);
/// Returns the panic's message in such an answer, without the text around it; nothing for any other answer.
std::optional<std::string> recovered_panic(const Answer& answer);

/// Returns the handler of a script webhook.
Handler scripted(std::shared_ptr<const cases::Script> script);

/// Wraps a handler with the faults of a Case that name `webhook`; returns the handler itself if there are
/// none.
Handler with_faults(Handler inner, std::string_view webhook, const std::vector<cases::Fault>& faults);

/// Finds the handler of a backend, or the reason why there is none: an injector by name and, if external
/// calls are allowed, a URL or a command. If constructed from a function of names alone, it rejects URLs and
/// commands.
struct Resolve {
  Resolve() = default;
  template <std::invocable<std::string_view> Named>
  Resolve(Named function) : named(std::move(function)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return static_cast<bool>(named); }
  document::Result<Handler> operator()(std::string_view injector) const { return named(injector); }

  std::function<document::Result<Handler>(std::string_view injector)> named = {};
  std::function<document::Result<Handler>(const cases::Backend& outside)> outside = {};
  /// Returns the handler of a second process of a program, which receives only the requests of its own
  /// callers; nothing for a backend that cannot have one, like a URL. If unset, no backend has one.
  std::function<std::optional<Handler>(const cases::Backend& outside)> replica = {};
  /// Returns the same webhooks with every program in new processes, which have had no earlier requests. If
  /// unset, there are no programs.
  std::function<Resolve()> anew = {};
  /// Returns the same for a search: of webhooks that cannot be started again, calls are made beside others'.
  std::function<Resolve()> anew_beside = {};
  /// Returns, for an injector that is composed of others or is one of its parts, the composed injector and
  /// then its parts, with their releases. Empty for any other injector.
  std::function<std::vector<std::string>(std::string_view injector)> family = {};
  /// Returns the number of this thread's external calls that were not made because the run was over. Results
  /// that needed such a call are inconclusive.
  std::function<std::uint64_t()> skipped_calls = {};
  std::uint64_t calls_skipped_so_far() const { return skipped_calls ? skipped_calls() : 0; }
  /// As long as the result lives, this thread's external calls are not made; they count as skipped. Unset
  /// without external webhooks.
  std::function<std::shared_ptr<void>()> pause = {};
  /// Returns the number of external calls that this thread has made.
  std::function<std::uint64_t()> made = {};
  std::uint64_t made_so_far() const { return made ? made() : 0; }
};

/// Returns the handler of each webhook of a Case, without its faults, by <configuration>/<webhook>.
document::Result<std::map<std::string, Handler>> handlers(const cases::Case& value, const Resolve& resolve);
/// Returns the handlers of second processes, for webhooks that have one, by <configuration>/<webhook>.
std::map<std::string, Handler> replicas(const cases::Case& value, const Resolve& resolve);
/// Returns the same handlers, wrapped with the faults of the Case.
std::map<std::string, Handler> with_all_faults(std::map<std::string, Handler> all,
                                               const std::vector<cases::Fault>& faults);

}  // namespace fixpoint::webhooks
