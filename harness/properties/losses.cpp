#include "harness/properties/losses.h"

#include <algorithm>
#include <array>
#include <set>

#include "harness/apiserver/registry/strategies.h"
#include "harness/document/named.h"
#include "harness/properties/counterparts.h"
#include "harness/properties/untyped.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::Field;
using apiserver::Many;
using apiserver::Type;

/// A place, and its path as a user writes it.
struct At {
  std::string path = {};
  Place place = {};
  At member(std::string_view name) const { return {member_path(path, name), place.member(name)}; }
  At element(const Field& field, const Value& list, std::size_t index) const {
    return {element_path(path, index), place.element(field, list, index)};
  }
  At index(std::size_t index) const { return {element_path(path, index), place.element_at(index)}; }
};

class Comparison {
 public:
  std::vector<Loss> losses;

  /// Compares the members of an object whose fields have no table.
  void untyped(const Value& before, const Value& after, const At& at) {
    for (const auto& member : before.members()) {
      if (member.value.is_null()) continue;
      const At here = at.member(member.key.text());
      const Value* now = after.find(member.key.name());
      if (now == nullptr || now->is_null())
        lose(untyped_value(), here);
      else
        untyped_value_at(member.value, *now, here);
    }
  }

  void object(const Type& type, const Value& before, const Value& after, const At& at) {
    if (before.same(after)) return;
    for (const Field& field : type.fields) {
      const Value* old = before.find(field.name);
      if (old == nullptr || old->is_null()) continue;
      const At here = at.member(field.name.text);
      const Value* now = after.find(field.name);
      if (now == nullptr || now->is_null()) {
        if (!(old->empty() && (old->is_array() || old->is_object()))) lose(field, here);
      } else {
        member(field, *old, *now, here);
      }
    }
  }

 private:
  void lose(const Field& field, const At& at) {
    losses.push_back(
        {.path = at.path, .place = at.place, .field = &field, .reason = "is gone", .is_gone = true});
  }
  void change(const Field& field, const At& at, const Value& now) {
    losses.push_back(
        {.path = at.path, .place = at.place, .field = &field, .reason = "has another value", .now = now});
  }

  void untyped_value_at(const Value& old, const Value& now, const At& at) {
    if (old.same(now) || old == now) return;
    if (old.is_object() && now.is_object()) return untyped(old, now, at);
    if (!old.is_array() || !now.is_array()) return change(untyped_value(), at, now);
    if (!has_named_elements(old) || !has_named_elements(now)) return unnamed(old, now, at);
    for (std::size_t i = 0; i < old.size(); ++i) {
      const At here = at.element(named_elements(), old, i);
      const auto all = now.elements();
      const auto found =
          std::ranges::find_if(all, [&](const Value& one) { return one["name"] == old.at(i)["name"]; });
      if (found == all.end())
        lose(named_elements(), here);
      else
        untyped(old.at(i), *found, here);
    }
  }

