#include "harness/properties/leaves.h"

#include <algorithm>

#include "harness/apiserver/types/decode.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/document/json.h"
#include "harness/properties/references.h"

namespace fixpoint::properties {

namespace {

using apiserver::Field;
using apiserver::ListKey;
using apiserver::Many;
using apiserver::Type;

/// What tells an element of the list from its siblings: its key, itself in a set, else its place.
std::string key_of(const Field& field, const Value& element, std::size_t index) {
  if (field.keys.empty() || field.name.text == "envFrom") return std::to_string(index);
  const ListKey& key = field.keys.front();
  if (key.members[0].empty()) return document::write_json(element);
  std::string text(element[key.members[0]].text());
  if (!key.members[1].empty()) text.append("/").append(element[key.members[1]].text());
  return text;
}

/// Goes through a Pod by its types; tells every leaf to `visit(keyed path, value, mark)`, and every place
/// with indices when those are wanted.
template <class Visit>
class Walk {
 public:
  Walk(Visit& visit, bool with_places) : visit_(visit), with_places_(with_places) {}

  /// Without what is equal in `other`, which stands at the same place of another Pod.
  void object(const Type* type, const Value& value, const Value& other) {
    if (value.empty()) return leaf(value);
    std::size_t next = 0;
    for (const auto& member : value.members()) {
      const Field* field =
          type == nullptr ? nullptr
                          : apiserver::find_field(*type, member.key.name(), apiserver::kNewestMinor, next);
      if (field != nullptr) next = static_cast<std::size_t>(field - type->fields.data()) + 1;
      const Value& counterpart = other[member.key.name()];
      if (member.value == counterpart) continue;
      const auto back = step(".", member.key.text(), member.key.text());
      any(field, member.value, counterpart);
      leave(back);
    }
  }
  void skip_into(const char* name, const Type& type, const Value& value, const Value& other) {
    const auto back = step(".", name, name);
    object(&type, value, other);
    leave(back);
  }

 private:
  struct Back {
    std::size_t path, place;
  };
  Back step(const char* sign, std::string_view key, std::string_view place) {
    const Back back{path_.size(), place_.size()};
    append(path_, sign, key);
    if (with_places_) append(place_, sign, place);
    return back;
  }
  static void append(std::string& path, const char* sign, std::string_view key) {
    if (*sign == '[') {
      path.append("[").append(key).append("]");
    } else if (key.find_first_of(".[]/") != std::string_view::npos) {
      path.append("[").append(key).append("]");
    } else {
      path.append(path.empty() ? "" : ".").append(key);
    }
  }
  void leave(const Back& back) { path_.resize(back.path), place_.resize(back.place); }
  void leaf(const Value& value, std::string_view mark = {}) { visit_(path_, place_, value, mark); }

  void any(const Field* field, const Value& value, const Value& other) {
    if (value.is_null()) return;
    if (value.is_array()) return list(field, value, other);
    if (value.is_object()) {
      const bool is_map = field != nullptr && field->many == Many::map;
      if (is_map && value.empty()) return;
      return object(field == nullptr || is_map ? nullptr : field->type, value, other);
    }
    leaf(value);
  }

  /// The keys of a list's elements, each with the number of those before it that have the same.
  struct Keyed {
    std::string key;
    std::size_t before;
  };
  static std::vector<Keyed> keys_of(const Field* field, const Value& list) {
    std::vector<Keyed> keys;
    keys.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      std::string key = field == nullptr ? std::to_string(i) : key_of(*field, list.at(i), i);
      const auto before = static_cast<std::size_t>(
          std::count_if(keys.begin(), keys.end(), [&](const Keyed& one) { return one.key == key; }));
      keys.push_back({std::move(key), before});
    }
    return keys;
  }
  /// The element under the same key, most often at the same place; null when there is none.
  static const Value& counterpart_of(const Keyed& wanted, std::size_t place, const std::vector<Keyed>& keys,
                                     const Value& list) {
    const auto is_it = [&](const Keyed& one) { return one.before == wanted.before && one.key == wanted.key; };
    if (place < keys.size() && is_it(keys[place])) return list.at(place);
    const auto found = std::find_if(keys.begin(), keys.end(), is_it);
    return list.at(static_cast<std::size_t>(found - keys.begin()));
  }

