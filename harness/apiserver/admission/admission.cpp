#include "harness/apiserver/admission/admission.h"

#include <algorithm>
#include <set>

#include "harness/apiserver/admission/field_tracking.h"
#include "harness/apiserver/admission/owner_references.h"
#include "harness/apiserver/decoding/nanoseconds.h"
#include "harness/apiserver/dispatch/match.h"
#include "harness/apiserver/judges/validating_phase.h"
#include "harness/apiserver/policies/policy_plugin.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/registry/sizes.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/apiserver/warnings/warning_recorder.h"
#include "harness/cases/request_user.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using cases::Status;
using document::Text;
using webhooks::Handler;

/// The time limit of the whole mutating phase, in seconds (docs/simulator.md#3-3); all calls of both passes
/// share it.
constexpr double kRequestSeconds = 34;

/// A placeholder for the nanoseconds of a field-tracking entry just made.
constexpr std::string_view kFieldsJustTracked = "managedFields;";

/// Which webhooks are due in the second pass (docs/simulator.md#5-1).
class Reinvocations {
 public:
  void invoked(const ConfiguredWebhook& webhook) {
    if (webhook.if_needed) invoked_.insert(webhook.id);
  }
  /// MARK: all webhooks that were invoked since the last change are due.
  void mark() {
    due_.insert(invoked_.begin(), invoked_.end());
    invoked_.clear();
  }
  bool is_due(const ConfiguredWebhook& webhook) const { return due_.contains(webhook.id); }

 private:
  std::set<std::string> invoked_, due_;
};

/// Records what a policy did as the call of a webhook, for all who ask what changed the Pod.
void note_policy(Admission& admission, std::map<std::string, int>& numbers, policies::PolicyEvent event) {
  const std::string key = event.policy + "/" + event.binding;
  const auto policy = std::find_if(admission.webhooks.begin(), admission.webhooks.end(),
                                   [&](const auto& one) { return one.is_policy && one.key == key; });
  CallEvent call{
      .pass = event.pass, .index = policy->index, .number = ++numbers[key], .before = event.before};
  call.result.called = !event.is_condition;
  call.result.after = event.after;
  // A change that only the server's memory knows is none here: no patch shows it.
  call.result.applied = !event.after.same(event.before) && !(event.after == event.before);
  call.result.changed = call.result.applied && event.changed;
  if (call.result.applied) call.result.answer = webhooks::allow_change(event.before, event.after);
  if (!event.errors.empty()) {
    call.result.error = event.is_condition ? CallError::condition : CallError::policy;
    call.result.problem = event.reason;
    call.result.said = event.errors.front();
    call.result.excerpt = event.excerpt;
  }
  admission.calls.push_back(std::move(call));
  if (!event.is_condition) admission.policies.push_back(std::move(event));
}

/// The first annotation of a key wins: a later pass cannot change the audit log (docs/simulator.md#3-8).
void annotate(Admission& admission, const ConfiguredWebhook& webhook, const webhooks::Answer& answer) {
  for (const auto& [key, text] : answer.audit_annotations) {
    const std::string whole = webhook.name + "/" + key;
    if (is_audit_key(whole)) admission.webhook_annotations.emplace(whole, text);
  }
}

/// Puts back the managedFields that webhooks left unreadable, with a warning
/// (apiserver/pkg/endpoints/handlers/fieldmanager/admission.go Admit).
void keep_readable_fields(Value& object, const Admission& admission, WarningRecorder& warnings) {
  const std::string problem = managed_fields_problem(object["metadata"]["managedFields"]);
  if (problem.empty()) return;
  object.edit("metadata").set("managedFields", admission.received["metadata"]["managedFields"]);
  warnings.add(Text(".metadata.managedFields was in an invalid state after admission; this could be caused "
                    "by an outdated mutating admission controller; please fix your requests: {}")
                   .with({problem}));
}

