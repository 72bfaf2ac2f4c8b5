#include <algorithm>
#include <array>
#include <iterator>

#include "harness/cases/kind.h"
#include "harness/document/named.h"
#include "harness/properties/judge.h"
#include "harness/properties/path_values.h"
#include "harness/properties/property.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;

constexpr std::string_view kGeneratedFrom = "fixpoint";

/// A list of a container whose elements a careless guard may take for the webhook's own.
struct InContainer {
  const char* list;
  const char* key;
  const char* what;
  bool needs_volume;
  Value (*near_match)(const std::string& injected);
};
Value path_nearby(const std::string& path) {
  return {{"name", kGeneratedFrom}, {"mountPath", path + "-of-mine"}};
}
Value longer_name(const std::string& name) { return {{"name", "MY_" + name}, {"value", "mine"}}; }
constexpr std::array<InContainer, 2> kInContainers{
    {{"volumeMounts", "mountPath", "the mount", true, path_nearby},
     {"env", "name", "the variable", false, longer_name}}};

/// Returns the object with a generateName alone: its own, which may say whose Pod it is, or a plain one.
Value nameless(Value object) {
  object.edit("metadata").remove("name");
  if (object["metadata"]["generateName"].text().empty())
    object.edit("metadata").set("generateName", std::string(kGeneratedFrom) + "-");
  return object;
}

/// A value that is made of the name is not written empty where there is none yet; it may be left out.
void ask_empty_name(const Examination& examination, const FirstCall& call,
                    std::vector<Violation>& violations) {
  if (call.event.before["metadata"]["name"].text().empty()) return;
  const Value variant = nameless(call.event.before);
  const CallResult result = call_afresh(examination, call.webhook, variant);
  if (!went_well(result)) return;
  const auto named = added(call.event.before, call.event.result.after);
  for (const PathValue& one : added(variant, result.after)) {
    const PathValue* const wanted = find(named, one.path);
    const bool is_empty = one.value.is_string() && one.value.text().empty();
    if (!is_empty || wanted == nullptr || wanted->value.text().empty()) continue;
    Violation violation = violation_at(call.webhook, one.path, result.after, result);
    violation.severity = Severity::warning;
    violation.verdict = "name-volatile";
    violation.reason = violation.path + " is empty when the object has only a generateName";
    violation.calls = {{"with a generateName alone", call.webhook.key, variant, result}};
    return violations.push_back(std::move(violation));
  }
}

/// A value that is made of the name may be too long for its place where the name is: names have up to 253
/// characters, labels and the names of volumes 63.
void ask_long_name(const Examination& examination, const FirstCall& call,
                   std::vector<Violation>& violations) {
  constexpr std::size_t kLength = 70;
  const Value& before = call.event.before;
  std::string name(before["metadata"]["name"].text());
  const auto has_name = [&](const PathValue& one) {
    return one.value.text().find(name) != one.value.text().npos;
  };
  if (name.empty() || name.size() >= kLength ||
      std::ranges::none_of(added(before, call.event.result.after), has_name))
    return;
  Value variant = before;
  name.append("-").append(kLength - name.size() - 1, 'n');
  variant.edit("metadata").set("name", name);
  if (!is_called(examination, call.webhook, variant) || !errors_of(examination, variant).empty()) return;
  const CallResult result = call_afresh(examination, call.webhook, variant);
  if (!went_well(result)) return;
  const auto errors = errors_of(examination, result.after);
  if (errors.empty() || !errors_of(examination, call.event.result.after).empty()) return;
  Violation violation = violation_at(call.webhook, errors.front().field, result.after, result);
  violation.severity = Severity::warning;
  violation.verdict = "name-too-long";
  violation.reason = "when the object has a name of " + std::to_string(kLength) +
                     " characters, the API server refuses " + violation.path + ": " + errors.front().message;
  violation.calls = {{"with a long name", call.webhook.key, variant, result}};
  violations.push_back(std::move(violation));
}

class RequestQuestion {
 public:
  RequestQuestion(const Examination& examination, const FirstCall& call, std::vector<Violation>& violations)
      : examination_(examination), call_(call), violations_(violations) {}

  void ask() {
    ask_namespaces();
    const cases::Kind kind = cases::kind_of(examination_.value.request, examination_.value.cluster);
    if (kind.is_pod()) ask_names();
    if (kind.is_custom()) ask_empty_name(examination_, call_, violations_);
    ask_long_name(examination_, call_, violations_);
  }