  /// Elements of which some have no name: equal ones are the same, at the same index before any other; then
  /// those that are most alike, and at the same index.
  void unnamed(const Value& old, const Value& now, const At& at) {
    std::set<std::size_t> taken;
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (i < now.size() && old.at(i) == now.at(i))
        taken.insert(i);
      else
        left.push_back(i);
    }
    std::erase_if(left, [&](std::size_t i) {
      for (std::size_t j = 0; j < now.size(); ++j)
        if (old.at(i) == now.at(j) && taken.insert(j).second) return true;
      return false;
    });
    for (const std::size_t i : left) {
      const std::size_t j = most_alike(old.at(i), i, now, taken);
      if (j == now.size()) {
        lose(untyped_value(), at.element(untyped_value(), old, i));
      } else {
        taken.insert(j);
        untyped_value_at(old.at(i), now.at(j), at.index(i));
      }
    }
  }

  /// Returns the index of the element that is likeliest the one which stood at `index`; the size if none is.
  static std::size_t most_alike(const Value& element, std::size_t index, const Value& now,
                                const std::set<std::size_t>& taken) {
    std::size_t found = now.size(), most = 0;
    const std::string_view name = element["name"].text();
    for (std::size_t j = 0; j < now.size(); ++j) {
      const std::string_view other = now.at(j)["name"].text();
      if (taken.contains(j) || (!name.empty() && !other.empty() && name != other)) continue;
      const std::size_t alike = 2 * likeness(element, now.at(j)) + (j == index ? 1 : 0);
      if (alike > most) most = alike, found = j;
    }
    return found;
  }

  void member(const Field& field, const Value& old, const Value& now, const At& at) {
    if (old.same(now) || old == now) return;
    if (field.many == Many::map) return map(field, old, now, at);
    if (field.many == Many::list) return list(field, old, now, at);
    if (field.type != nullptr) return object(*field.type, old, now, at);
    change(field, at, now);
  }

  void map(const Field& field, const Value& old, const Value& now, const At& at) {
    for (const auto& entry : old.members()) {
      const Value* found = now.find(entry.key.name());
      const At here = at.member(entry.key.text());
      if (found == nullptr) {
        lose(field, here);
      } else if (!(*found == entry.value)) {
        change(field, here, *found);
      }
    }
  }

  void element(const Field& field, const Value& old, const Value& now, const At& at) {
    const std::size_t before = losses.size();
    object(*field.type, old, now, at);
    for (std::size_t i = before; i < losses.size(); ++i) {
      for (const std::string_view key : field.keys[0].members)
        losses[i].is_identity =
            losses[i].is_identity || (!key.empty() && losses[i].path == member_path(at.path, key));
    }
  }

  /// The terms of a node selector are alternatives. One with more requirements than the user's is his all the
  /// same; one more beside his lets the Pod where none of his does.
  void terms(const Field& field, const Value& old, const Value& now, const At& at) {
    std::set<std::size_t> taken;
    const auto take = [&](const Value& term, bool is_exact) {
      for (std::size_t j = 0; j < now.size(); ++j) {
        if (taken.contains(j) || !(is_exact ? term == now.at(j) : narrows(field, term, now.at(j)))) continue;
        return taken.insert(j).second;
      }
      return false;
    };
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (!take(old.at(i), true)) left.push_back(i);
    }
    std::size_t narrowed = 0;
    for (const std::size_t i : left) {
      if (take(old.at(i), false))
        ++narrowed;
      else
        lose(field, at.element(field, old, i));
    }
    if (narrowed > 0 && left.size() < old.size())
      losses.push_back({.path = at.path, .place = at.place, .field = &field, .is_partial = true});
    if (!old.empty() && taken.size() < now.size()) {
      losses.push_back({.path = at.path,
                        .place = at.place,
                        .field = &field,
                        .reason = "no longer binds: the terms are alternatives, and there is another one",
                        .is_gone = true,
                        .is_widened = true});
    }
  }
  static bool narrows(const Field& field, const Value& term, const Value& by) {
    Comparison comparison;
    comparison.object(*field.type, term, by, {});
    return comparison.losses.empty();
  }

  void list(const Field& field, const Value& old, const Value& now, const At& at) {
    if (field.name == document::Name("nodeSelectorTerms")) return terms(field, old, now, at);
    const std::string_view key = field.keys.empty() ? std::string_view() : field.keys[0].members[0];
    const auto have_one_key = [&](const Value& a, const Value& b) {
      return key.empty() ? a == b : a[key] == b[key];
    };
    const auto there = counterparts(old, now, have_one_key);
    for (std::size_t i = 0; i < old.size(); ++i) {
      const At here = at.element(field, old, i);
      if (there[i] == now.size()) {
        lose(field, here);
      } else if (!key.empty() && field.type != nullptr) {
        element(field, old.at(i), now.at(there[i]), here);
      }
    }
  }
};

/// The Pod after a call with the containers that the call moved to the other list back in theirs.
struct MovedBack {
  Value after = {};
  std::vector<std::string> paths = {};  ///< where they stood before the call: spec.containers[1]
};

/// A webhook may make a native sidecar of a user's container that has its own's name, and merge the two: the
/// container is kept. What the webhook sets in it has other values then.
MovedBack with_moved_back(const Value& before, const Value& after) {
  MovedBack moved{.after = after};
  constexpr std::array<const char*, 2> kContainers{"containers", "initContainers"};
  for (std::size_t of = 0; of < kContainers.size(); ++of) {
    const document::Name list(kContainers[of]), other(kContainers[1 - of]);
    const Value &olds = before["spec"][list], &nows = after["spec"][other];
    for (std::size_t i = 0; i < olds.size(); ++i) {
      const std::string_view name = olds.at(i)["name"].text();
      if (has_named(after["spec"][list], name) || has_named(before["spec"][other], name)) continue;
      const auto there =
          std::ranges::find_if(nows.elements(), [&](const Value& one) { return one["name"].text() == name; });
      if (there == nows.elements().end()) continue;
      moved.after.edit("spec").edit(list).push_back(*there);
      moved.paths.push_back(element_path("spec." + std::string(list.text), i));
    }
  }
  return moved;
}

}  // namespace

std::vector<Loss> losses_between(const Value& before, const Value& after) {
  Comparison comparison;
  const MovedBack moved = with_moved_back(before, after);
  if (const apiserver::Type* type = apiserver::table_of(before)) {
    comparison.object(*type, before, moved.after, {});
  } else {
    Value old = before;
    for (const char* own : {"apiVersion", "kind", "status"}) old.remove(own);
    comparison.untyped(old, after, {});
  }
  std::erase_if(comparison.losses, [&](const Loss& loss) {
    const bool is_merged = !loss.is_gone && std::ranges::any_of(moved.paths, [&](const std::string& path) {
      return loss.path.starts_with(path);
    });
    return is_merged || loss.path.starts_with("metadata.managedFields");
  });
  return std::move(comparison.losses);
}

}  // namespace fixpoint::properties
