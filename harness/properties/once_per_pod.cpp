#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "harness/apiserver/dispatch/match.h"
#include "harness/cases/request_user.h"
#include "harness/document/json.h"
#include "harness/document/lower_case.h"
#include "harness/properties/judge.h"
#include "harness/properties/pod_templates.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;
using apiserver::ConfiguredWebhook;
using document::Member;

/// Counts each scalar of a document by its path, in which names stand for the indices of elements.
void count_leaves(const Value& value, const std::string& path, std::map<std::string, int>& counts) {
  for (const Member& member : value.members())
    count_leaves(member.value, member_path(path, member.key.text()), counts);
  for (const Value& element : value.elements()) {
    const std::string_view name = element["name"].text();
    count_leaves(element, path + "[" + (name.empty() ? "*" : std::string(name)) + "]", counts);
  }
  if (value.is_object() || value.is_array()) return;
  ++counts[path + "=" + document::write_json(value)];
}

std::map<std::string, int> leaves_of(const Value& pod) {
  std::map<std::string, int> counts;
  count_leaves(pod["spec"], "spec", counts);
  return counts;
}

int count_of(const std::map<std::string, int>& counts, const std::string& leaf) {
  const auto found = counts.find(leaf);
  return found == counts.end() ? 0 : found->second;
}

/// The path with `*` for each name of an element.
std::string without_names(const std::string& path) {
  std::string shape;
  bool is_name = false;
  for (const char c : path) {
    if (c == ']') is_name = false;
    if (!is_name) shape += c;
    if (c == '[') is_name = true, shape += '*';
  }
  return shape;
}

/// The admission of a Pod made of a template, which is another Case.
struct PodAnswer {
  Value pod;
  CallResult result;
};

/// Returns the account that creates the Pods of such an object (kube-controller-manager's controllers).
std::string controller_of(const cases::Kind& kind) {
  std::string name = document::lower_case(kind.name);
  if (name == "deployment") name = "replicaset";
  if (name == "cronjob") name = "job";
  return "system:serviceaccount:kube-system:" + name + "-controller";
}

class PodQuestion {
 public:
  PodQuestion(const Examination& examination, const cases::Kind& kind)
      : examination_(examination), kind_(kind), minor_(apiserver::minor_of(examination.value.cluster)) {}

  std::vector<Violation> violations;
  bool is_asked = false;

  void ask(const FirstCall& call) {
    for (const ConfiguredWebhook& webhook : examination_.admission.webhooks)
      if (webhook.configuration == call.webhook.configuration && !webhook.is_validating) ask(call, webhook);
  }

 private:
  void ask(const FirstCall& call, const ConfiguredWebhook& webhook) {
    const auto plain = answer_to(call.event.before, webhook);
    if (!plain || !went_well(plain->result) || plain->result.after == plain->pod) return;
    const auto mutated = answer_to(call.event.result.after, webhook);
    if (!mutated) return;  // the template says that its Pods are done
    is_asked = true;
    if (mutated->result.error == apiserver::CallError::denied)
      return tell(call, webhook, *mutated, "spec", "is refused by the webhook");
    if (!went_well(mutated->result)) return;
    const auto before = leaves_of(plain->pod), once = leaves_of(plain->result.after),
               now = leaves_of(mutated->result.after);
    for (const auto& [leaf, count] : once) {
      if (count <= count_of(before, leaf) || count_of(now, leaf) <= count) continue;
      return tell(call, webhook, *mutated, leaf.substr(0, leaf.rfind('=')), "gets it twice");
    }
  }

  std::optional<PodAnswer> answer_to(const Value& object, const ConfiguredWebhook& webhook) const {
    Value pod = pod_of_template(object, kind_, minor_);
    if (pod.is_null()) return std::nullopt;
    cases::Request request{.namespace_name = examination_.value.request.namespace_name, .object = pod};
    request.user_info = cases::user_named(controller_of(kind_));
    pod.edit("metadata").set("namespace", request.namespace_name);
    request.object = pod;
    const auto answer = apiserver::match(webhook, request, examination_.value.cluster, pod).answer;
    if (answer != apiserver::Match::Answer::yes) return std::nullopt;
    return PodAnswer{pod, WebhookCaller(examination_).call(webhook, pod, request)};
  }

  void tell(const FirstCall& call, const ConfiguredWebhook& webhook, const PodAnswer& answer,
            const std::string& path, std::string_view how) {
    Violation violation{.webhook = webhook.key, .path = path};
    violation.value = at_path(answer.result.after, path);
    violation.shape = without_names(path);
    violation.reason = "a Pod of the template that the webhook changed " + std::string(how) + ": " + path +
                       ", which a Pod of the plain template gets once";
    violation.calls = {{"on the workload", call.webhook.key, call.event.before, call.event.result},
                       {"on a Pod of its template", webhook.key, answer.pod, answer.result}};
    violations.push_back(std::move(violation));
  }

  const Examination& examination_;
  const cases::Kind& kind_;
  const int minor_;
};

Judgement once_per_pod(const Examination& examination) {
  const cases::Case& value = examination.value;
  const cases::Kind kind = cases::kind_of(value.request, value.cluster);
  if (template_path(kind).empty()) return not_applicable("the object makes no Pods of a template");
  PodQuestion question(examination, kind);
  for (const FirstCall& call : effective_calls(examination)) question.ask(call);
  if (!question.is_asked) return not_applicable("no webhook changes both the workload and its Pods");
  return judged(std::move(question.violations));
}

}  // namespace

extern constinit const Property kOncePerPod = {
    .name = "once-per-pod",
    .claim = "A Pod of a template that the webhook changed gets what a Pod of the plain template gets, once.",
    .is_cheap = false,
    .ask = once_per_pod,
    .takes_any_kind = true,
    .explanation = {.example = "An argument that was added to the template of a Deployment is added to each "
                               "of its Pods again.",
                    .matters = "What starts differs from what was tested, or does not start at all.",
                    .fix = "Guard by the thing itself in the containers, not by a mark on the workload."},
};

}  // namespace fixpoint::properties
