#include <string>
#include <vector>

#include "harness/apiserver/dispatch/match.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/properties/judge.h"
#include "harness/properties/later_requests.h"
#include "harness/properties/pod_templates.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;

constexpr std::string_view kTouched = "fixpoint.example.io/touched";

/// A change of a stored object that leaves its template alone.
struct ContentUpdate {
  std::string_view name;
  void (*make)(Value& object, const cases::Kind& kind);
};

void touch(Value& object, const cases::Kind&) {
  object.edit("metadata").edit("annotations").set(kTouched, "yes");
}

void scale(Value& object, const cases::Kind& kind) {
  const bool has_replicas = kind.group == "apps" && kind.name != "DaemonSet";
  const char* member = has_replicas ? "replicas" : kind.name == "Job" ? "parallelism" : "";
  if (*member == '\0') return touch(object, kind);
  object.edit("spec").set(member, object["spec"][member].integer().value_or(1) + 1);
}

constexpr ContentUpdate kContentUpdates[] = {{"a change of metadata", touch},
                                             {"a change of its scale", scale}};

/// The template without what a webhook copied into it of the change: it may do that.
Value without_copies(Value pod_template) {
  for (const char* map : {"labels", "annotations"})
    if (pod_template["metadata"][map].find(kTouched) != nullptr)
      pod_template.edit("metadata").edit(map).remove(kTouched);
  return pod_template;
}

class TemplateQuestion {
 public:
  TemplateQuestion(const Examination& examination, const cases::Kind& kind)
      : examination_(examination), kind_(kind), path_(template_path(kind)) {}

  std::vector<Violation> violations;
  bool is_asked = false;

  void ask(const FirstCall& call) {
    const Value stored = created(examination_, call.event.result.after);
    if (stored.is_null()) return;
    // A webhook that changes its own output anyway is reported by idempotent.
    const auto settled = template_after(call, stored, stored);
    if (!settled || !(*settled == apiserver::template_in(stored, kind_))) return;
    for (const ContentUpdate& update : kContentUpdates) {
      Value now = stored;
      update.make(now, kind_);
      if (ask(call, stored, now, update.name)) return;
    }
  }

 private:
  static constexpr std::string_view kSpec = "spec.";

  cases::Request request_of(const Value& old, const Value& now) const {
    cases::Request request = update_of(examination_.value.request, old, now);
    request.sub_resource.clear();
    return request;
  }

  std::optional<CallResult> result_of(const FirstCall& call, const Value& old, const Value& now) const {
    const cases::Request request = request_of(old, now);
    const auto answer = apiserver::match(call.webhook, request, examination_.value.cluster, now).answer;
    if (answer != apiserver::Match::Answer::yes) return std::nullopt;
    const CallResult result = WebhookCaller(examination_).call(call.webhook, now, request);
    return went_well(result) ? std::optional(result) : std::nullopt;
  }

  std::optional<Value> template_after(const FirstCall& call, const Value& old, const Value& now) const {
    const auto result = result_of(call, old, now);
    return result ? std::optional(apiserver::template_in(result->after, kind_)) : std::nullopt;
  }

  /// Returns true if the update breaks the claim.
  bool ask(const FirstCall& call, const Value& old, const Value& now, std::string_view what) {
    const auto result = result_of(call, old, now);
    if (!result) return false;
    is_asked = true;
    const Value before = apiserver::template_in(now, kind_),
                after = without_copies(apiserver::template_in(result->after, kind_));
    const std::string difference = first_difference(before, after);
    if (difference.empty()) return false;
    Violation violation{.webhook = call.webhook.key, .path = path_ + "." + difference};
    violation.value = at_path(result->after, violation.path);
    violation.shape = shape_of(violation.path, result->after, *result);
    if (difference.starts_with(kSpec))  // the member of the spec: one change may show in several of its parts
      violation.shape = path_ + "." + difference.substr(0, difference.find_first_of(".[", kSpec.size()));
    violation.reason = std::string(what) + " that leaves the template alone changes " + violation.path +
                       ": every such update replaces all Pods";
    violation.calls = {{std::string(what), call.webhook.key, now, *result}};
    violations.push_back(std::move(violation));
    return true;
  }

  const Examination& examination_;
  const cases::Kind& kind_;
  const std::string path_;
};

Judgement template_stable(const Examination& examination) {
  const cases::Case& value = examination.value;
  const cases::Kind kind = cases::kind_of(value.request, value.cluster);
  if (template_path(kind).empty()) return not_applicable("the object makes no Pods of a template");
  const auto& webhooks = examination.admission.webhooks;
  if (std::none_of(webhooks.begin(), webhooks.end(),
                   [&](const auto& webhook) { return is_registered_for(examination, webhook, "UPDATE"); }))
    return not_applicable("no webhook is registered for updates");
  if (first_calls(examination).empty()) return not_applicable("no webhook was called");
  TemplateQuestion question(examination, kind);
  for (const FirstCall& call : effective_calls(examination)) question.ask(call);
  if (!question.is_asked) return not_applicable("no webhook acted on an object that is stored");
  return judged(std::move(question.violations));
}

}  // namespace

extern constinit const Property kTemplateStable = {
    .name = "template-stable",
    .claim = "An update of a workload that leaves its template of Pods alone leaves it so after the webhook.",
    .is_cheap = false,
    .ask = template_stable,
    .takes_any_kind = true,
    .explanation = {.example = "A checksum of the whole object in an annotation of the template changes "
                               "whenever it is scaled.",
                    .matters = "The controller replaces all Pods at each update, an autoscaler's included.",
                    .fix = "Write into the template only what follows from the template, and only if it is "
                           "not there."},
};

}  // namespace fixpoint::properties
