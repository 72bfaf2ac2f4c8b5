#include <optional>
#include <utility>
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

/// Returns the webhook's handler with these requests beside each of its own, and none of other Cases.
Handlers asking(const Examination& examination, const FirstCall& call, int others_beside) {
  Handlers handlers;
  handlers[call.webhook.key] = [inner = examination.handlers.at(call.webhook.key),
                                others_beside](const webhooks::Call& one) {
    std::vector<webhooks::Call> others;
    for (int i = 0; i < others_beside; ++i) others.push_back(another(one, i));
    webhooks::Call asked = one;
    if (!others.empty()) asked.concurrent = &others;
    asked.is_alone = true;
    return inner(asked);
  };
  return handlers;
}

std::string reason(const std::string& path, const std::string& alone, const std::string& among) {
  return "the answer to a request has another " + path + " while its server answers others: " + alone +
         " alone and " + among + " among them";
}

/// Compares the call, with no other in flight, with the same among others.
class Race {
 public:
  Race(const Examination& examination, const FirstCall& call)
      : webhook_(call.webhook),
        alone_(asking(examination, call, 0)),
        among_(asking(examination, call, kOthers)),
        of_alone_{examination.value, alone_, examination.admission, examination.limits},
        of_among_{examination.value, among_, examination.admission, examination.limits},
        event_(call.event) {}

  /// Returns what differs; sets `is_asked` if the server takes several requests at a time.
  std::optional<Violation> run(bool& is_asked) {
    for (int round = 0; round < kRounds; ++round) {
      const CallResult among = call_afresh(of_among_, webhook_, event_.before);
      if (!among.answer.was_concurrent) return std::nullopt;
      is_asked = true;
      if (!differ(event_.result, among)) continue;
      // The answer in the Case may have come among others itself.
      if (!std::exchange(is_alone_known_, true))
        event_.result = call_afresh(of_alone_, webhook_, event_.before);
      if (!differ(event_.result, among)) continue;
      if (varies_alone()) return std::nullopt;
      auto violation = difference_of(of_alone_, {webhook_, event_}, among,
                                     "the same call, while others were answered", reason);
      if (violation) violation->severity = Severity::error;
      return violation;
    }
    return std::nullopt;
  }

 private:
  /// Returns true if the answer differs without others in flight, too: then it is no race, and deterministic
  /// tells.
  bool varies_alone() const {
    constexpr int kTries = 6;
    for (int left = kTries; left > 0; --left)
      if (differ(event_.result, call_afresh(of_alone_, webhook_, event_.before))) return true;
    return false;
  }

  const apiserver::ConfiguredWebhook& webhook_;
  const Handlers alone_, among_;
  const Examination of_alone_, of_among_;
  apiserver::CallEvent event_;
  bool is_alone_known_ = false;
};

Judgement concurrent_as_sequential(const Examination& examination) {
  std::vector<Violation> violations;
  bool is_asked = false;
  for (const FirstCall& call : first_calls(examination)) {
    if (auto violation = Race(examination, call).run(is_asked)) violations.push_back(*std::move(violation));
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
