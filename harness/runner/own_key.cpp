#include "harness/runner/own_key.h"

#include <algorithm>
#include <utility>

namespace fixpoint::runner {

namespace {

using document::Name;
using document::Value;
using properties::Examination;
using properties::FirstCall;
using properties::Violation;

/// Returns the elements with that name, or the entries with that key, in every list or map of the name.
void collect(const Value& value, std::string_view list, std::string_view key, std::vector<Value>& found) {
  for (const Value& element : value.elements()) collect(element, list, key, found);
  for (const auto& member : value.members()) {
    if (member.key.text() == list) {
      for (const Value& element : member.value.elements())
        if (element["name"].text() == key) found.push_back(element);
    }
    collect(member.value, list, key, found);
  }
}
std::vector<Value> elements_of(const Value& pod, std::string_view list, std::string_view key) {
  std::vector<Value> found;
  collect(pod, list, key, found);
  return found;
}

/// Returns the name of the element that a path without its last steps leads to; empty if it has none.
std::string name_at(const Value& pod, const std::string& path) {
  const Value element = properties::at_path(pod, path);
  return std::string(element["name"].text());
}

/// Returns a Pod of the violation's calls in which the path leads somewhere.
Value pod_with(const Examination& examination, const Violation& violation, const FirstCall& call) {
  std::vector<Value> pods;
  for (const properties::OwnCall& own : violation.calls) {
    pods.push_back(own.result.after);
    pods.push_back(own.before);
  }
  pods.push_back(call.event.result.after);
  pods.push_back(examination.admission.object);
  pods.push_back(call.event.before);
  for (const Value& pod : pods)
    if (!pod.is_null() && !properties::at_path(pod, violation.path).is_null()) return pod;
  return {};
}

/// Calls the webhook on a Pod. The call is not noted as the property's own: it belongs to no check.
apiserver::CallResult call_apart(const Examination& examination, const FirstCall& call, const Value& pod) {
  const Examination alone{examination.value, examination.handlers, examination.admission, examination.limits};
  return properties::WebhookCaller(alone).call(call.webhook, pod);
}

std::string replaced(std::string_view text, std::string_view part, std::string_view by) {
  std::string whole(text);
  return whole.replace(whole.find(part), part.size(), by);
}

/// Returns true if the webhook makes the key of the value of a label or an annotation: of another value it
/// makes another key.
bool is_made_of_a_value(const Examination& examination, const FirstCall& call, std::string_view key) {
  constexpr std::string_view kOther = "-other";
  const Value& before = call.event.before;
  for (const char* map : {"labels", "annotations"}) {
    for (const auto& [name, value] : before["metadata"][map].members()) {
      if (!value.is_string() || value.text().empty() || key.find(value.text()) == std::string_view::npos)
        continue;
      Value other = before;
      const std::string another = std::string(value.text()) + std::string(kOther);
      other.edit("metadata").edit(map).set(name.name(), another);
      const Value patch = call_apart(examination, call, other).answer.patch.value_or(Value());
      const bool has_another = properties::mentions(patch, replaced(key, value.text(), another));
      if (has_another && !properties::mentions(patch, key)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<PlaceStep> steps_of(std::string_view place) {
  std::vector<PlaceStep> steps;
  for (std::size_t at = 0; at < place.size();) {
    const bool is_key = place[at] == '[';
    if (is_key || place[at] == '.') ++at;
    const auto end = std::min(is_key ? place.find(']', at) : place.find_first_of(".[", at), place.size());
    if (end > at) steps.push_back({std::string(place.substr(at, end - at)), is_key});
    at = is_key ? end + 1 : end;
  }
  return steps;
}

bool is_list_of_containers(std::string_view member) {
  return member == "containers" || member == "initContainers" || member == "ephemeralContainers";
}

Value renamed(const Value& value, std::string_view from, const std::string& to) {
  if (value.is_string()) return value.text() == from ? Value(to) : value;
  if (value.is_number()) return value.text() == from ? Value::number("1" + std::string(from)) : value;
  if (value.is_array()) {
    Value list = Value::empty_list();
    for (const Value& element : value.elements()) list.push_back(renamed(element, from, to));
    return list;
  }
  if (!value.is_object()) return value;
  Value object = Value::empty_object();
  for (const auto& member : value.members())
    object.set(member.key.text() == from ? Name(to) : member.key.name(), renamed(member.value, from, to));
  return object;
}

std::optional<FirstCall> first_call_of(const Examination& examination, std::string_view webhook) {
  std::optional<FirstCall> found;
  for (const FirstCall& call : properties::first_calls(examination))
    if (call.webhook.key == webhook) found.emplace(call);
  return found;
}

bool looks_for(const Examination& examination, const FirstCall& call, std::string_view list,
               const std::string& key) {
  const Value& before = call.event.before;
  const auto old = elements_of(before, list, key);
  if (old.empty() || old == elements_of(call.event.result.after, list, key)) return false;
  const std::string other_key = key + "-other";
  const Value other = renamed(before, key, other_key);
  const auto result = call_apart(examination, call, other);
  return result.error == apiserver::CallError::none &&
         elements_of(other, list, other_key) == elements_of(result.after, list, other_key);
}

void keep_own_keys(const Examination& examination, Violation& violation) {
  if (violation.shape.find("[*]") == std::string::npos) return;
  std::vector<PlaceStep> shape = steps_of(violation.shape);
  const std::vector<PlaceStep> path = steps_of(violation.path);
  if (shape.size() != path.size()) return;
  std::optional<FirstCall> call;
  Value pod;
  std::string so_far, kept;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (shape[i].is_key != path[i].is_key) return;
    so_far += path[i].is_key ? "[" + path[i].text + "]" : (i == 0 ? "" : ".") + path[i].text;
    std::string key = shape[i].text;
    if (i > 0 && path[i].is_key && key == "*" && !is_list_of_containers(shape[i - 1].text)) {
      if (!call) {
        const auto first = first_call_of(examination, violation.webhook);
        if (!first) return;
        call.emplace(*first);
        pod = pod_with(examination, violation, *call);
      }
      const std::string name = name_at(pod, so_far);
      if (!name.empty() && looks_for(examination, *call, shape[i - 1].text, name)) key = "name=" + name;
    }
    kept += path[i].is_key ? "[" + key + "]" : (i == 0 ? "" : ".") + key;
  }
  violation.shape = kept;
}

void drop_keys_of_values(const Examination& examination, Violation& violation) {
  if (violation.shape.find('=') == std::string::npos) return;
  const auto call = first_call_of(examination, violation.webhook);
  if (!call) return;
  for (const PlaceStep& step : steps_of(violation.shape)) {
    const auto sign = step.text.find('=');
    if (!step.is_key || sign == std::string::npos) continue;
    if (is_made_of_a_value(examination, *call, std::string_view(step.text).substr(sign + 1)))
      violation.shape = replaced(violation.shape, "[" + step.text + "]", "[*]");
  }
}

}  // namespace fixpoint::runner
