#include "harness/runner/diagnosis/mend_change.h"

#include <algorithm>

#include "harness/apiserver/registry/strategies.h"
#include "harness/apiserver/types/list_types.h"

namespace fixpoint::runner {

namespace {

using apiserver::Field;
using apiserver::ListKey;
using apiserver::Many;
using apiserver::Shape;
using apiserver::Type;
using document::Name;
using document::Value;

bool is_same_key(const ListKey& key, const Value& a, const Value& b) {
  if (key.members[0].empty()) return a == b;
  return !a[Name(key.members[0])].is_null() &&
         std::all_of(std::begin(key.members), std::end(key.members),
                     [&](auto member) { return member.empty() || a[Name(member)] == b[Name(member)]; });
}

bool has_element(const Value& list, const ListKey& key, const Value& element) {
  const auto elements = list.elements();
  return std::any_of(elements.begin(), elements.end(),
                     [&](const Value& one) { return is_same_key(key, one, element); });
}

/// The old value of a new element.
const Value kNothing = Value::empty_object();

std::ptrdiff_t count(const Value& list, const Value& element) {
  const auto elements = list.elements();
  return std::count(elements.begin(), elements.end(), element);
}

class Mender {
 public:
  Mender(Mend how, std::vector<std::string>& places, const std::string& only)
      : how_(how), places_(places), only_(only) {}

  Value object(const Type& type, const Value& before, const Value& after, const std::string& path) {
    if (!before.is_object() || !after.is_object() || before.same(after)) return after;
    Value mended = after;
    if (how_ == Mend::keep_fields) restore_members(before, mended, path);
    for (const Field& field : type.fields) {
      const Value &old = before[field.name], &now = after[field.name];
      const std::string at =
          path.empty() ? std::string(field.name.text) : path + "." + std::string(field.name.text);
      if (old == now) continue;
      Value better = one(field, old, now, at);
      if (!(better == now)) mended.set(field.name, std::move(better));
    }
    return mended;
  }

  const Value* whole_before = nullptr;

 private:
  Value one(const Field& field, const Value& old, const Value& now, const std::string& path) {
    if (field.many == Many::map) return how_ == Mend::merge ? merged_map(old, now, path) : now;
    if (field.many == Many::list) return list(field, old, now, path);
    if (field.type == nullptr || field.shape != Shape::object) return now;
    return object(*field.type, old, now, path);
  }

  bool takes(const std::string& place) {
    if (!only_.empty() && place != only_) return false;
    if (std::find(places_.begin(), places_.end(), place) == places_.end()) places_.push_back(place);
    return true;
  }

  void restore_members(const Value& before, Value& after, const std::string& path) {
    for (const auto& member : before.members())
      if (after.find(member.key.name()) == nullptr && takes(path + "." + std::string(member.key.text())))
        after.set(member.key.name(), member.value);
  }

  Value merged_map(const Value& old, const Value& now, const std::string& path) {
    Value merged = now.is_null() ? Value::empty_object() : now;
    for (const auto& entry : old.members())
      if (merged.find(entry.key.name()) == nullptr && takes(path)) merged.set(entry.key.name(), entry.value);
    return merged;
  }

  static std::string text_of(const ListKey& key, const Value& element) {
    return std::string(key.members[0].empty() ? element.text() : element[Name(key.members[0])].text());
  }

  Value list(const Field& field, const Value& old, const Value& now, const std::string& path) {
    if (field.keys.empty()) return now;
    Value elements = Value::empty_list();
    for (const Value& element : now.elements()) {
      const ListKey& key = field.keys.front();
      const Value* there = nullptr;
      for (const Value& one : old.elements())
        if (is_same_key(key, one, element)) there = &one;
      const std::string at = path + "[" + (there == nullptr ? text_of(key, element) : "*") + "]";
      const Value& from = there == nullptr ? kNothing : *there;
      elements.push_back(field.type == nullptr ? element : object(*field.type, from, element, at));
    }
    if (how_ == Mend::add_if_absent) return without_added(field, old, elements, path);
    if (how_ == Mend::merge) return with_lost(field.keys.front(), old, elements, path);
    if (how_ == Mend::keep_order) return in_old_order(field.keys.front(), old, elements, path);
    return elements;
  }

  /// Returns the list without added elements whose keys are taken; of a new key it keeps the first.
  Value without_added(const Field& field, const Value& old, const Value& now, const std::string& path) {
    Value kept = Value::empty_list();
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Value& element = now.at(i);
      const bool was_there = count(old, element) > count(kept, element);
      const bool is_taken = std::any_of(field.keys.begin(), field.keys.end(), [&](const ListKey& key) {
        return is_taken_by_another(key, field, old, kept, now, i);
      });
      if (!was_there && is_taken && takes(path + "[" + text_of(field.keys.front(), element) + "]")) continue;
      kept.push_back(element);
    }
    return kept;
  }
  bool is_taken_by_another(const ListKey& key, const Field& field, const Value& old, const Value& kept,
                           const Value& now, std::size_t index) const {
    const Value& element = now.at(index);
    if (has_element(kept, key, element)) return true;
    for (std::size_t i = index + 1; i < now.size(); ++i) {
      const bool is_users = is_same_key(key, now.at(i), element) && has_element(old, key, now.at(i));
      const auto before = old.elements();
      if (is_users && std::find(before.begin(), before.end(), now.at(i)) != before.end()) return true;
    }
    return is_in_other_list(key, field, element);
  }
  /// Returns true if another list of containers has that name, since all of them share their names.
  bool is_in_other_list(const ListKey& key, const Field& field, const Value& element) const {
    constexpr std::string_view kSpec = "spec.";
    std::string_view with = key.with;
    while (!with.empty()) {
      const std::string_view path = with.substr(0, with.find(' '));
      with.remove_prefix(std::min(with.size(), path.size() + 1));
      const std::string_view name = path.substr(kSpec.size());
      if (name != field.name.text && has_element((*whole_before)["spec"][Name(name)], key, element))
        return true;
    }
    return false;
  }

  Value with_lost(const ListKey& key, const Value& old, Value now, const std::string& path) {
    for (const Value& element : old.elements())
      if (!has_element(now, key, element) && takes(path)) now.push_back(element);
    return now;
  }

  Value in_old_order(const ListKey& key, const Value& old, const Value& now, const std::string& path) {
    Value ordered = Value::empty_list();
    for (const Value& element : old.elements())
      for (const Value& one : now.elements())
        if (is_same_key(key, one, element) && !has_element(ordered, key, one)) ordered.push_back(one);
    for (const Value& one : now.elements())
      if (!has_element(ordered, key, one)) ordered.push_back(one);
    return ordered.size() == now.size() && !(ordered == now) && takes(path) ? ordered : now;
  }

  Mend how_;
  std::vector<std::string>& places_;
  const std::string& only_;
};

}  // namespace

Value mended(Mend how, const Value& before, const Value& after, std::vector<std::string>& places,
             const std::string& only) {
  if (how == Mend::nothing) return after;
  Mender mender(how, places, only);
  mender.whole_before = &before;
  // Of an object of a kind without a table, the metadata have one.
  const Type* type = apiserver::table_of(before);
  return mender.object(type == nullptr ? apiserver::kAnyObject : *type, before, after, "");
}

}  // namespace fixpoint::runner
