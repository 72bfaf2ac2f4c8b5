#include "harness/runner/story.h"

#include <algorithm>
#include <array>
#include <set>

namespace fixpoint::runner {

namespace {

using document::Value;

/// A list of a Pod or of a container whose elements a person knows by name.
struct Named {
  const char* member;
  const char* word;
  const char* key;
};
constexpr std::array<Named, 4> kOfPod{{{"volumes", "volume", "name"},
                                       {"initContainers", "init container", "name"},
                                       {"containers", "container", "name"},
                                       {"imagePullSecrets", "pull secret", "name"}}};
constexpr std::array<Named, 4> kOfContainer{{{"env", "env", "name"},
                                             {"volumeMounts", "mount", "mountPath"},
                                             {"ports", "port", "containerPort"},
                                             {"envFrom", "envFrom", "prefix"}}};

std::string named(const Named& list, const Value& element, const std::string& of) {
  std::string text = list.word;
  text.append(" ").append(element[list.key].text());
  if (!of.empty()) text.append(" of ").append(of);
  return text;
}

std::size_t count(const Value& list, const Named& how, const Value& key) {
  std::size_t found = 0;
  for (const Value& element : list.elements()) found += element[how.key] == key ? 1 : 0;
  return found;
}

/// Elements that one list has more often than the other, each named once.
void more(const Value& in, const Value& than, const Named& how, const std::string& of, const char* sign,
          std::vector<std::string>& out) {
  std::set<std::string_view> said;
  for (const Value& element : in.elements()) {
    const Value& key = element[how.key];
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

/// Other members of an object that differ.
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

/// The element of that name in `list`, of several the one that has as many of its name before it.
const Value* counterpart(const Value& list, std::span<const Value> others, std::size_t index) {
  const Value& name = others[index]["name"];
  auto skip = std::count_if(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(index),
                            [&](const Value& other) { return other["name"] == name; });
  for (const Value& element : list.elements()) {
    if (element["name"] == name && skip-- == 0) return &element;
  }
  return nullptr;
}

void compare_containers(const Value& before, const Value& after, const Named& list,
                        std::vector<std::string>& out) {
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Value& container = after.at(i);
    const Value* old = counterpart(before, after.elements(), i);
    if (old == nullptr || old->same(container)) continue;
    const std::string of = std::string(list.word) + " " + std::string(container["name"].text());
    for (const Named& inner : kOfContainer) {
      more((*old)[inner.member], container[inner.member], inner, of, "- ", out);
      more(container[inner.member], (*old)[inner.member], inner, of, "+ ", out);
    }
    compare_rest(*old, container, kOfContainer, of, out);
  }
}

}  // namespace

std::vector<std::string> changes(const Value& before, const Value& after) {
  std::vector<std::string> out;
  if (before.same(after)) return out;
  compare_map(before["metadata"]["labels"], after["metadata"]["labels"], "label", out);
  compare_map(before["metadata"]["annotations"], after["metadata"]["annotations"], "annotation", out);
  const Value &old_spec = before["spec"], &new_spec = after["spec"];
  for (const Named& list : kOfPod) {
    more(old_spec[list.member], new_spec[list.member], list, "", "- ", out);
    more(new_spec[list.member], old_spec[list.member], list, "", "+ ", out);
  }
  compare_containers(old_spec["initContainers"], new_spec["initContainers"], kOfPod[1], out);
  compare_containers(old_spec["containers"], new_spec["containers"], kOfPod[2], out);
  compare_rest(old_spec, new_spec, kOfPod, "", out);
  return out;
}

std::vector<cases::StoryCall> story_of(const apiserver::Admission& admission) {
  std::vector<cases::StoryCall> story;
  std::set<std::string> seen;
  for (const apiserver::CallEvent& event : admission.calls) {
    cases::StoryCall call{.pass = event.pass,
                          .webhook = admission.webhooks[static_cast<std::size_t>(event.index)].key};
    call.did = changes(event.before, event.hop.after);
    if (event.hop.error != apiserver::CallError::none) {
      call.did.push_back("! " + std::string(apiserver::word(event.hop.error)) +
                         (event.hop.problem.empty() ? "" : ": " + event.hop.problem));
    }
    for (const std::string& change : call.did) {
      if (change.starts_with("+ ") && !seen.insert(call.webhook + change).second)
        call.again.push_back(change);
    }
    story.push_back(std::move(call));
  }
  return story;
}

}  // namespace fixpoint::runner
