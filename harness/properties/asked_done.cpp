#include <optional>
#include <string>
#include <vector>

#include "harness/cases/webhook_configuration.h"
#include "harness/document/json.h"
#include "harness/document/named.h"
#include "harness/properties/acted.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/spellings.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;
using document::Name;

constexpr int kCallsMax = 12;  ///< of one webhook in one Case

/// A label or an annotation without which the webhook does nothing.
struct Asked {
  const char* map;
  std::string key, value;
  std::string path() const { return member_path(std::string("metadata.") + map, key); }
};

Value with_value(Value pod, const Asked& asked, const std::string& value) {
  pod.edit("metadata").edit(Name(asked.map)).set(Name(asked.key), value);
  return pod;
}

/// Returns the Pod whose containers ask for no device, such as nvidia.com/gpu; nothing if none of them does.
std::optional<Value> without_devices(const Value& pod) {
  std::optional<Value> without;
  for (std::size_t i = 0; i < pod["spec"]["containers"].size(); ++i) {
    for (const char* kind : {"limits", "requests"}) {
      for (const auto& one : pod["spec"]["containers"].at(i)["resources"][Name(kind)].members()) {
        if (one.key.text().find('/') == std::string_view::npos) continue;
        if (!without) without = pod;
        Value& container = without->edit("spec").edit("containers").edit(i);
        container.edit("resources").edit(Name(kind)).remove(one.key.name());
      }
    }
  }
  return without;
}

/// Asks a webhook for the same thing where something is in its way.
class AskedQuestion {
 public:
  AskedQuestion(const Examination& examination, const FirstCall& call, std::vector<Violation>& violations,
                std::vector<Observation>& observations)
      : examination_(examination),
        call_(call),
        violations_(violations),
        observations_(observations),
        before_(call.event.before) {}

  /// Returns true if there was anything to ask.
  bool ask() {
    const bool is_of_container = ask_elsewhere();
    const auto asked = trigger();
    if (!asked) return is_of_container;
    ask_with_taken_volume(*asked);
    ask_with_list(*asked);
    if (asked->value.find('/') != std::string::npos) {
      const std::string longer = asked->value + "/";
      ask_for(*asked, with_value(before_, *asked, longer), longer, "with a slash at its end");
    }
    ask_with_empty_secret(*asked);
    return true;
  }

 private:
  std::optional<CallResult> result_of(const Value& pod) {
    if (calls_left_-- <= 0 || !is_called(examination_, call_.webhook, pod)) return {};
    return call_afresh(examination_, call_.webhook, pod);
  }
  /// Returns true if the webhook did nothing, and said nothing.
  static bool is_silent(const Value& before, const CallResult& result) {
    return went_well(result) && result.answer.warnings.empty() && !has_acted(before, result);
  }

