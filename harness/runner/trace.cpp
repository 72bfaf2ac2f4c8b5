#include "harness/runner/trace.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "harness/properties/counterparts.h"

namespace fixpoint::runner {

namespace {

using document::Value;

/// A list of a Pod or of a container whose elements users know by name.
struct Named {
  const char* member;
  const char* word;
  const char* key;
};
constexpr std::array kOfPod{Named{"volumes", "volume", "name"},
                            Named{"initContainers", "init container", "name"},
                            Named{"containers", "container", "name"},
                            Named{"ephemeralContainers", "ephemeral container", "name"},
                            Named{"imagePullSecrets", "pull secret", "name"},
                            Named{"hostAliases", "host alias", "ip"},
                            Named{"tolerations", "toleration", "key"},
                            Named{"topologySpreadConstraints", "topology constraint", "topologyKey"},
                            Named{"readinessGates", "readiness gate", "conditionType"},
                            Named{"schedulingGates", "scheduling gate", "name"},
                            Named{"resourceClaims", "resource claim", "name"}};
constexpr std::array kOfContainer{Named{"env", "env", "name"}, Named{"volumeMounts", "mount", "mountPath"},
                                  Named{"volumeDevices", "device", "devicePath"},
                                  Named{"ports", "port", "containerPort"},
                                  Named{"envFrom", "envFrom", "prefix"}};
constexpr std::array kOfMetadata{Named{"ownerReferences", "owner", "name"},
                                 Named{"finalizers", "finalizer", ""}};
/// Reported member by member.
constexpr std::array kOfObject{Named{"metadata", "", ""}, Named{"spec", "", ""}};
/// Reported separately, or of no interest.
constexpr std::array<std::string_view, 3> kShownMetadata{"labels", "annotations", "managedFields"};

/// Returns the value that identifies an element among its siblings; a plain text itself.
const Value& key_of(const Value& element, const Named& how) {
  return element.is_object() ? element[how.key] : element;
}

std::string named(const Named& list, const Value& element, const std::string& of) {
  std::string text = list.word;
  if (const auto key = key_of(element, list).text(); !key.empty()) text.append(" ").append(key);
  if (!of.empty()) text.append(" of ").append(of);
  return text;
}

std::size_t count(const Value& list, const Named& how, const Value& key) {
  std::size_t found = 0;
  for (const Value& element : list.elements()) found += key_of(element, how) == key ? 1 : 0;
  return found;
}

/// Adds the elements that one list has more often than the other, each named once.
void more(const Value& in, const Value& than, const Named& how, const std::string& of, const char* sign,
          std::vector<std::string>& out) {
  std::set<std::string_view> said;
  for (const Value& element : in.elements()) {
    const Value& key = key_of(element, how);
    if (!said.insert(key.text()).second || count(in, how, key) <= count(than, how, key)) continue;
    out.push_back(sign + named(how, element, of));
  }
}

void compare_map(const Value& before, const Value& after, const char* word, std::vector<std::string>& out) {
  for (const auto& [key, value] : after.members()) {
    const Value* old = before.find(key.name());
    if (old != nullptr && *old == value) continue;
    out.push_back(std::string(old == nullptr ? "+ " : "~ ") + word + " " + std::string(key.text()));
  }
  for (const auto& [key, value] : before.members()) {
    if (after.find(key.name()) == nullptr)
      out.push_back(std::string("- ") + word + " " + std::string(key.text()));
  }
}

bool is_listed(std::string_view member, std::span<const Named> lists) {
  return std::any_of(lists.begin(), lists.end(), [&](const Named& list) { return member == list.member; });
}

/// Compares the other members of an object.
void compare_rest(const Value& before, const Value& after, std::span<const Named> lists,
                  const std::string& of, std::vector<std::string>& out) {
  std::set<std::string_view> members;
  for (const auto& entry : before.members()) members.insert(entry.key.text());
  for (const auto& entry : after.members()) members.insert(entry.key.text());
  for (std::string_view member : members) {
    if (is_listed(member, lists) || before[member] == after[member]) continue;
    out.push_back("~ " + std::string(member) + (of.empty() ? "" : " of " + of));
  }
}

/// Returns for each element of `after` its counterpart in `before`, or nullptr.
std::vector<const Value*> counterparts(const Value& before, const Value& after, const Named& how) {
  std::vector<const Value*> found;
  const auto have_one_key = [&](const Value& a, const Value& b) { return key_of(a, how) == key_of(b, how); };
  for (const std::size_t index : properties::counterparts(after, before, have_one_key))
    found.push_back(index == before.size() ? nullptr : &before.at(index));
  return found;
}

/// Returns true if the elements in both lists have a different order.
bool is_reordered(const Value& before, const Value& after, const Named& how) {
  const auto shared = [&](const Value& of, const Value& other) {
    std::vector<std::string> keys;
    for (const Value& element : of.elements()) {
      const Value& key = key_of(element, how);
      if (count(other, how, key) > 0) keys.emplace_back(key.text());
    }
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  };
  auto old = shared(before, after), now = shared(after, before);
  if (old == now) return false;
  std::sort(old.begin(), old.end());
  std::sort(now.begin(), now.end());
  return old == now;
}

/// Compares one list: the elements that were removed, added or changed, and the order of the others.
void compare_list(const Value& before, const Value& after, const Named& how, const std::string& of,
                  bool with_contents, std::vector<std::string>& out) {
  if (before.same(after)) return;
  more(before, after, how, of, "- ", out);
  more(after, before, how, of, "+ ", out);
  const auto olds = with_contents ? counterparts(before, after, how) : std::vector<const Value*>();
  for (std::size_t i = 0; i < olds.size(); ++i) {
    const Value* old = olds[i];
    if (old != nullptr && !(*old == after.at(i))) out.push_back("~ " + named(how, after.at(i), of));
  }
  if (is_reordered(before, after, how))
    out.push_back("~ order of " + std::string(how.member) + (of.empty() ? "" : " of " + of));
}

void compare_containers(const Value& before, const Value& after, const Named& list,
                        std::vector<std::string>& out) {
  const auto olds = counterparts(before, after, list);
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Value& container = after.at(i);
    const Value* old = olds[i];
    if (old == nullptr || old->same(container)) continue;
    const std::string of = std::string(list.word) + " " + std::string(container["name"].text());
    for (const Named& inner : kOfContainer)
      compare_list((*old)[inner.member], container[inner.member], inner, of, true, out);
    compare_rest(*old, container, kOfContainer, of, out);
  }
}

void compare_metadata(const Value& before, const Value& after, std::vector<std::string>& out) {
  compare_map(before["labels"], after["labels"], "label", out);
  compare_map(before["annotations"], after["annotations"], "annotation", out);
  for (const Named& list : kOfMetadata)
    compare_list(before[list.member], after[list.member], list, "", true, out);
  Value old = before, now = after;
  for (std::string_view member : kShownMetadata) {
    for (Value* one : {&old, &now}) {
      if (!(*one)[member].is_null()) one->remove(member);
    }
  }
  compare_rest(old, now, kOfMetadata, "metadata", out);
}

}  // namespace

