#include <array>
#include <set>

#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/plugins/plugins.h"
#include "harness/apiserver/registry/sizes.h"
#include "harness/apiserver/types/field.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/refused_values.h"
#include "harness/properties/validity.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallEvent;
using cases::FieldError;

/// Judges the Pods of an admission in their order: a part that a call leaves unchanged was checked with the
/// Pod before, and much of the first with the one that the registry took.
class InTurn {
 public:
  explicit InTurn(const Examination& examination)
      : examination_(examination), passed_(passed_in(examination)) {}

  std::vector<FieldError> errors_of(const Value& pod) {
    auto stored = stored_as_is(examination_.value, pod, passed_);
    if (stored.invalid.empty() && !examination_.value.request.is_update()) passed_ = std::move(stored.object);
    return std::move(stored.invalid);
  }
  /// Returns the errors of the Pod after a call. If no webhook and no plugin changed that Pod any more, the
  /// registry has already checked it.
  std::vector<FieldError> errors_after(const CallEvent& event) {
    const auto& admission = examination_.admission;
    const bool is_final = event.result.after.same(admission.object);
    if (is_final && !admission.stored.is_null()) return admission.invalid;
    return errors_of(event.result.after);
  }

 private:
  const Examination& examination_;
  Value passed_;
};

/// Returns the errors that the Pod did not have before the call: the webhook caused them. Changes by a plugin
/// between two calls (LimitRanger fills in a container that was added late) are in the Pod before the call.
std::vector<FieldError> new_errors(const Examination& examination, const CallEvent& event, InTurn& pods) {
  std::vector<FieldError> after = pods.errors_after(event);
  forgive_missing_account(after, event.result.after);
  forgive_missing_spec(after, event.before);
  forgive_former_empty(after, examination.value.request);
  if (after.empty()) return after;
  std::multiset<std::string> known;
  for (const FieldError& error : errors_of(examination, event.before))
    known.insert(identity_of(error, event.before));
  std::erase_if(after, [&](const FieldError& error) {
    const auto old = known.find(identity_of(error, event.result.after));
    if (old == known.end()) return false;
    known.erase(old);
    return true;
  });
  return after;
}

/// Returns the identities of the errors that a server of the newest minor has in the webhook's output;
/// nothing if the call fails there, or if that is the Case's own server.
std::optional<std::set<std::string>> errors_on_newest(const Examination& examination,
                                                      const CallEvent& event) {
  if (apiserver::minor_of(examination.value.cluster) == apiserver::kNewestMinor) return std::nullopt;
  cases::Case newest = examination.value;
  newest.cluster.version = cases::kNewestVersion;
  const auto& webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)];
  const Examination there{newest, examination.handlers, examination.admission, examination.limits};
  WebhookCaller caller(there);
  for (int call = 1; call < event.number; ++call) caller.skip(webhook);
  const apiserver::CallResult result = caller.call(webhook, event.before);
  if (result.error != apiserver::CallError::none) return std::nullopt;
  std::set<std::string> errors;
  for (const FieldError& error : errors_of(there, result.after))
    errors.insert(identity_of(error, result.after));
  return errors;
}

std::optional<Observation> needs_newer(const Examination& examination, const Violation& violation) {
  return Observation{.kind = "newer-field",
                     .webhook = violation.webhook,
                     .path = violation.shape.substr(0, violation.shape.rfind(':')),
                     .reason = "writes what Kubernetes " + examination.value.cluster.version +
                               " does not know, which refuses the Pod then (" + violation.reason + ")"};
}

Violation describe(const Examination& examination, const CallEvent& event, const FieldError& error) {
  Violation violation{.severity = Severity::error, .path = path_of(error)};
  violation.webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)].key;
  violation.value = error.type;
  violation.symptom = symptom_of(error);
  violation.shape = shape_of(error.field, event.result.after, event.result) + ":" + error.type;
  violation.reason = violation.path + " is refused after the call: ";
  violation.reason += error.message.empty() ? error.type : error.message;
  return violation;
}

/// A plugin that writes fields of the Pod and refuses other values there when it runs again.
struct Rewriter {
  const char* plugin;
  const char* field;  ///< of the Pod's spec, which names an object of the cluster
  const char* kind;
};
constexpr Rewriter kRewriters[] = {{"Priority", "priorityClassName", "PriorityClass.scheduling.k8s.io"},
                                   {"RuntimeClass", "runtimeClassName", "RuntimeClass.node.k8s.io"}};

/// Returns the message with which the plugin refuses the Pod; empty if an object is missing in the cluster of
/// the Case, since the user's own cluster may have it. Refusals by LimitRanger and ServiceAccount depend on
/// the namespace.
std::string refusal_of(const Rewriter& rewriter, const cases::Case& value, Value pod) {
  const std::string_view name = pod["spec"][document::Name(rewriter.field)].text();
  if (!name.empty() && value.cluster.find(rewriter.kind, "", name) == nullptr) return {};
  cases::Cluster cluster = value.cluster;
  cluster.admission_plugins = {rewriter.plugin};
  const auto refusal = apiserver::run_plugins(value.request, cluster, pod);
  if (!refusal) return {};
  constexpr std::string_view kForbidden = " is forbidden: ";
  const auto why = refusal->message.find(kForbidden);
  return why == std::string::npos ? refusal->message : refusal->message.substr(why + kForbidden.size());
}