  /// Asks for the same in another list of containers, if it is a container that asks: without the author's
  /// containers the webhook does nothing. Returns true if it is one.
  bool ask_elsewhere() {
    const Value plain = Value::list({minimal_container("fixpoint")});
    const Value& containers = before_["spec"]["containers"];
    Value bare = before_;
    bare.edit("spec").set("containers", plain);
    if (!is_silent_for(bare)) return false;
    Value second = before_;
    second.edit("spec").set("containers", plain);
    for (const Value& one : containers.elements()) second.edit("spec").edit("containers").push_back(one);
    look(second, "behind another container");
    for (const bool is_sidecar : {false, true}) {
      Value moved = bare;
      for (Value one : containers.elements()) {
        for (const char* member :
             {"livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "resizePolicy"})
          one.remove(Name(member));
        if (is_sidecar) one.set("restartPolicy", "Always");
        moved.edit("spec").edit("initContainers").push_back(one);
      }
      const std::string where = is_sidecar ? "a native sidecar" : "an init container";
      if (is_for_a_device()) {
        look_at_device(moved, where);
      } else {
        look(moved, where);
      }
    }
    return true;
  }
  /// Returns true if the webhook does nothing once no container asks for a device. The answer is kept.
  bool is_for_a_device() {
    if (!is_for_a_device_) {
      const auto without = without_devices(before_);
      is_for_a_device_ = without && is_silent_for(*without);
    }
    return *is_for_a_device_;
  }
  /// The scheduler counts the devices of all containers.
  void look_at_device(const Value& pod, const std::string& where) {
    if (!is_storable(examination_.value, pod)) return;
    const auto result = result_of(pod);
    if (!result || !is_silent(pod, *result)) return;
    Violation violation{.severity = Severity::warning, .webhook = call_.webhook.key};
    violation.path = "spec.initContainers[*].resources";
    violation.shape = "device-left:" + violation.path;
    violation.reason = "acts for a container that asks for a device, and does nothing for " + where +
                       " that asks for the same";
    violation.calls = {{"with the device in a container", call_.webhook.key, before_, call_.event.result},
                       {"with the device in " + where, call_.webhook.key, pod, *result}};
    violations_.push_back(std::move(violation));
  }
  bool is_silent_for(const Value& pod) {
    const auto result = result_of(pod);
    return result && is_silent(pod, *result);
  }
  void look(const Value& pod, const std::string& where) {
    if (!is_storable(examination_.value, pod) || !is_silent_for(pod)) return;
    observations_.push_back(
        {.kind = "left-out",
         .webhook = call_.webhook.key,
         .path = "spec.containers",
         .reason = "acts for what a container asks, and does nothing where the same is " + where});
  }

  std::optional<Asked> trigger() {
    for (const char* map : {"annotations", "labels"}) {
      for (const auto& one : before_["metadata"][Name(map)].members()) {
        const Asked asked{map, std::string(one.key.text()), std::string(one.value.text())};
        const Value pod = without_path(before_, asked.path());
        const auto result = result_of(pod);
        if (result && is_silent(pod, *result)) return asked;
      }
    }
    return std::nullopt;
  }

  void ask_for(const Asked& asked, const Value& pod, const std::string& value, const std::string& where) {
    const auto result = result_of(pod);
    if (result && is_silent(pod, *result) && is_repeatable(examination_, call_.webhook, pod, *result))
      observe(asked, value, where);
  }
  void observe(const Asked& asked, const std::string& value, const std::string& where) {
    observations_.push_back({.kind = "asked-not-done",
                             .webhook = call_.webhook.key,
                             .path = asked.path(),
                             .reason = "does nothing for " + document::write_json(Value(value)) + " in " +
                                       asked.path() + " " + where +
                                       ", and neither refuses nor warns: without that it acts"});
  }

  void ask_with_taken_volume(const Asked& asked) {
    const Value& volumes = call_.event.result.after["spec"]["volumes"];
    for (const Value& volume : volumes.elements()) {
      const std::string name(volume["name"].text());
      if (document::has_named(before_["spec"]["volumes"], name)) continue;
      const bool is_empty = volume["emptyDir"].is_object();
      Value taken{{"name", name}};
      if (is_empty)
        taken.set("configMap", {{"name", "of-the-user"}, {"optional", true}});
      else
        taken.set("emptyDir", Value::empty_object());
      Value pod = before_;
      pod.edit("spec").edit("volumes").push_back(taken);
      return ask_for(asked, pod, asked.value, "where a volume of the user has the name " + name);
    }
  }

  /// A list of two things must not be read as its first one.
  void ask_with_list(const Asked& asked) {
    if (asked.value.size() < 3 || switch_words(asked.value) ||
        asked.value.find_first_of(", ") != std::string::npos)
      return;
    const std::string both = asked.value + "," + asked.value + "-2";
    const Value pod = with_value(before_, asked, both);
    const auto result = result_of(pod);
    if (!result || !went_well(*result) || !result->answer.warnings.empty()) return;
    if (is_silent(pod, *result)) return observe(asked, both, "with a second value");
  }

  void ask_with_empty_secret(const Asked& asked) {
    cases::Case value = examination_.value;
    bool has_any = false;
    for (Value& object : value.cluster.objects) {
      if (object["kind"].text() != "Secret") continue;
      has_any = has_any || !object["data"].empty();
      object.set("data", Value::empty_object());
    }
    if (!has_any || calls_left_-- <= 0) return;
    const Examination other{.value = value,
                            .handlers = examination_.handlers,
                            .admission = examination_.admission,
                            .limits = examination_.limits};
    const CallResult result = WebhookCaller(other).call(call_.webhook, before_);
    if (is_silent(before_, result)) observe(asked, asked.value, "where the Secret lacks its key");
  }

  const Examination& examination_;
  const FirstCall& call_;
  std::vector<Violation>& violations_;
  std::vector<Observation>& observations_;
  const Value& before_;
  std::optional<bool> is_for_a_device_ = {};
  int calls_left_ = kCallsMax;
};

Judgement asked_done(const Examination& examination) {
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  bool is_asked = false;
  for (const FirstCall& call : effective_calls(examination)) {
    // Who only notes that it ran is silent on any Pod.
    if (!call.webhook.is_subject || !has_acted(call.event.before, call.event.result)) continue;
    is_asked = AskedQuestion(examination, call, violations, observations).ask() || is_asked;
  }
  if (!is_asked) return not_applicable("no label or annotation made the webhook act");
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kAskedDone = {
    .name = "asked-done",
    .claim = "What a label, an annotation or an init container asks for is done, refused, or warned of.",
    .is_cheap = false,
    .ask = asked_done,
    .explanation =
        {.example = "The Pod asks for injection and has a volume of the name: it gets nothing, and no word.",
         .matters = "The Pod runs without what its author asked for, and nothing says so.",
         .fix = "Refuse with the reason, or allow with a warning, wherever the request cannot be met."},
};

}  // namespace fixpoint::properties