 private:
  /// A reference without a namespace means the object's own.
  void ask_namespaces() {
    constexpr std::string_view kDefault = "default";
    const std::string& own = examination_.value.request.namespace_name;
    if (own.empty() || own == kDefault) return;
    for (const PathValue& one : added(call_.event.before, call_.event.result.after)) {
      if (!one.path.ends_with(".namespace") || one.value.text() != kDefault) continue;
      Violation violation =
          violation_at(call_.webhook, one.path, call_.event.result.after, call_.event.result);
      violation.severity = Severity::warning;
      violation.reason = violation.path + " gets the namespace default in an object of the namespace " + own;
      violations_.push_back(std::move(violation));
    }
  }

  void ask_names() {
    const CallResult reference = call_afresh(examination_, call_.webhook, call_.event.before);
    if (!went_well(reference)) return;
    const Value& pod = call_.event.before;
    if (!pod["metadata"]["name"].is_null() || pod["metadata"]["generateName"].is_null())
      compare(reference, nameless(pod), "metadata.name", "the object has only a generateName",
              "name-volatile");
    ask_near_matches(reference);
    for (const InContainer& place : kInContainers) ask_near_matches_inside(reference, place);
  }

  void compare(const CallResult& reference, const Value& variant, std::string_view left_out,
               const std::string& when, const std::string& verdict = {}) {
    const CallResult result = call_afresh(examination_, call_.webhook, variant);
    if (!went_well(result)) return fail(when, variant, result);
    auto [wanted, path_values] = differing(reference.after, result.after);
    forgive_generated(variant["metadata"]["generateName"].text(), wanted, path_values);
    for (auto* list : {&wanted, &path_values}) {
      std::erase_if(*list, [&](const PathValue& path_value) {
        return path_value.path == left_out || path_value.path == "metadata.generateName";
      });
    }
    const std::string path = first_difference(wanted, path_values);
    if (path.empty() || !is_repeatable(examination_, call_.webhook, call_.event.before, reference)) return;
    const CallResult& shown = find(wanted, path) != nullptr ? reference : result;
    Violation violation = violation_at(call_.webhook, path, shown.after, shown);
    violation.severity = Severity::warning;
    violation.verdict = verdict;
    violation.reason = "when " + when + ", the result has another " + violation.path;
    violation.calls = {{"the request as it is", call_.webhook.key, call_.event.before, reference},
                       {"when " + when, call_.webhook.key, variant, result}};
    violations_.push_back(std::move(violation));
  }

  /// Leaves out values that are made from the name, or from the generateName where there is no name: that is
  /// correct.
  static void forgive_generated(std::string_view generated_from, std::vector<PathValue>& wanted,
                                std::vector<PathValue>& path_values) {
    std::vector<PathValue> forgiven;
    if (generated_from.ends_with('-')) generated_from.remove_suffix(1);
    std::copy_if(path_values.begin(), path_values.end(), std::back_inserter(forgiven),
                 [&](const PathValue& path_value) {
                   return path_value.value.is_string() &&
                          path_value.value.text().find(generated_from) != std::string_view::npos &&
                          find(wanted, path_value.path) != nullptr;
                 });
    for (auto* list : {&wanted, &path_values})
      std::erase_if(*list,
                    [&](const PathValue& path_value) { return find(forgiven, path_value.path) != nullptr; });
  }

  void fail(const std::string& when, const Value& variant, const CallResult& result) {
    Violation violation{.webhook = call_.webhook.key, .path = "allowed", .shape = when};
    violation.reason = "a call fails when " + when;
    violation.calls = {{"when " + when, call_.webhook.key, variant, result}};
    violations_.push_back(std::move(violation));
  }

  /// A container whose name or image is nearly that of an injected one is still another container; the same
  /// is true of volumes.
  void ask_near_matches(const CallResult& reference) {
    struct Added {
      const char* list;
      std::string name;
    };
    std::vector<Added> wanted;
    Value pod = call_.event.before;
    for (const char* list : {"containers", "initContainers", "volumes"}) {
      const document::Name name(list);
      for (const Value& element : reference.after["spec"][name].elements()) {
        if (has_named(call_.event.before["spec"][name], element["name"].text())) continue;
        wanted.push_back({list, std::string(element["name"].text())});
        add_near_match(pod, list, element);
      }
    }
    if (wanted.empty() || !is_called(examination_, call_.webhook, pod)) return;
    const CallResult result = call_afresh(examination_, call_.webhook, pod);
    if (!went_well(result)) return fail("a user's element is named nearly as an injected one", pod, result);
    for (const Added& one : wanted) {
      const document::Name list(one.list);
      if (has_named(result.after["spec"][list], one.name)) continue;
      // The webhook added it under another name.
      const auto count = [&](const Value& of) { return of["spec"][list].size(); };
      if (count(result.after) + count(call_.event.before) >= count(reference.after) + count(pod)) continue;
      Violation violation{.severity = Severity::warning, .webhook = call_.webhook.key};
      violation.path = std::string("spec.").append(one.list);
      violation.value = one.name;
      violation.shape = violation.path + "[name=" + one.name + "]:look-alike";
      violation.reason = one.name + " is not injected when a user's element has nearly its name or image";
      violation.calls = {{"with such an element", call_.webhook.key, pod, result}};
      return violations_.push_back(std::move(violation));
    }
  }