/// The state of one request during the two passes.
class Run {
 public:
  Run(const cases::Case& value, const std::map<std::string, Handler>& all, const Limits& limits)
      : value_(value),
        handlers_(all),
        limits_(limits),
        warnings_(limits),
        minor_(minor_of(value.cluster)),
        kind_(cases::kind_of(value.request, value.cluster)),
        strategy_(strategy_of(value.request, kind_)) {}

  document::Result<Admission> admit(const AdmitOptions& options) {
    auto policies = policies::read_policies(value_.cluster);
    if (!policies) return std::move(policies).error();
    if (strategy_.type == nullptr && !kind_.is_custom()) {
      if (const auto* policy = policies::find_apply_configuration(*policies))
        return document::Error{"unsupported: apply configurations for " + kind_.resource(),
                               "MutatingAdmissionPolicy " + policy->name};
    }
    auto webhooks = read_configurations(value_, *policies);
    if (!webhooks) return std::move(webhooks).error();
    admission_.webhooks = *std::move(webhooks);
    auto validating = read_validators(value_);
    if (!validating) return std::move(validating).error();
    if (!validating->empty()) {
      validators_ = {
          .webhooks = *std::move(validating), .handlers = &handlers_, .calls = &numbers_, .limits = limits_};
    }
    if (auto refusal = refuse_large_request(value_.request.object)) {
      reject(*std::move(refusal));
      return std::move(admission_);
    }
    auto received = receive(value_.request, value_.cluster, minor_);
    if (!received) return std::move(received).error();
    begin(*received);
    policies_.emplace(*std::move(policies), request_, value_.cluster, strategy_, minor_, limits_);
    if (admission_.allowed) mutate();
    if (unsupported_) return *std::move(unsupported_);
    if (admission_.allowed) keep_readable_fields(object_, admission_, warnings_);
    if (admission_.allowed) finish(options);
    admission_.warnings = warnings_.take();
    return std::move(admission_);
  }

 private:
  void reject(Status status) {
    admission_.allowed = false;
    admission_.status = std::move(status);
  }

  void begin(const Received& received) {
    if (received.status) return reject(*received.status);
    object_ = received.object;
    request_ = value_.request;
    if (request_.is_scale()) request_.scaled = request_.old_object;
    request_.old_object = received.old_object;
    if (strategy_.has_nanoseconds) nanoseconds_ = nanoseconds_of(value_.request.object);
    if (const auto warning = remove_repeated_owners(object_, false)) warnings_.add(*warning);
    if (request_.managed_fields) {
      const bool changes =
          !request_.is_update() || takes_fields(request_, strategy_, object_, request_.old_object, minor_);
      Value entries = tracked_fields(request_, object_, changes);
      if (changes && !entries.is_null() && strategy_.has_nanoseconds) nanoseconds_ += kFieldsJustTracked;
      if (entries.is_null())
        object_.edit("metadata").remove("managedFields");
      else
        object_.edit("metadata").set("managedFields", std::move(entries));
    }
    name_ = cases::name_of(request_);
    admission_.received = object_;
  }

  void mutate() {
    for (int pass = 1; pass <= 2; ++pass) {
      admission_.passes = pass;
      if (auto refusal = strategy_.run_plugins(request_, value_.cluster, object_, pass))
        return reject(*std::move(refusal));
      if (pass == 1) admission_.first = object_;
      if (!run_policies(pass)) return;
      if (pass == 2 && !strategy_.is_same(object_, last_output_)) reinvocations_.mark();
      if (!call_all(pass)) return;
      last_output_ = object_;
      if (!again_) return;
    }
  }

  /// Returns true if the request continues.
  bool run_policies(int pass) {
    policies::PolicyObject object{object_, nanoseconds_};
    auto refusal = policies_->admit(object, pass);
    again_ = again_ || policies_->wants_second_pass();
    for (policies::PolicyEvent& event : policies_->take_events())
      note_policy(admission_, numbers_, std::move(event));
    for (policies::ConditionEvent& condition : policies_->take_conditions())
      admission_.conditions.push_back(std::move(condition));
    admission_.crashed = policies_->has_crashed();
    if (refusal) return (reject(*std::move(refusal)), false);
    object_ = std::move(object.object);
    nanoseconds_ = std::move(object.nanoseconds);
    return true;
  }