std::vector<std::string> changes(const Value& before, const Value& after) {
  std::vector<std::string> out;
  if (before.same(after)) return out;
  compare_metadata(before["metadata"], after["metadata"], out);
  const Value &old_spec = before["spec"], &new_spec = after["spec"];
  constexpr std::array<std::string_view, 3> kOfContainers{"initContainers", "containers",
                                                          "ephemeralContainers"};
  const auto holds_containers = [&](const Named& list) {
    return std::find(kOfContainers.begin(), kOfContainers.end(), list.member) != kOfContainers.end();
  };
  for (const Named& list : kOfPod)
    compare_list(old_spec[list.member], new_spec[list.member], list, "", !holds_containers(list), out);
  for (const Named& list : kOfPod) {
    if (holds_containers(list)) compare_containers(old_spec[list.member], new_spec[list.member], list, out);
  }
  compare_rest(old_spec, new_spec, kOfPod, "", out);
  compare_rest(before, after, kOfObject, "", out);
  return out;
}

namespace {

/// The distinct accesses that a step of a trace lists.
constexpr std::size_t kAccessesMax = 8;

}  // namespace

std::vector<std::string> accesses_of(const webhooks::Answer& answer) {
  std::vector<std::string> effect;
  std::size_t left_out = 0;
  for (const cases::ApiAccess& access : answer.accesses) {
    if (access.verb == "watch") continue;
    std::string text = describe(access);
    if (std::find(effect.begin(), effect.end(), text) != effect.end()) continue;
    if (effect.size() < kAccessesMax)
      effect.push_back(std::move(text));
    else
      ++left_out;
  }
  if (left_out > 0) effect.push_back(std::to_string(left_out) + " more requests to the API");
  return effect;
}

namespace {

std::vector<std::string> effect_of(const Value& before, const apiserver::CallResult& result) {
  std::vector<std::string> effect = accesses_of(result.answer);
  std::vector<std::string> changed = changes(before, result.after);
  if (!effect.empty() && changed.empty() && result.error == apiserver::CallError::none)
    changed.emplace_back("no change");
  effect.insert(effect.end(), std::make_move_iterator(changed.begin()),
                std::make_move_iterator(changed.end()));
  if (result.error == apiserver::CallError::none) return effect;
  const std::string& why =
      result.error == apiserver::CallError::denied ? result.answer.status.message : result.said;
  effect.push_back("! " + std::string(apiserver::word(result.error)) + (why.empty() ? "" : ": " + why));
  return effect;
}

}  // namespace

std::vector<cases::TraceStep> trace_of(const apiserver::Admission& admission,
                                       std::span<const properties::OwnCall> own) {
  std::vector<cases::TraceStep> trace;
  std::set<std::string> seen;
  for (const apiserver::CallEvent& event : admission.calls) {
    cases::TraceStep call{.pass = event.pass,
                          .webhook = admission.webhooks[static_cast<std::size_t>(event.index)].key,
                          .effect = effect_of(event.before, event.result)};
    for (const std::string& change : call.effect) {
      if (change.starts_with("+ ") && !seen.insert(call.webhook + change).second)
        call.again.push_back(change);
    }
    trace.push_back(std::move(call));
  }
  for (const properties::OwnCall& call : own) {
    trace.push_back({.pass = 0,
                     .check = call.what,
                     .webhook = call.webhook,
                     .effect = effect_of(call.before, call.result)});
  }
  return trace;
}

}  // namespace fixpoint::runner
