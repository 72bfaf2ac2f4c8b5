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

/// For each element of `after` the index of the one in `before` that it was: an equal one, else the first
/// left of its name; before.size() if it is new. A name may occur twice.
std::vector<std::size_t> partners_of(const Value& before, const Value& after) {
  std::vector<std::size_t> partners(after.size(), before.size());
  std::vector<bool> is_taken(before.size(), false);
  const auto match = [&](const auto& is_alike) {
    for (std::size_t i = 0; i < after.size(); ++i)
      for (std::size_t j = 0; j < before.size() && partners[i] == before.size(); ++j) {
        if (is_taken[j] || !is_alike(before.at(j), after.at(i))) continue;
        partners[i] = j;
        is_taken[j] = true;
      }
  };
  match([](const Value& a, const Value& b) { return a == b; });
  match([](const Value& a, const Value& b) { return a["name"] == b["name"]; });
  return partners;
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
    const std::vector<std::size_t> partners = partners_of(before, after);
    for (std::size_t i = 0; i < after.size(); ++i) {
      const std::size_t old = partners[i];
      const auto with = [&](Value value) { return rebuild(with_element(before, old, &value)); };
      if (old == before.size())
        all.push_back({element_path(path, i), with(after.at(i))});
      else
        compare(before.at(old), after.at(i), element_path(path, i), with);
    }
    for (std::size_t i = 0; i < before.size(); ++i)
      if (std::find(partners.begin(), partners.end(), i) == partners.end())
        all.push_back({element_path(path, i), rebuild(with_element(before, i, nullptr))});
  }
};

}  // namespace

std::vector<SingleChange> single_changes(const Value& before, const Value& after) {
  Changes changes;
  changes.compare(before, after, "", [](Value value) { return value; });
  return std::move(changes.all);
}

std::vector<std::string> changes_that_lead_to(const std::function<bool(const Value&)>& has_error,
                                              const std::vector<SingleChange>& changes) {
  std::vector<std::string> paths;
  for (const SingleChange& change : changes)
    if (has_error(change.pod)) paths.push_back(change.path);
  return paths;
}

std::vector<std::string> changes_behind(std::string_view field, const std::vector<SingleChange>& changes,
                                        const std::function<bool(const Value&)>& has_error) {
  const auto lies_in = [](std::string_view inner, std::string_view outer) {
    return inner.starts_with(outer) &&
           (inner.size() == outer.size() || inner.substr(outer.size()).find_first_of(".[") == 0);
  };
  // All changes lie in "spec", which the server names for whatever changed in it.
  const bool is_place = field.find_first_of(".[") != std::string_view::npos;
  const auto is_related = [&](const SingleChange& change) {
    return lies_in(field, change.path) || (is_place && lies_in(change.path, field));
  };
  if (std::any_of(changes.begin(), changes.end(), is_related)) return {};
  return changes_that_lead_to(has_error, changes);
}

}  // namespace fixpoint::properties
