#include "harness/runner/diagnosis/guard.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "harness/properties/validity.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"
#include "harness/runner/diagnosis/copied_text.h"
#include "harness/runner/own_key.h"

namespace fixpoint::runner {

namespace {

using document::Name;
using document::Value;
using properties::Examination;
using properties::FirstCall;

constexpr std::array<const char*, 2> kListsOfContainers{"containers", "initContainers"};

/// Names and paths that many Pods have, whatever their webhooks add.
constexpr auto kCommon =
    std::to_array<std::string_view>({"init", "sidecar", "proxy",   "agent",  "main",    "app",  "tmp",
                                     "temp", "config",  "cache",   "data",   "logs",    "log",  "certs",
                                     "tls",  "secrets", "scripts", "shared", "workdir", "home", "run"});
constexpr auto kCommonPaths =
    std::to_array<std::string_view>({"/tmp",
                                     "/etc",
                                     "/var/run",
                                     "/var/log",
                                     "/var/lib",
                                     "/run",
                                     "/data",
                                     "/config",
                                     "/cache",
                                     "/home",
                                     "/mnt",
                                     "/opt",
                                     "/srv",
                                     "/usr/share",
                                     "/etc/ssl",
                                     "/etc/config",
                                     "/etc/localtime",
                                     "/var/run/secrets",
                                     "/var/run/secrets/kubernetes.io/serviceaccount",
                                     "/mnt/models",
                                     "/dev/shm"});
/// Ports that programs commonly listen at.
constexpr auto kCommonPorts =
    std::to_array<std::int64_t>({80, 443, 3000, 3306, 4317, 5000, 5432, 6379, 8000, 8008, 8080, 8081, 8082,
                                 8443, 8888, 9000, 9090, 9091, 9100});
/// Words in keys of annotations in which webhooks note what they have done.
constexpr auto kOfState = std::to_array<std::string_view>(
    {"status", "inject", "hash", "checksum", "revision", "overrides", "mutated", "version", "applied"});

/// Last words of keys that no user writes: they say what was done.
constexpr auto kOnlyOfState =
    std::to_array<std::string_view>({"status", "injected", "mutated", "patched", "processed", "hash"});

/// Fields of the user's that few Pods set, and that forbid much of what webhooks add.
constexpr auto kRareFields = std::to_array<const char*>({"spec.resources", "spec.os", "spec.hostUsers"});

bool is_common(std::string_view key) {
  return std::ranges::find(kCommon, key) != kCommon.end() ||
         std::ranges::find(kCommonPaths, key) != kCommonPaths.end();
}

/// Returns true for the path of a port, or of a member of one, at which few programs listen.
bool is_uncommon_port(const std::string& path, const Value& pod) {
  if (path.find("ports[") == std::string::npos) return false;
  const auto number =
      properties::at_path(pod, path.substr(0, path.rfind(']') + 1) + ".containerPort").integer();
  return number && std::ranges::find(kCommonPorts, *number) == kCommonPorts.end();
}

/// A list of the user's Pod, by the path in that Pod and the one after the call, and a key in it.
struct Keyed {
  std::string before = {}, after = {};
  std::string member = {};
  Value key = {};
};

/// Returns the index of the container with that name in a list; its size if there is none.
std::size_t index_of(const Value& list, const Value& name) {
  std::size_t i = 0;
  while (i < list.size() && !(list.at(i)["name"] == name)) ++i;
  return i;
}

/// The member by which elements of a list are known: mountPath of a mount.
std::string key_member(std::string_view list) {
  return list.ends_with("volumeMounts") ? "mountPath" : list.ends_with("ports") ? "containerPort" : "name";
}

/// Returns the list that a path like spec.containers[1].env[2].name goes into last, or one to an element.
std::optional<Keyed> keyed_at(const std::string& path, const Value& pod, const FirstCall& call) {
  const auto open = path.rfind('['), close = path.rfind(']');
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  Keyed keyed{.before = path.substr(0, open), .after = path.substr(0, open)};
  keyed.member = close + 2 < path.size() ? path.substr(close + 2) : key_member(keyed.before);
  keyed.key = properties::at_path(pod, path.substr(0, close + 1) + "." + keyed.member);
  const auto inner = keyed.before.find('[');
  if (keyed.key.is_null() || inner == std::string::npos) return keyed;
  const auto end = keyed.before.find(']');
  const Value name = properties::at_path(pod, keyed.before.substr(0, end + 1) + ".name");
  const std::string list = keyed.before.substr(0, inner), rest = keyed.before.substr(end + 1);
  const Value before = properties::at_path(call.event.before, list),
              after = properties::at_path(call.event.result.after, list);
  const std::size_t old = index_of(before, name), now = index_of(after, name);
  if (old == before.size() || now == after.size()) return std::nullopt;
  keyed.before = properties::element_path(list, old) + rest;
  keyed.after = properties::element_path(list, now) + rest;
  return keyed;
}

/// Returns the list and the key that a violation is about, in the final Pod if it is there.
std::optional<Keyed> keyed_in(const Examination& examination, const properties::Violation& violation,
                              const FirstCall& call) {
  const Value& last = examination.admission.object;
  const bool is_in_last = !last.is_null() && !properties::at_path(last, violation.path).is_null();
  return keyed_at(violation.path, is_in_last ? last : call.event.result.after, call);
}

std::size_t count(const Value& list, const Keyed& keyed) {
  const auto elements = list.elements();
  return static_cast<std::size_t>(std::ranges::count_if(
      elements, [&](const Value& one) { return one[Name(keyed.member)] == keyed.key; }));
}

bool is_of_containers(const Keyed& keyed) {
  return std::ranges::any_of(kListsOfContainers,
                             [&](const char* list) { return keyed.before == std::string("spec.") + list; });
}

/// Returns how many elements have the key, in all lists that share it.
std::size_t count_in(const Value& pod, const Keyed& keyed) {
  if (!is_of_containers(keyed)) return count(properties::at_path(pod, keyed.before), keyed);
  std::size_t all = 0;
  for (const char* list : kListsOfContainers) all += count(pod["spec"][Name(list)], keyed);
  return all;
}

/// Returns the Pod without the elements that have the key.
Value without(Value pod, const Keyed& keyed) {
  const auto remove_from = [&](const std::string& path) {
    for (std::size_t i = properties::at_path(pod, path).size(); i-- > 0;)
      if (properties::at_path(pod, path).at(i)[Name(keyed.member)] == keyed.key)
        pod = properties::without_path(pod, properties::element_path(path, i));
  };
  remove_from(keyed.before);
  if (is_of_containers(keyed))
    for (const char* list : kListsOfContainers) remove_from(std::string("spec.") + list);
  return pod;
}

/// Appends an element to the list at a path of members and one index.
void append(Value& pod, const std::string& path, const Value& element) {
  Value* at = &pod;
  for (const PlaceStep& step : steps_of(path))
    at =
        step.is_key ? &at->edit(static_cast<std::size_t>(std::stoul(step.text))) : &at->edit(Name(step.text));
  at->push_back(element);
}

/// Returns the element with the key that the call added; the last one if it added several.
std::optional<Value> added_element(const FirstCall& call, const Keyed& keyed) {
  const Value old = properties::at_path(call.event.before, keyed.before),
              now = properties::at_path(call.event.result.after, keyed.after);
  for (std::size_t i = now.size(); i-- > 0;) {
    const auto olds = old.elements();
    if (now.at(i)[Name(keyed.member)] == keyed.key && std::ranges::find(olds, now.at(i)) == olds.end())
      return now.at(i);
  }
  return std::nullopt;
}

/// Returns true if some list of that name has an element with the key; all lists of containers are one.
bool has_element(const Value& value, std::string_view list, std::string_view key) {
  for (const Value& element : value.elements())
    if (has_element(element, list, key)) return true;
  for (const auto& entry : value.members()) {
    const bool is_it =
        entry.key.text() == list || (is_list_of_containers(list) && is_list_of_containers(entry.key.text()));
    const auto elements = entry.value.elements();
    const auto has_key = [&](const Value& one) {
      return one["name"].text() == key || one["mountPath"].text() == key;
    };
    if ((is_it && std::ranges::any_of(elements, has_key)) || has_element(entry.value, list, key)) return true;
  }
  return false;
}

/// Returns the webhook's result for another Pod; nothing if it is not called or does not answer it well.
std::optional<apiserver::CallResult> result_for(const Examination& examination,
                                                const apiserver::ConfiguredWebhook& webhook,
                                                const Value& pod) {
  if (!properties::is_called(examination, webhook, pod)) return std::nullopt;
  auto result = properties::call_afresh(examination, webhook, pod);
  return properties::went_well(result) ? std::optional(std::move(result)) : std::nullopt;
}

/// Returns true if the user's Pod has an annotation in which the webhook itself notes what it did.
bool has_own_state(const Examination& examination, const FirstCall& call) {
  const Value& pod = examination.value.request.object;
  for (const auto& one : pod["metadata"]["annotations"].members()) {
    const std::string_view key = one.key.text();
    const auto is_in_key = [&](std::string_view word) { return key.find(word) != std::string_view::npos; };
    const std::string_view last = key.substr(key.find_last_of("/-._") + 1);
    if (std::ranges::find(kOnlyOfState, last) != kOnlyOfState.end()) return true;
    if (std::ranges::none_of(kOfState, is_in_key)) continue;
    const std::string path = properties::member_path("metadata.annotations", key);
    const Value less = properties::without_path(call.event.before, path);
    const auto result = result_for(examination, call.webhook, less);
    if (result && !properties::at_path(result->after, path).is_null()) return true;
  }
  return false;
}

/// Returns the first call of the webhook, also one that failed; nullptr if there is none.
const apiserver::CallEvent* first_event_of(const Examination& examination, std::string_view webhook) {
  const auto& all = examination.admission.calls;
  const auto it = std::ranges::find_if(all, [&](const apiserver::CallEvent& event) {
    return event.result.called &&
           examination.admission.webhooks[static_cast<std::size_t>(event.index)].key == webhook;
  });
  return it == all.end() ? nullptr : &*it;
}

/// Returns true if the user's Pod has an element with an unusual name that the webhook gives to one of its
/// own: it does so where the user's has another name. A smaller Case would not have the name if another one
/// served.
bool has_name_of_own(const Examination& examination, const properties::Violation& violation,
                     const std::function<bool(std::string_view list, std::string_view key)>& has_example) {
  const apiserver::CallEvent* const event = first_event_of(examination, violation.webhook);
  if (event == nullptr) return false;
  const auto& webhook = examination.admission.webhooks[static_cast<std::size_t>(event->index)];
  const auto is_own = [&](const char* list, const Value& element) {
    const std::string name(element["name"].text());
    if (name.empty() || is_common(name) || has_example(list, name)) return false;
    const Value other = renamed(event->before, name, "fixpoint-other");
    const auto result = result_for(examination, webhook, other);
    return result && has_element(result->after["spec"], list, name);
  };
  return std::ranges::any_of(std::array{"containers", "initContainers", "volumes"}, [&](const char* list) {
    const auto elements = examination.value.request.object["spec"][Name(list)].elements();
    return std::ranges::any_of(elements, [&](const Value& element) { return is_own(list, element); });
  });
}

/// Returns true if the call takes a container of the user's away for a variable in it: by that the webhook
/// knows those that it added itself.
bool has_variable_of_own(const Examination& examination, const FirstCall& call) {
  const Value& before = call.event.before;
  const auto is_reason = [&](const Value& variable, const char* list, std::string_view container) {
    if (variable["name"].text().empty()) return false;
    const Value other = renamed(before, variable["name"].text(), "FIXPOINT_OTHER");
    const auto result = result_for(examination, call.webhook, other);
    return result && has_element(result->after["spec"], list, container);
  };
  return std::ranges::any_of(kListsOfContainers, [&](const char* list) {
    const auto containers = before["spec"][Name(list)].elements();
    return std::ranges::any_of(containers, [&](const Value& container) {
      const std::string_view name = container["name"].text();
      if (has_element(call.event.result.after["spec"], list, name)) return false;
      const auto variables = container["env"].elements();
      return std::ranges::any_of(variables, [&](const Value& one) { return is_reason(one, list, name); });
    });
  });
}

/// Returns "a Pod sets spec.resources" if the API server takes what the webhook makes of the same Pod without
/// that field.
std::string rare_field(const Examination& examination, const FirstCall& call,
                       std::span<const Value> examples) {
  const auto is_needed = [&](const char* path) {
    const auto has_it = [&](const Value& pod) { return !properties::at_path(pod, path).is_null(); };
    if (!has_it(examination.value.request.object) || std::ranges::any_of(examples, has_it)) return false;
    const Value less = properties::without_path(call.event.before, path);
    const auto result = result_for(examination, call.webhook, less);
    return result && properties::errors_of(examination, result->after).empty();
  };
  const auto it = std::ranges::find_if(kRareFields, is_needed);
  return it == kRareFields.end() ? "" : std::string("a Pod sets ") + *it;
}

}  // namespace

std::string kind_of_change(const std::string& change) { return change.substr(0, change.find("; ")); }

bool has_word(const cases::Cause& cause, const char* word) {
  return cause.change.find(std::string("; ") + word) != std::string::npos;
}

std::string guard_of(const Examination& examination, const properties::Violation& violation) {
  if (violation.verdict == "growing") return kUnguarded;
  const auto call = first_call_of(examination, violation.webhook);
  if (!call) return {};
  const auto keyed = keyed_in(examination, violation, *call);
  if (!keyed || keyed->key.is_null()) return {};
  const auto element = added_element(*call, *keyed);
  if (!element) return {};
  Value pod = without(call->event.before, *keyed);
  append(pod, keyed->before, *element);
  const auto result = result_for(examination, call->webhook, pod);
  if (!result) return {};
  if (count_in(result->after, *keyed) > 1) return kUnguarded;
  const bool is_in_list = count(properties::at_path(call->event.before, keyed->before), *keyed) > 0;
  const bool is_of_containers =
      keyed->before.ends_with("ontainers");  // a name is unique in all of their lists
  return is_in_list ? kFindsItsOwn : is_of_containers ? kAsksOneList : kTwice;
}

bool is_copy(const Examination& examination, const properties::Violation& violation) {
  const auto call = first_call_of(examination, violation.webhook);
  if (!call || !violation.value.is_string() || keyed_in(examination, violation, *call)) return false;
  const auto open = violation.path.rfind('['), dot = violation.path.rfind('.', open);
  if (open == std::string::npos || dot == std::string::npos) return false;
  const std::string list = violation.path.substr(dot + 1, open - dot - 1);
  const auto containers = call->event.before["spec"]["containers"].elements();
  return std::ranges::any_of(containers, [&](const Value& container) {
    const auto elements = container[Name(list)].elements();
    return std::ranges::any_of(
        elements, [&](const Value& one) { return one["name"].text() == violation.value.text(); });
  });
}

std::string only_if(const cases::Cause& cause) {
  const auto at = cause.change.find(std::string("; ") + kOnlyIf);
  return at == std::string::npos ? "" : cause.change.substr(at + 2);
}

std::string contrived_part(const Examination& examination, const properties::Violation& violation,
                           cases::Cause& cause, std::span<const Value> examples) {
  const auto has_example = [&](std::string_view list, std::string_view key) {
    return std::ranges::any_of(examples, [&](const Value& pod) { return has_element(pod, list, key); });
  };
  // A list that grows with each call needs no element of the user's.
  if (violation.verdict == "growing") return {};
  const auto call = first_call_of(examination, violation.webhook);
  std::string duplicate;  // the name that stands twice
  if (cause.symptom == "duplicate" && call) {
    const auto keyed = keyed_in(examination, violation, *call);
    if (keyed && keyed->member == "name") duplicate = std::string(keyed->key.text());
    if (is_uncommon_port(violation.path, call->event.result.after))
      return "a container has that port already";
    if (keyed && keyed->member == "mountPath") {
      const std::string path(keyed->key.text());
      const bool is_users = has_element(examination.value.request.object, "volumeMounts", path);
      return is_users && !is_common(path) && !has_example("volumeMounts", path)
                 ? "a container mounts there already"
                 : "";
    }
  }
  if (cause.symptom == "invalid" && call)
    if (std::string field = rare_field(examination, *call, examples); !field.empty()) return field;
  if (cause.symptom == "invalid")
    if (const CopySource source = source_of_copy(examination, violation, examples); !source.place.empty()) {
      // Each text would be a place of its own.
      const std::string end = properties::member_path("x", source.key).substr(1);
      if (!source.key.empty() && cause.place.ends_with(end))
        cause.place.resize(cause.place.size() - end.size());
      return source.place + (source.is_part ? " has a part" : " has a text") + " that is not legal there";
    }
  const std::vector<PlaceStep> steps = steps_of(cause.place);
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const std::string& list = steps[i - 1].text;
    const bool is_named = is_list_of_containers(list) || list == "volumes" || list == "volumeMounts";
    std::string key = steps[i].text.substr(steps[i].text.find('=') + 1);
    if (key == "*" && i + 1 == steps.size() && !duplicate.empty()) key = duplicate;
    if (!steps[i].is_key || !is_named || key == "*" || key == "added" || is_common(key)) continue;
    if (has_example(list, key)) continue;
    if (has_element(examination.value.request.object, list, key)) return "a Pod has that name already";
  }
  if (has_name_of_own(examination, violation, has_example)) return "a Pod has a name of the webhook's own";
  if (call && has_variable_of_own(examination, *call))
    return "a container has a variable of the webhook's own";
  return call && has_own_state(examination, *call) ? "a Pod has the webhook's own annotation" : "";
}

}  // namespace fixpoint::runner
