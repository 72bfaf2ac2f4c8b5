#include "harness/properties/single_changes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using document::Name;
using document::Value;

/// Returns the Pod in which a part has this value.
using Rebuild = std::function<Value(Value)>;

bool has_names(const Value& list) {
  const auto elements = list.elements();
  return std::all_of(elements.begin(), elements.end(),
                     [](const Value& element) { return element["name"].is_string(); });
}

std::size_t index_of(const Value& list, const Value& name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list.at(i)["name"] == name) return i;
  return list.size();
}

Value with_element(const Value& list, std::size_t index, const Value* element) {
  std::vector<Value> elements(list.elements().begin(), list.elements().end());
  if (element == nullptr)
    elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(index));
  else if (index < elements.size())
    elements[index] = *element;
  else
    elements.push_back(*element);
  return Value(std::move(elements));
}

class Changes {
 public:
  std::vector<SingleChange> all;

  void compare(const Value& before, const Value& after, const std::string& path, const Rebuild& rebuild) {
    if (before.same(after) || before == after || all.size() >= kSingleChangesMax) return;
    if (before.is_object() && after.is_object()) return compare_members(before, after, path, rebuild);
    const bool is_list = before.is_array() && after.is_array() && has_names(before) && has_names(after);
    if (is_list) return compare_elements(before, after, path, rebuild);
    all.push_back({path, rebuild(after)});
  }

 private:
  void compare_members(const Value& before, const Value& after, const std::string& path,
                       const Rebuild& rebuild) {
    std::set<std::string> names;
    for (const Value* one : {&before, &after})
      for (const auto& member : one->members()) names.emplace(member.key.text());
    for (const std::string& text : names) {
      const Name name(text);
      const Value *old = before.find(name), *now = after.find(name);
      const std::string there = member_path(path, text);
      const auto with = [&](Value value) {
        Value copy = before;
        copy.set(name, std::move(value));
        return rebuild(std::move(copy));
      };
      if (old != nullptr && now != nullptr) {
        compare(*old, *now, there, with);
      } else if (now != nullptr && now->is_array() && !now->empty() && has_names(*now)) {
        compare(Value::empty_list(), *now, there, with);
      } else if (now != nullptr) {
        all.push_back({there, with(*now)});
      } else {
        Value copy = before;
        copy.remove(name);
        all.push_back({there, rebuild(std::move(copy))});
      }
    }
  }

  void compare_elements(const Value& before, const Value& after, const std::string& path,
                        const Rebuild& rebuild) {
    for (std::size_t i = 0; i < after.size(); ++i) {
      const std::size_t old = index_of(before, after.at(i)["name"]);
      const auto with = [&](Value value) { return rebuild(with_element(before, old, &value)); };
      if (old == before.size())
        all.push_back({element_path(path, i), with(after.at(i))});
      else
        compare(before.at(old), after.at(i), element_path(path, i), with);
    }
    for (std::size_t i = 0; i < before.size(); ++i)
      if (index_of(after, before.at(i)["name"]) == after.size())
        all.push_back({element_path(path, i), rebuild(with_element(before, i, nullptr))});
  }
};

}  // namespace

std::vector<SingleChange> single_changes(const Value& before, const Value& after) {
  Changes changes;
  changes.compare(before, after, "", [](Value value) { return value; });
  return std::move(changes.all);
}

std::vector<std::string> changes_behind(std::string_view field, const std::vector<SingleChange>& changes,
                                        const std::function<bool(const Value&)>& has_error) {
  const auto lies_in = [field](const SingleChange& change) {
    return field.starts_with(change.path) &&
           (field.size() == change.path.size() || field.substr(change.path.size()).find_first_of(".[") == 0);
  };
  if (std::any_of(changes.begin(), changes.end(), lies_in)) return {};
  std::vector<std::string> paths;
  for (const SingleChange& change : changes)
    if (has_error(change.pod)) paths.push_back(change.path);
  return paths;
}

}  // namespace fixpoint::properties
