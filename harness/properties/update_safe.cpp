#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "harness/apiserver/dispatch/match.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/properties/judge.h"
#include "harness/properties/later_requests.h"
#include "harness/properties/property.h"
#include "harness/properties/single_changes.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;

/// Updates that clients and controllers make to a stored Pod without changing its spec.
struct Update {
  std::string_view name;
  void (*make)(Value& old, Value& now);
};

void annotate(Value&, Value& now) {
  now.edit("metadata").edit("annotations").set("fixpoint.example.io/touched", "yes");
}

void remove_finalizer(Value& old, Value& now) { let_die(old, now, 30); }

constexpr std::array<Update, 2> kUpdates{
    {{"a change of metadata", annotate}, {"the removal of a finalizer", remove_finalizer}}};

class UpdateQuestion {
 public:
  explicit UpdateQuestion(const Examination& examination)
      : examination_(examination), minor_(apiserver::minor_of(examination.value.cluster)) {}
  std::vector<Violation> violations;

  void ask(const FirstCall& call, const Value& pod, const std::string& origin) {
    if (pod.is_null()) return;
    for (const Update& update : kUpdates) ask(call, pod, origin, update);
  }

  /// Asks about the removal of a finalizer while its namespace is deleted: the server deletes the objects in
  /// it in no order that the webhook may count on.
  void ask_in_deleted_namespace(const FirstCall& call, const Value& pod) {
    if (pod.is_null() || !went_well(call.event.result)) return;
    cases::Case value = examination_.value;
    std::erase_if(value.cluster.objects, [&](const Value& object) {
      return object["metadata"]["namespace"].text() == value.request.namespace_name;
    });
    if (value.cluster.objects.size() == examination_.value.cluster.objects.size()) return;
    const cases::Request request = request_for(pod, remove_finalizer);
    if (!is_matched(call, request) || denial_of(examination_, call, request)) return;
    const Examination emptied{.value = value,
                              .handlers = examination_.handlers,
                              .admission = examination_.admission,
                              .limits = examination_.limits,
                              .own_calls = examination_.own_calls};
    if (const auto denied = denial_of(emptied, call, request))
      tell_denied(call, "the removal of a finalizer in a namespace whose other objects are deleted",
                  request.object, *denied);
  }

 private:
  cases::Request request_for(const Value& pod, void (*make)(Value& old, Value& now)) const {
    Value old = pod, now = pod;
    make(old, now);
    return update_of(examination_.value.request, std::move(old), std::move(now));
  }
  bool is_matched(const FirstCall& call, const cases::Request& request) const {
    return match(call.webhook, request, examination_.value.cluster, request.object).answer ==
           apiserver::Match::Answer::yes;
  }
  /// Returns the answer if the webhook refuses the request in the cluster of that examination.
  static std::optional<CallResult> denial_of(const Examination& examination, const FirstCall& call,
                                             const cases::Request& request) {
    CallResult result = WebhookCaller(examination).call(call.webhook, request.object, request);
    return result.error == apiserver::CallError::denied ? std::optional(std::move(result)) : std::nullopt;
  }

  void ask(const FirstCall& call, const Value& pod, const std::string& origin, const Update& update) {
    const cases::Request request = request_for(pod, update.make);
    const Value& now = request.object;
    if (!is_matched(call, request)) return;
    const CallResult result = WebhookCaller(examination_).call(call.webhook, now, request);
    if (result.error == apiserver::CallError::denied)
      return tell_denied(call, std::string(update.name) + " of an object " + origin, now, result);
    if (!went_well(result) || !result.applied || result.after.same(now)) return;
    const auto known = identities(refused(request, now), now);
    auto errors = refused(request, result.after);
    forgive_missing_spec(errors, now);
    forgive_former_empty(errors, request);
    for (const auto& error : errors) {
      const std::string identity = identity_of(error, result.after);
      if (known.contains(identity)) continue;
      return tell({call, std::string(update.name) + " of an object " + origin, now, result, error},
                  changes_that_cause(request, now, as_sent(now, result), error.type));
    }
  }

  /// An update that is refused because of the call.
  struct Refused {
    const FirstCall& call;
    std::string what;
    const Value& now;
    const CallResult& result;
    const cases::FieldError& error;
  };

