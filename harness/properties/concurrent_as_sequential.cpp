#include <vector>

#include "harness/properties/answer_difference.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;

constexpr int kRounds = 3, kOthers = 3;

/// Returns a request like that one for another object, so that what is mixed up shows.
webhooks::Call another(const webhooks::Call& call, int number) {
  webhooks::Call other = call;
  const std::string mark = "-concurrent-" + std::to_string(number);
  other.object.edit("metadata").set("name", "other" + mark);
  other.object.edit("metadata").remove("annotations");
  other.object.edit("metadata").edit("labels").set("app", "other" + mark);
  for (const char* list : {"initContainers", "containers"}) {
    if (!other.object["spec"][document::Name(list)].is_array())
      continue;  // of a custom resource it may be a map
    for (Value& container : other.object.edit("spec").edit(document::Name(list)).edit_elements()) {
      if (!container.is_object()) continue;
      container.set("name", std::string(container["name"].text()) + mark);
      container.set("image", "registry.example.com/other:" + std::to_string(number));
    }
  }
  return other;
}

/// Makes the call again while its server answers others.
CallResult call_among_others(const Examination& examination, const FirstCall& call) {
  Handlers handlers;
  handlers[call.webhook.key] = [inner =
                                    examination.handlers.at(call.webhook.key)](const webhooks::Call& one) {
    std::vector<webhooks::Call> others;
    for (int i = 0; i < kOthers; ++i) others.push_back(another(one, i));
    webhooks::Call among = one;
    among.concurrent = &others;
    return inner(among);
  };
  const Examination with_others{examination.value, handlers, examination.admission, examination.limits};
  return call_afresh(with_others, call.webhook, call.event.before);
}

std::string because(const std::string& path, const std::string& alone, const std::string& among) {
  return "the answer to a request has another " + path + " while its server answers others: " + alone +
         " alone and " + among + " among them";
}

Judgement concurrent_as_sequential(const Examination& examination) {
  std::vector<Violation> violations;
  bool is_asked = false;
  for (const FirstCall& call : first_calls(examination)) {
    for (int round = 0; round < kRounds; ++round) {
      const CallResult among = call_among_others(examination, call);
      if (!among.answer.was_concurrent) break;
      is_asked = true;
      if (!differ(call.event.result, among)) continue;
      if (auto violation =
              difference_of(examination, call, among, "the same call, while others were answered", because)) {
        violation->severity = Severity::error;
        violations.push_back(*std::move(violation));
      }
      break;
    }
  }
  if (!is_asked)
    return not_applicable("no webhook of the Case is a server that answers several requests at a time");
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kConcurrentAsSequential = {
    .name = "concurrent-as-sequential",
    .claim = "The answer to a request does not depend on requests that are answered at the same time.",
    .is_cheap = false,
    .ask = concurrent_as_sequential,
    .takes_any_kind = true,
    .applies_to = is_server,
    .symptom = "race",
    .explanation =
        {.example =
             "The server keeps the current Pod in a field of the handler, which the next request overwrites.",
         .matters = "The API server sends requests as they come: under load a Pod gets what is meant for "
                    "another one.",
         .fix = "Keep what belongs to a request in local variables; lock or copy what requests share."},
};

}  // namespace fixpoint::properties