  /// One pass over the flat list of webhooks; returns true if the request continues.
  bool call_all(int pass) {
    bool dirty = false;
    std::string_view version = kind_.version;  // of the object
    for (const ConfiguredWebhook& webhook : admission_.webhooks) {
      if (webhook.is_policy) break;
      Match matched = match(webhook, request_, value_.cluster, object_);
      if (matched.answer == Match::Answer::condition) {
        CallEvent event{.pass = pass, .index = webhook.index, .number = 0, .before = object_, .result = {}};
        event.result.error = CallError::condition;
        event.result.after = object_;
        admission_.calls.push_back(std::move(event));
      }
      if (matched.status) return (reject(*std::move(matched.status)), false);
      if (matched.answer != Match::Answer::yes) continue;
      if (pass == 2 && !reinvocations_.is_due(webhook)) continue;
      if (matched.kind.version != version && !convert_to(matched.kind)) return false;
      version = matched.kind.version;
      if (!call(webhook, matched.kind, pass, dirty)) return false;
    }
    return (!dirty && version == kind_.version) || convert_to(kind_);
  }

  bool call(const ConfiguredWebhook& webhook, const cases::Kind& kind, int pass, bool& dirty);
  /// Subtracts the timeout of a call from the request's remaining time; returns true if none is left.
  bool spend(const ConfiguredWebhook& webhook) {
    seconds_left_ -= webhook.timeout_seconds;
    return seconds_left_ <= 0;
  }

  /// Converts the object to the version of the next webhook, or to the internal type again at the end of a
  /// pass that replaced it (docs/simulator.md#4-4).
  bool convert_to(const cases::Kind& kind) {
    const std::string_view version = object_["apiVersion"].text();
    if (kind.is_converted_by_webhook() && version != kind.api_version()) {
      unsupported_ = document::Error{"conversion by webhook is not simulated: " + kind.resource() + " from " +
                                     std::string(version) + " to " + kind.api_version()};
      return false;
    }
    auto converted = strategy_.convert(object_, kind);
    if (!converted) return (reject({.code = 500, .reason = "", .message = converted.error().message}), false);
    object_ = *std::move(converted);
    return true;
  }

  /// Returns the stored Pod as the judges see it. Go tells an overhead that was sent as {} from none, until a
  /// patch was applied.
  Value judged_pod(bool is_patched) const {
    Value pod = admission_.stored;
    const Value& sent = value_.request.object["spec"]["overhead"];
    const bool is_kept =
        kind_.is_pod() && !is_patched && !request_.is_update() && sent.is_object() && sent.empty();
    if (is_kept && pod["spec"]["overhead"].is_null()) pod.edit("spec").set("overhead", sent);
    return pod;
  }

  void finish(const AdmitOptions& options);
  const cases::Case& value_;
  const std::map<std::string, Handler>& handlers_;
  const Limits& limits_;
  WarningRecorder warnings_;
  int minor_;
  const cases::Kind kind_;
  const Strategy& strategy_;
  Admission admission_;
  std::optional<document::Error> unsupported_ = {};
  cases::Request request_;
  std::optional<policies::PolicyPlugin> policies_ = {};
  Value object_;
  Value last_output_;
  std::string name_;
  std::string nanoseconds_ = {};
  bool again_ = false;
  double seconds_left_ = kRequestSeconds;
  std::map<std::string, int> numbers_;
  Validators validators_ = {};
  Reinvocations reinvocations_;
};

