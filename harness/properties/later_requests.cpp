#include "harness/properties/later_requests.h"

#include <algorithm>
#include <utility>

#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/custom/whole_object.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/properties/acted.h"
#include "harness/properties/judge.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::Admission;

/// Returns the configuration with that webhook alone.
Value only_webhook(Value configuration, std::string_view name) {
  const Value* webhook = cases::find_entry(configuration, name);
  configuration.set("webhooks", webhook == nullptr ? Value::empty_list() : Value::list({*webhook}));
  return configuration;
}

cases::Case without_mutation(const cases::Case& value) {
  cases::Case bare{.request = value.request,
                   .cluster = value.cluster,
                   .webhooks = value.webhooks,
                   .neighbours = value.neighbours};
  std::erase_if(bare.cluster.objects, [](const Value& object) {
    return cases::is_webhook_configuration(object) || cases::is_of_policies(object);
  });
  return bare;
}

}  // namespace

LaterRequests::LaterRequests(const Examination& examination, const apiserver::ConfiguredWebhook& webhook)
    : examination_(examination),
      kind_(cases::kind_of(examination.value.request, examination.value.cluster)),
      with_(without_mutation(examination.value)),
      without_(with_) {
  const Value* configuration = cases::find_configuration(examination.value.cluster, webhook.configuration);
  if (configuration != nullptr) with_.cluster.objects.push_back(only_webhook(*configuration, webhook.name));
}

std::optional<Admission> LaterRequests::with(const cases::Request& request) const {
  return answer(with_, request);
}

std::optional<Admission> LaterRequests::without(const cases::Request& request) const {
  return answer(without_, request);
}

std::optional<Admission> LaterRequests::answer(const cases::Case& around,
                                               const cases::Request& request) const {
  cases::Case asked = around;
  asked.request = request;
  auto admission = apiserver::admit(asked, examination_.handlers, examination_.limits, {.warns = false});
  if (!admission) return std::nullopt;
  for (const apiserver::CallEvent& event : admission->calls) {
    const auto& webhook = admission->webhooks[static_cast<std::size_t>(event.index)];
    note_call(examination_, webhook, event.before, event.result);
  }
  return *std::move(admission);
}

Value LaterRequests::read_back(const std::optional<Admission>& answered) const {
  if (!answered || !was_taken(*answered)) return {};
  return as_kept(apiserver::shown_to_client(examination_.value, *answered));
}

/// The server drops the status of a creation where that has a subresource, and a controller writes it later.
Value LaterRequests::with_status(Value stored) const {
  const Value& status = examination_.value.request.object["status"];
  if (!stored.is_object() || !kind_.is_custom() || !kind_.has_subresource("status") || !status.is_object())
    return stored;
  Value aged = stored;
  aged.set("status", status);
  const int minor = apiserver::minor_of(with_.cluster);
  const bool is_stored = apiserver::custom::is_valid(aged, apiserver::custom::schema_of(kind_), minor);
  return is_stored ? apiserver::strategy_of(kind_).read_back(aged, kind_, minor) : stored;
}

cases::Request LaterRequests::update(Value old_object, Value object) const {
  return update_of(examination_.value.request, std::move(old_object), std::move(object));
}

cases::Request update_of(cases::Request request, Value old_object, Value object) {
  request.operation = "UPDATE";
  request.old_object = std::move(old_object);
  request.object = std::move(object);
  return request;
}

Value created(const Examination& examination, Value object) {
  cases::Request request = examination.value.request;
  request.operation = "CREATE";
  request.old_object = Value();
  object.edit("metadata").remove("managedFields");
  const cases::Cluster& cluster = examination.value.cluster;
  auto made = apiserver::store(request, cluster, object, {}, apiserver::minor_of(cluster), {.warns = false});
  return made.invalid.empty() && !made.status ? as_kept(std::move(made.object)) : Value();
}

Value as_kept(Value object) {
  if (object.is_null()) return object;
  object.edit("metadata").remove("managedFields");
  if (object["metadata"]["name"].text().empty()) object.edit("metadata").set("name", "example-xxxxx");
  return object;
}

bool was_asked(const Admission& admission) {
  return std::ranges::any_of(admission.calls, [](const apiserver::CallEvent& event) {
    return event.result.called && (event.result.error == apiserver::CallError::none ||
                                   event.result.error == apiserver::CallError::denied);
  });
}

OwnCall call_in(const Admission& admission, std::string what) {
  const apiserver::CallEvent& event = admission.calls.front();
  return {std::move(what), admission.webhooks[static_cast<std::size_t>(event.index)].key, event.before,
          event.result};
}

bool was_taken(const Admission& admission) {
  return admission.allowed && admission.invalid.empty() && !admission.stored.is_null() &&
         !(admission.validating && admission.validating->refuses());
}

std::string refusal_of(const Admission& admission) {
  if (admission.validating && admission.validating->refuses()) {
    const cases::Validating::Cause& cause = admission.validating->causes.front();
    return cause.plugin + ": " + cause.message;
  }
  if (!admission.invalid.empty()) {
    const cases::FieldError& error = admission.invalid.front();
    return error.field + " " + (error.message.empty() ? error.type : error.message);
  }
  return admission.status ? admission.status->message : "";
}

Judgement judged_by_updates(const Examination& examination,
                            const std::function<void(const FirstCall&, LaterAnswers&)>& ask) {
  if (examination.value.request.is_update()) return not_applicable("the request is an update itself");
  LaterAnswers answers;
  for (const FirstCall& call : first_calls(examination))
    if (is_registered_for(examination, call.webhook, "UPDATE")) ask(call, answers);
  if (!answers.is_asked) return not_applicable("no webhook is asked for updates of what is stored");
  return judged(std::move(answers.violations), std::move(answers.observations));
}

void let_die(Value& old, Value& now, int grace_seconds) {
  for (Value* object : {&old, &now}) {
    Value& metadata = object->edit("metadata");
    metadata.set("deletionTimestamp", "2026-01-01T00:00:00Z");
    metadata.set("deletionGracePeriodSeconds", grace_seconds);
    metadata.remove("finalizers");
  }
  old.edit("metadata").set("finalizers", Value::list({"fixpoint.example.io/keep"}));
}

Value without_bookkeeping(Value object) {
  Value& metadata = object.edit("metadata");
  for (const char* own : {"generation", "managedFields", "resourceVersion"}) metadata.remove(own);
  return object;
}

}  // namespace fixpoint::properties
