#include <array>

#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;

/// A list or map that many webhooks write, and an element that another author may have put into it.
struct Place {
  const char* name;
  bool is_of_containers;
  bool is_map;
  Value (*stranger)();
};

Value a_volume() { return {{"name", "fixpoint-other"}, {"emptyDir", Value::empty_object()}}; }
Value a_mount() { return {{"name", "fixpoint-other"}, {"mountPath", "/fixpoint-other"}}; }
Value an_env() { return {{"name", "FIXPOINT_OTHER"}, {"value", "other"}}; }
Value a_toleration() { return {{"key", "fixpoint-other"}, {"operator", "Exists"}}; }
Value a_secret() { return {{"name", "fixpoint-other"}}; }
Value a_text() { return "other"; }

constexpr auto kPlaces = std::to_array<Place>({{"labels", false, true, a_text},
                                               {"annotations", false, true, a_text},
                                               {"volumes", false, false, a_volume},
                                               {"tolerations", false, false, a_toleration},
                                               {"imagePullSecrets", false, false, a_secret},
                                               {"env", true, false, an_env},
                                               {"volumeMounts", true, false, a_mount}});
constexpr const char* kStrangerKey = "fixpoint-other";

class EmptyQuestion {
 public:
  EmptyQuestion(const Examination& examination, const FirstCall& call, std::vector<Violation>& violations)
      : examination_(examination), call_(call), violations_(violations) {}

  void ask() {
    for (const Place& place : kPlaces) {
      if (!place.is_of_containers) {
        ask_place(place, place.is_map ? "metadata" : "spec", 0);
      } else if (const auto container = treated(place)) {
        ask_place(place, "containers", *container);
      }
    }
  }

 private:
  static const Value& parent_in(const Value& pod, const std::string& parent, std::size_t container) {
    return parent == "containers" ? pod["spec"]["containers"].at(container) : pod[document::Name(parent)];
  }
  static Value& edit_parent(Value& pod, const std::string& parent, std::size_t container) {
    if (parent != "containers") return pod.edit(document::Name(parent));
    return pod.edit("spec").edit("containers").edit(container);
  }
  static const Value* same_name(const Value& pod, const Value& container) {
    for (const Value& one : pod["spec"]["containers"].elements()) {
      if (one["name"] == container["name"]) return &one;
    }
    return nullptr;
  }

  /// Returns the first container whose list was absent before the call and present after it.
  std::optional<std::size_t> treated(const Place& place) const {
    const document::Name name(place.name);
    const auto containers = call_.event.before["spec"]["containers"].elements();
    for (std::size_t i = 0; i < containers.size(); ++i) {
      const Value* after = same_name(call_.event.result.after, containers[i]);
      if (containers[i][name].empty() && after != nullptr && !(*after)[name].empty()) return i;
    }
    return {};
  }

  /// Reports a list or map that the webhook creates when it is absent, but leaves alone or fills differently
  /// when it is empty or holds another author's element.
  void ask_place(const Place& place, const std::string& parent, std::size_t container) {
    const Value& before = call_.event.before;
    const document::Name name(place.name);
    if (!parent_in(before, parent, container)[name].empty()) return;
    if (!place.is_of_containers && parent_in(call_.event.result.after, parent, 0)[name].empty()) return;
    Value empty = before, present = before;
    edit_parent(empty, parent, container)
        .set(name, place.is_map ? Value::empty_object() : Value::empty_list());
    Value& list = edit_parent(present, parent, container).edit(name);
    place.is_map ? list.set(kStrangerKey, place.stranger()) : list.push_back(place.stranger());
    const CallResult reference = call_afresh(examination_, call_.webhook, before);
    if (!went_well(reference)) return;
    compare(place, before, reference, empty, "empty");
    if (is_called(examination_, call_.webhook, present))
      compare(place, before, reference, present, "present");
  }

  void compare(const Place& place, const Value& before, const CallResult& reference, const Value& variant,
               const char* word) {
    const CallResult result = call_afresh(examination_, call_.webhook, variant);
    if (!went_well(result)) {
      Violation violation{.webhook = call_.webhook.key, .path = place.name, .value = result.problem};
      violation.shape = std::string(place.name) + ":" + word;
      violation.reason = std::string("a call fails when ") + place.name + " is " + word + ", not absent";
      violation.calls = {
          {std::string("with ") + place.name + " " + word, call_.webhook.key, variant, result}};
      return violations_.push_back(std::move(violation));
    }
    Differing two = differing(reference.after, result.after);
    std::erase_if(two.after, [](const PathValue& path_value) { return is_strangers(path_value); });
    const std::string path = first_difference(two);
    if (path.empty() || !is_repeatable(examination_, call_.webhook, before, reference)) return;
    Violation violation = violation_at(call_.webhook, path, result.after, result);
    violation.severity = Severity::warning;
    violation.reason = "the result has another " + violation.path + " when " + place.name + " is " + word +
                       " instead of absent";
    violation.calls = {{std::string("with ") + place.name + " absent", call_.webhook.key, before, reference},
                       {std::string("with ") + place.name + " " + word, call_.webhook.key, variant, result}};
    violations_.push_back(std::move(violation));
  }
  static bool is_strangers(const PathValue& path_value) {
    return path_value.path.find("fixpoint-other") != std::string::npos ||
           path_value.path.find("FIXPOINT_OTHER") != std::string::npos;
  }

  const Examination& examination_;
  const FirstCall& call_;
  std::vector<Violation>& violations_;
};

Judgement absent_empty_present(const Examination& examination) {
  if (first_calls(examination).empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  for (const FirstCall& call : effective_calls(examination))
    EmptyQuestion(examination, call, violations).ask();
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kAbsentEmptyPresent = {
    .name = "absent-empty-present",
    .claim =
        "A list or map gets the same from a webhook whether it was absent, empty or had a stranger's "
        "element.",
    .is_cheap = false,
    .ask = absent_empty_present,
    .explanation =
        {.example = "With no pull secrets two are meant and one is left; with one there are three.",
         .matters =
             "What works on the author's Pods fails on Pods without the list, or with another's entry.",
         .fix = "Decide on the state after your own earlier operations, not on the original."},
};

}  // namespace fixpoint::properties