bool Run::call(const ConfiguredWebhook& webhook, const cases::Kind& kind, int pass, bool& dirty) {
  const auto handler = handlers_.find(webhook.key);
  document::check(handler != handlers_.end(), "every configured webhook has a handler");
  const int number = numbers_[webhook.key] + 1;
  CallEvent event{.pass = pass, .index = webhook.index, .number = number, .before = object_, .result = {}};
  event.result = call_webhook(webhook, handler->second,
                              {.request = request_,
                               .cluster = value_.cluster,
                               .object = object_,
                               .number = number,
                               .nanoseconds = nanoseconds_,
                               .minor = minor_,
                               .name = name_,
                               .kind = &kind},
                              limits_);
  CallResult& result = event.result;
  if (result.called) numbers_[webhook.key] = number;
  for (const std::string& warning : result.answer.warnings) warnings_.add(warning);
  if (!result.crashed) annotate(admission_, webhook, result.answer);
  const bool out_of_time = result.timed_out && spend(webhook);
  if (out_of_time && result.error == CallError::ignored) {
    result.status =
        Status{.code = 504,
               .reason = "Timeout",
               .message = Text("Timeout: request did not complete within requested timeout").with({})};
  }
  if (result.applied) {
    object_ = result.after;
    dirty = true;
    nanoseconds_ = result.nanoseconds;
  }
  if (result.changed) {
    reinvocations_.mark();
    again_ = true;
  }
  reinvocations_.invoked(webhook);
  const std::optional<Status> status = result.status;
  admission_.crashed = result.crashed;
  admission_.calls.push_back(std::move(event));
  if (status) reject(*status);
  return !status;
}

void Run::finish(const AdmitOptions& options) {
  if (const auto warning = remove_repeated_owners(object_, true)) warnings_.add(*warning);
  validators_.managed_fields = object_["metadata"]["managedFields"];
  if (request_.managed_fields) object_.edit("metadata").remove("managedFields");
  admission_.object = object_;
  if (!options.store) return;
  const bool is_patched =
      std::any_of(admission_.calls.begin(), admission_.calls.end(),
                  [](const CallEvent& event) { return event.result.applied; }) ||
      std::any_of(admission_.policies.begin(), admission_.policies.end(),
                  [](const policies::PolicyEvent& event) { return !event.after.same(event.before); });
  Stored stored =
      strategy_.store(request_, kind_, object_, request_.old_object, minor_,
                      {.warns = options.warns, .as_sent = is_patched ? nullptr : &value_.request});
  for (const std::string& warning : stored.warnings) warnings_.add(warning);
  admission_.crashed = stored.crashed;
  admission_.invalid = std::move(stored.invalid);
  if (!stored.crashed) admission_.stored = std::move(stored.object);
  if (stored.status) return reject(*std::move(stored.status));
  std::vector<std::string> reported;
  // A generated name is that of the request from here on (AdmissionToValidateObjectFunc).
  cases::Request judged = request_;
  if (name_.empty()) judged.object.edit("metadata").set("name", admission_.stored["metadata"]["name"]);
  validators_.name = cases::name_of(judged);
  admission_.validating = judge_stored(judged, value_.cluster, judged_pod(is_patched), request_.old_object,
                                       minor_, reported, validators_);
  for (const std::string& warning : reported) warnings_.add(warning);
  if (admission_.validating->refuses() || request_.dry_run) return;
  if (auto refusal = refuse_large_object(admission_.stored)) reject(*std::move(refusal));
}

}  // namespace

document::Result<Admission> admit(const cases::Case& value, const std::map<std::string, Handler>& handlers,
                                  const Limits& limits, const AdmitOptions& options) {
  return Run(value, handlers, limits).admit(options);
}

Value shown_to_client(const cases::Case& value, const Admission& admission) {
  if (admission.stored.is_null()) return {};
  const cases::Kind kind = cases::kind_of(value.request, value.cluster);
  return strategy_of(value.request, kind).read_back(admission.stored, kind, minor_of(value.cluster));
}

}  // namespace fixpoint::apiserver