  /// Adds a violation for each change that alone makes the server refuse the update: the server names the
  /// field that holds them all.
  void tell(const Refused& refusal, const std::vector<std::string>& changed) {
    const auto& [call, what, now, result, error] = refusal;
    Violation violation{.webhook = call.webhook.key,
                        .path = path_of(error),
                        .value = error.type,
                        .symptom = symptom_of(error)};
    violation.calls = {{what, call.webhook.key, now, result}};
    const std::string said = path_of(error) + " " + (error.message.empty() ? error.type : error.message);
    violation.reason = what + " is refused after the call: " + said;
    violation.shape = shape_of(error.field, result.after, result) + ":" + error.type;
    if (changed.empty()) return violations.push_back(std::move(violation));
    for (const std::string& path : changed) {
      violation.path = path;
      violation.shape = shape_of(path, result.after, result) + ":" + error.type;
      violation.reason = what + " is refused for " + path + ", which the call changed: " + said;
      violations.push_back(violation);
    }
  }

  /// The webhook takes the object when it is created, and refuses an update that changes nothing of it.
  void tell_denied(const FirstCall& call, const std::string& what, const Value& now,
                   const CallResult& result) {
    if (!went_well(call.event.result)) return;
    Violation violation{.webhook = call.webhook.key, .path = "metadata", .symptom = "update-safe"};
    violation.shape = "metadata:refuses-update";
    violation.reason = what + " is refused by the webhook, which takes the object when it is created" +
                       (result.said.empty() ? std::string() : ": " + result.said);
    violation.calls = {{what, call.webhook.key, now, result}};
    violations.push_back(std::move(violation));
  }

  std::multiset<std::string> identities(const std::vector<cases::FieldError>& errors,
                                        const Value& pod) const {
    std::multiset<std::string> all;
    for (const auto& error : errors) all.insert(identity_of(error, pod));
    return all;
  }

  /// Returns the paths of the changes of which each alone leads to a new error of that type.
  std::vector<std::string> changes_that_cause(const cases::Request& request, const Value& before,
                                              const Value& after, std::string_view type) const {
    const auto known = identities(refused(request, before), before);
    const auto has_error = [&](const Value& pod) {
      const auto errors = refused(request, pod);
      return std::any_of(errors.begin(), errors.end(), [&](const auto& error) {
        return error.type == type && !known.contains(identity_of(error, pod));
      });
    };
    return changes_that_lead_to(has_error, single_changes(before, after));
  }

  std::vector<cases::FieldError> refused(const cases::Request& request, const Value& pod) const {
    return apiserver::store(request, examination_.value.cluster, pod, request.old_object, minor_,
                            {.warns = false})
        .invalid;
  }

  const Examination& examination_;
  int minor_;
};

Judgement update_safe(const Examination& examination) {
  if (examination.value.request.is_update()) return not_applicable("the request is an update itself");
  const auto& webhooks = examination.admission.webhooks;
  // The question begins with the call at the object's creation.
  const bool has_both = std::ranges::any_of(webhooks, [&](const apiserver::ConfiguredWebhook& webhook) {
    return is_registered_for(examination, webhook, "UPDATE") &&
           is_registered_for(examination, webhook, "CREATE");
  });
  if (!has_both) return not_applicable("no webhook is registered for creations and updates");
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_reached("no webhook was called");
  UpdateQuestion question(examination);
  for (const FirstCall& call : calls) {
    if (!is_registered_for(examination, call.webhook, "UPDATE")) continue;
    question.ask(call, created(examination, examination.admission.first), "from before the webhook");
    const CallResult injected = call_afresh(examination, call.webhook, examination.admission.first);
    if (!went_well(injected) || !injected.applied) continue;
    const Value stored = created(examination, injected.after);
    question.ask(call, stored, "that went through the webhook");
    question.ask_in_deleted_namespace(call, stored);
  }
  return judged(std::move(question.violations));
}

}  // namespace

extern constinit const Property kUpdateSafe = {
    .name = "update-safe",
    .claim = "An update that leaves the spec alone is taken, with the webhook as without, finalizers too.",
    .is_cheap = false,
    .ask = update_safe,
    .takes_any_kind = true,
    .symptom = "invalid",
    .explanation = {.example = "A finalizer that was just removed is added again, or its removal is refused.",
                    .matters = "Objects that existed before cannot be updated, or hang in Terminating.",
                    .fix = "Register for CREATE only; on UPDATE touch nothing that is immutable and nothing "
                           "of a dying object."},
};

}  // namespace fixpoint::properties