  /// Checks near matches of the elements inside containers: a mount beside the injected one's path, a longer
  /// name of env.
  void ask_near_matches_inside(const CallResult& reference, const InContainer& place) {
    const document::Name list(place.list), key(place.key);
    for (const Value& container : reference.after["spec"]["containers"].elements()) {
      const Value& name = container["name"];
      if (!has_named(call_.event.before["spec"]["containers"], name.text())) continue;
      for (const Value& element : container[list].elements()) {
        if (is_given(call_.event.before, place, name, element[key].text())) continue;
        return ask_near_match_of(place, name, element);
      }
    }
  }
  void ask_near_match_of(const InContainer& place, const Value& container, const Value& element) {
    const document::Name list(place.list), key(place.key);
    const std::string wanted(element[key].text());
    Value pod = call_.event.before;
    auto& containers = pod.edit("spec").edit("containers").edit_elements();
    for (Value& one : containers) {
      if (one["name"] == container) one.edit(list).push_back(place.near_match(wanted));
    }
    if (place.needs_volume)
      pod.edit("spec").edit("volumes").push_back(
          {{"name", kGeneratedFrom}, {"emptyDir", Value::empty_object()}});
    if (!is_called(examination_, call_.webhook, pod)) return;
    const CallResult result = call_afresh(examination_, call_.webhook, pod);
    if (!went_well(result))
      return fail(std::string("a container has nearly the injected ") + place.what, pod, result);
    if (!has_named(result.after["spec"]["containers"], container.text())) return;
    if (is_given(result.after, place, container, wanted)) return;
    if (!is_repeatable(examination_, call_.webhook, call_.event.before, call_.event.result)) return;
    Violation violation{.severity = Severity::warning, .webhook = call_.webhook.key};
    violation.path = std::string("spec.containers[*].").append(place.list);
    violation.value = wanted;
    violation.shape = violation.path + "[" + wanted + "]:look-alike";
    violation.reason = std::string(place.what) + " " + wanted +
                       " is not injected when the container has nearly the same of the user's";
    violation.calls = {{"with such an element", call_.webhook.key, pod, result}};
    violations_.push_back(std::move(violation));
  }
  /// Returns true if a container of that name (an invalid Pod may have several) has such an element.
  static bool is_given(const Value& pod, const InContainer& place, const Value& container,
                       std::string_view text) {
    const document::Name list(place.list), key(place.key);
    for (const Value& one : pod["spec"]["containers"].elements()) {
      const auto elements = one[list].elements();
      if (one["name"] == container &&
          std::any_of(elements.begin(), elements.end(),
                      [&](const Value& element) { return element[key].text() == text; }))
        return true;
    }
    return false;
  }

  static void add_near_match(Value& pod, const std::string& list, const Value& element) {
    const std::string name = "my-" + std::string(element["name"].text());
    if (list == "volumes") {
      pod.edit("spec").edit("volumes").push_back({{"name", name}, {"emptyDir", Value::empty_object()}});
      return;
    }
    Value container = minimal_container(name);
    const std::string_view image = element["image"].text();
    const std::string_view base = image.substr(0, image.find_first_of(":@", image.rfind('/') + 1));
    container.set("image", "fixpoint.example/my-" + std::string(base) + "-tools:1");
    pod.edit("spec").edit(document::Name(list)).push_back(std::move(container));
  }

  const Examination& examination_;
  const FirstCall& call_;
  std::vector<Violation>& violations_;
};

Judgement request_context(const Examination& examination) {
  if (first_calls(examination).empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  for (const FirstCall& call : effective_calls(examination))
    RequestQuestion(examination, call, violations).ask();
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kRequestContext = {
    .name = "request-context",
    .claim =
        "The result follows the request's namespace, needs no name, copes with a long one, and takes no near "
        "match for its own.",
    .is_cheap = false,
    .ask = request_context,
    .takes_any_kind = true,
    .explanation =
        {.example = "A value is made from metadata.name, which a controller's Pod does not have yet.",
         .matters = "Pods of controllers are treated otherwise than Pods made by hand; near matches switch "
                    "injection off.",
         .fix = "Expect generateName; compare names and images exactly."},
};

}  // namespace fixpoint::properties