  void list(const Field* field, const Value& value, const Value& other) {
    const bool is_env = field != nullptr && field->name.text == "env";
    const auto keys = keys_of(field, value), others = keys_of(field, other);
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Value& element = value.at(i);
      const Value& counterpart = counterpart_of(keys[i], i, others, other);
      if (!is_env && element == counterpart) continue;
      std::string key = keys[i].key;
      if (keys[i].before > 0) key.append("#").append(std::to_string(keys[i].before + 1));
      const auto back = step("[", key, with_places_ ? std::to_string(i) : "");
      if (is_env) {
        env(value, i);
      } else if (element.is_object()) {
        object(field == nullptr ? nullptr : field->type, element, counterpart);
      } else {
        leaf(element);
      }
      leave(back);
    }
  }

  /// The value of an entry means what the references in it resolve to.
  void env(const Value& list, std::size_t index) {
    for (const auto& member : list.at(index).members()) {
      const auto back = step(".", member.key.text(), member.key.text());
      if (member.value.is_string()) {
        leaf(member.value, resolved_references(list, index));
      } else {
        any(nullptr, member.value, Value());
      }
      leave(back);
    }
  }

  Visit& visit_;
  bool with_places_;
  std::string path_, place_;
};

Value metadata_of(const Value& pod) {
  Value metadata = pod["metadata"];
  if (metadata.find("managedFields") != nullptr) metadata.remove("managedFields");
  return metadata;
}

template <class Visit>
void walk(const Value& pod, const Value& other, bool with_places, Visit visit) {
  static const Field& metadata = *apiserver::find_field(apiserver::kPod, "metadata", apiserver::kNewestMinor);
  Walk<Visit> walk(visit, with_places);
  walk.skip_into("metadata", *metadata.type, metadata_of(pod), metadata_of(other));
  walk.skip_into("spec", apiserver::kPodSpec, pod["spec"], other["spec"]);
}

std::vector<Leaf> leaves_but_shared(const Value& pod, const Value& other) {
  std::vector<Leaf> leaves;
  leaves.reserve(128);
  walk(pod, other, false,
       [&](const std::string& path, const std::string&, const Value& value, std::string_view mark) {
         leaves.push_back({path, value, std::string(mark)});
       });
  std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) { return a.path < b.path; });
  return leaves;
}

}  // namespace

std::string Leaf::text() const { return document::write_json(value).append(mark); }

std::vector<Leaf> leaves_of(const Value& pod) { return leaves_but_shared(pod, {}); }

Differing differing(const Value& before, const Value& after) {
  return {leaves_but_shared(before, after), leaves_but_shared(after, before)};
}

std::vector<Leaf> added(const Value& before, const Value& after) {
  if (before.same(after)) return {};
  const auto [old, now] = differing(before, after);
  return added(old, now);
}

std::vector<Leaf> added(const std::vector<Leaf>& before, const std::vector<Leaf>& after) {
  std::vector<Leaf> fresh;
  auto old = before.begin();
  for (const Leaf& leaf : after) {
    while (old != before.end() && old->path < leaf.path) ++old;
    if (old == before.end() || !(*old == leaf)) fresh.push_back(leaf);
  }
  return fresh;
}

const Leaf* find(const std::vector<Leaf>& leaves, std::string_view path) {
  const auto found = std::lower_bound(leaves.begin(), leaves.end(), path,
                                      [](const Leaf& leaf, std::string_view at) { return leaf.path < at; });
  return found != leaves.end() && found->path == path ? &*found : nullptr;
}

bool agrees(const Differing& two, const Leaf& leaf) {
  if (find(two.before, leaf.path) == nullptr) return true;
  const Leaf* there = find(two.after, leaf.path);
  return there != nullptr && *there == leaf;
}

std::string first_difference(const std::vector<Leaf>& a, const std::vector<Leaf>& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i >= a.size()) return b[i].path;
    if (i >= b.size()) return a[i].path;
    if (!(a[i] == b[i])) return std::min(a[i].path, b[i].path);
  }
  return "";
}

std::string locate(const Value& pod, std::string_view wanted) {
  std::string found;
  walk(pod, {}, true, [&](const std::string& path, const std::string& place, const Value&, std::string_view) {
    if (path == wanted) found = place;
  });
  return found;
}

std::string_view element_of(std::string_view path) {
  const auto end = path.rfind("].");
  return end == std::string_view::npos ? path : path.substr(0, end + 1);
}

}  // namespace fixpoint::properties