/// The in-tree plugins run again if a webhook has changed the Pod: the values that they wrote before its
/// first call are then beside those that the webhook wrote.
std::optional<Violation> refused_by_plugin(const Examination& examination) {
  const apiserver::Admission& admission = examination.admission;
  if (admission.allowed || admission.passes < 2 || !apiserver::is_pod(admission.first)) return {};
  for (const CallEvent& event : admission.calls) {
    if (!event.left_another() || is_answer_disturbed(examination, event)) continue;
    for (const Rewriter& rewriter : kRewriters) {
      if (!examination.value.cluster.has_plugin(rewriter.plugin)) continue;
      const std::string refusal = refusal_of(rewriter, examination.value, event.result.after);
      if (refusal.empty() || !refusal_of(rewriter, examination.value, event.before).empty()) continue;
      Violation violation{.severity = Severity::error, .path = std::string("spec.") + rewriter.field};
      violation.webhook = admission.webhooks[static_cast<std::size_t>(event.index)].key;
      violation.value = at_path(event.result.after, violation.path);
      violation.shape = violation.path + ":" + rewriter.plugin;
      violation.reason = std::string("the API server's plugin ") + rewriter.plugin +
                         ", which comes round again after the call, refuses the Pod: " + refusal;
      return violation;
    }
  }
  return {};
}

/// The path to the part of a Pod that has most of its bytes.
std::string largest_part(const Value& pod) {
  std::string path;
  const Value* at = &pod;
  while (true) {
    const Value* next = nullptr;
    std::string step;
    const std::size_t half = apiserver::stored_bytes(*at) / 2;
    for (const auto& [key, value] : at->members()) {
      if (apiserver::field_bytes(value) <= half) continue;
      next = &value;
      step = (path.empty() ? "" : ".") + std::string(key.text());
    }
    for (std::size_t i = 0; i < at->elements().size(); ++i) {
      if (apiserver::field_bytes(at->at(i)) <= half) continue;
      next = &at->at(i);
      step = "[" + std::to_string(i) + "]";
    }
    if (next == nullptr) return path;
    path += step;
    at = next;
  }
}

/// A Pod that a call makes larger than the store takes.
std::optional<Violation> too_large(const Examination& examination, const CallEvent& event) {
  const std::size_t bytes = apiserver::stored_bytes(event.result.after);
  if (bytes <= apiserver::kStoredBytesMax ||
      apiserver::stored_bytes(event.before) > apiserver::kStoredBytesMax)
    return {};
  Violation violation{.severity = Severity::error, .path = largest_part(event.result.after)};
  violation.webhook = examination.admission.webhooks[static_cast<std::size_t>(event.index)].key;
  violation.shape = shape_of(violation.path, event.result.after, event.result) + ":too-large";
  violation.reason =
      "the Pod has about " + std::to_string(bytes >> 10) + " KiB after the call, and etcd takes " +
      std::to_string(apiserver::kStoredBytesMax >> 10) + " KiB: the API server refuses it (500)";
  return violation;
}

Judgement valid_spec(const Examination& examination) {
  const apiserver::Admission& admission = examination.admission;
  if (admission.calls.empty()) return not_reached("no webhook was called");
  InTurn pods(examination);
  if (!pods.errors_of(admission.first).empty()) return not_reached("the request's Pod was not valid");
  std::vector<Violation> violations;
  if (auto refused = refused_by_plugin(examination)) violations.push_back(*std::move(refused));
  std::vector<Observation> observations;
  for (const CallEvent& event : admission.calls) {
    if (!event.left_another() || is_answer_disturbed(examination, event)) continue;
    if (auto large = too_large(examination, event)) violations.push_back(*std::move(large));
    const auto errors = new_errors(examination, event, pods);
    const auto newest = errors.empty() ? std::nullopt : errors_on_newest(examination, event);
    for (const FieldError& error : errors) {
      // The Case's own server does not know a field that the webhook writes.
      const bool is_too_old =
          newest && symptom_of(error).empty() && !newest->contains(identity_of(error, event.result.after));
      Violation violation = describe(examination, event, error);
      auto refused =
          is_too_old ? needs_newer(examination, violation) : refused_value(examination, event, error);
      // A webhook that parses a number can check its range; without that check the user gets the server's
      // message.
      if (refused && !is_too_old && is_number_out_of_range(event.result.after, error)) {
        violation.severity = Severity::warning;
        refused.reset();
      }
      if (refused) {
        observations.push_back(*std::move(refused));
        continue;
      }
      for (Violation& one : located(examination, event.before, event.result, error, std::move(violation)))
        violations.push_back(std::move(one));
    }
  }
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kValidSpec = {
    .name = "valid-spec",
    .claim = "If the Pod is valid before the webhooks, so is the result of every call.",
    .is_cheap = true,
    .ask = valid_spec,
    .takes_any_kind = true,
    .symptom = "invalid",
    .explanation = {.example = "A mount is added whose volume is not, or a request above the limit.",
                    .matters =
                        "Creation fails with 422 for a Pod that was right, and the user cannot see why.",
                    .fix = "Check what the user already has (limits, hostNetwork, names) before adding what "
                           "depends on it."},
};

}  // namespace fixpoint::properties
