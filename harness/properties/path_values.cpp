#include "harness/properties/path_values.h"

#include <algorithm>

#include "harness/apiserver/registry/strategies.h"
#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/document/cut.h"
#include "harness/document/json.h"
#include "harness/properties/references.h"
#include "harness/properties/untyped.h"

namespace fixpoint::properties {

namespace {

using apiserver::Field;
using apiserver::ListKey;
using apiserver::Many;
using apiserver::Type;

/// The identity of an element in its list: its key (the element itself in a set, else its index), and the
/// number of elements before it with the same key.
struct Keyed {
  std::string key;
  std::size_t before = 0;
  bool operator==(const Keyed&) const = default;
  std::string numbered() const { return key + "#" + std::to_string(before + 1); }
};

std::string key_of(const Field* field, const Value& element, std::size_t index) {
  if (field == nullptr || field->keys.empty() || field->name.text == "envFrom") return std::to_string(index);
  const ListKey& key = field->keys.front();
  if (key.members[0].empty()) return document::write_json(element);
  std::string text(element[key.members[0]].text());
  if (!key.members[1].empty()) text.append("/").append(element[key.members[1]].text());
  return text;
}

std::vector<Keyed> keys_of(const Field* field, const Value& list) {
  std::vector<Keyed> keys;
  keys.reserve(list.size());
  if (field == nullptr && has_named_elements(list)) field = &named_elements();
  for (std::size_t i = 0; i < list.size(); ++i) {
    document::heed_end_in_loop();
    Keyed keyed{key_of(field, list.at(i), i)};
    keyed.before = static_cast<std::size_t>(
        std::count_if(keys.begin(), keys.end(), [&](const Keyed& one) { return one.key == keyed.key; }));
    keys.push_back(std::move(keyed));
  }
  return keys;
}

/// Returns the index of the element with that key, usually the given one; the number of keys if there is
/// none.
std::size_t place_of(const Keyed& wanted, std::size_t place, const std::vector<Keyed>& keys) {
  if (place < keys.size() && keys[place] == wanted) return place;
  return static_cast<std::size_t>(std::find(keys.begin(), keys.end(), wanted) - keys.begin());
}

/// Returns the value with that member's name, usually at the same index, or nullptr.
const Value* counterpart_of(const document::Member& member, std::size_t place, const Value& other) {
  const auto members = other.members();
  if (place < members.size() && members[place].key == member.key) return &members[place].value;
  return other.find(member.key.name());
}

const Type* type_of(const Field* field) {
  return field == nullptr || field->many == Many::map ? nullptr : field->type;
}
bool is_map(const Field* field) { return field != nullptr && field->many == Many::map; }

/// Which of two Pods.
constexpr int kFirst = 0, kSecond = 1;

/// Walks two Pods by their types and passes the values in which they may differ to `visit(which of the two,
/// keyed path, place with indices, value, mark)`; or walks one Pod and passes all of its values.
template <class Visit>
class Walk {
 public:
  Walk(Visit& visit, bool with_places) : visit_(visit), with_places_(with_places) {}

  void skip_into(const char* name, const Type& type, const Value& a, const Value& b) {
    if (a == b) return;
    const auto back = step(".", name, name);
    objects(&type, a, b);
    leave(back);
  }
  void skip_into(const char* name, const Type& type, const Value& value) {
    const auto back = step(".", name, name);
    object(kFirst, &type, value);
    leave(back);
  }
  /// The same for the content of an object whose fields have no table.
  void skip_into_untyped(const Value& a, const Value& b) {
    if (!(a == b)) objects(nullptr, a, b);
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
  Back step(const document::Member& member) { return step(".", member.key.text(), member.key.text()); }
  Back step(const Keyed& keyed, std::size_t index) {
    const std::string place = with_places_ ? std::to_string(index) : "";
    return keyed.before == 0 ? step("[", keyed.key, place) : step("[", keyed.numbered(), place);
  }
  static void append(std::string& path, const char* sign, std::string_view key) {
    if (*sign == '[' || std::any_of(key.begin(), key.end(), separates)) {
      path.append("[").append(key).append("]");
    } else {
      path.append(path.empty() ? "" : ".").append(key);
    }
  }
  static bool separates(char c) { return c == '.' || c == '[' || c == ']' || c == '/'; }
  void leave(const Back& back) { path_.resize(back.path), place_.resize(back.place); }
  void path_value(int which, const Value& value, std::string_view mark = {}) {
    visit_(which, path_, place_, value, mark);
  }

  /// Both Pods have a value there, and the values differ.
  void both(const Field* field, const Value& a, const Value& b) {
    if (a.is_array() && b.is_array()) return lists(field, a, b);
    if (a.is_object() && b.is_object() && !(is_map(field) && (a.empty() || b.empty())))
      return objects(type_of(field), a, b);
    one(kFirst, field, a);
    one(kSecond, field, b);
  }
  void one(int which, const Field* field, const Value& value) {
    if (value.is_null()) return;
    if (value.is_array()) return list(which, field, value);
    if (!value.is_object()) return path_value(which, value);
    if (!is_map(field) || !value.empty()) object(which, type_of(field), value);
  }

  static const Field* field_of(const Type* type, const document::Member& member) {
    return type == nullptr ? nullptr
                           : apiserver::search_field(*type, member.key.name(), apiserver::kNewestMinor);
  }
  void object(int which, const Type* type, const Value& value) {
    if (value.empty()) return path_value(which, value);
    for (const auto& member : value.members()) {
      const auto back = step(member);
      one(which, field_of(type, member), member.value);
      leave(back);
    }
  }
  void objects(const Type* type, const Value& a, const Value& b) {
    if (a.empty()) path_value(kFirst, a);
    if (b.empty()) path_value(kSecond, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const document::Member& member = a.members()[i];
      const Value* other = counterpart_of(member, i, b);
      if (other != nullptr && member.value == *other) continue;
      const auto back = step(member);
      both(field_of(type, member), member.value, other == nullptr ? Value() : *other);
      leave(back);
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      const document::Member& member = b.members()[i];
      if (counterpart_of(member, i, a) != nullptr) continue;
      const auto back = step(member);
      one(kSecond, field_of(type, member), member.value);
      leave(back);
    }
  }

  static bool is_env(const Field* field) { return field != nullptr && field->name.text == "env"; }
  void element(int which, const Field* field, const Value& list, std::size_t index) {
    const Value& value = list.at(index);
    if (is_env(field)) return env(which, list, index);
    if (value.is_object()) return object(which, type_of(field), value);
    path_value(which, value);
  }
  void list(int which, const Field* field, const Value& value) {
    const auto keys = keys_of(field, value);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto back = step(keys[i], i);
      element(which, field, value, i);
      leave(back);
    }
  }
  void lists(const Field* field, const Value& a, const Value& b) {
    const auto keys = keys_of(field, a), others = keys_of(field, b);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::size_t j = place_of(keys[i], i, others);
      const Value &value = a.at(i), &other = b.at(j);
      if (value == other && !(is_env(field) && has_references(value))) continue;
      const auto back = step(keys[i], i);
      if (!is_env(field) && value.is_object() && other.is_object()) {
        objects(type_of(field), value, other);
      } else {
        element(kFirst, field, a, i);
        if (j < b.size()) element(kSecond, field, b, j);
      }
      leave(back);
    }
    for (std::size_t j = 0; j < others.size(); ++j) {
      if (place_of(others[j], j, keys) < keys.size()) continue;
      const auto back = step(others[j], j);
      element(kSecond, field, b, j);
      leave(back);
    }
  }

  /// The value of an env entry means whatever its references resolve to.
  static bool has_references(const Value& entry) {
    return entry["value"].text().find("$(") != std::string_view::npos;
  }
  void env(int which, const Value& list, std::size_t index) {
    const std::string mark = resolved_references(list, index);
    for (const auto& member : list.at(index).members()) {
      const auto back = step(member);
      if (member.value.is_string()) {
        path_value(which, member.value, mark);
      } else {
        one(which, nullptr, member.value);
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

const Type& metadata_type() {
  static const Field& metadata = *apiserver::find_field(apiserver::kPod, "metadata", apiserver::kNewestMinor);
  return *metadata.type;
}

/// The content of an object of another kind than Pod: all but its identity and its status, which the server
/// keeps.
Value content_of(const Value& object) {
  Value content = object;
  for (const char* member : {"apiVersion", "kind", "metadata", "status"}) content.remove(member);
  return content;
}

/// The table of the spec of an object; nullptr if there is none: a ConfigMap has no spec.
const Type* spec_type_of(const Value& object) {
  const Type* type = apiserver::table_of(object);
  const auto* spec =
      type == nullptr ? nullptr : apiserver::find_field(*type, "spec", apiserver::kNewestMinor);
  return spec == nullptr ? nullptr : spec->type;
}

template <class Visit>
void walk(const Value& object, bool with_places, Visit visit) {
  Walk<Visit> walk(visit, with_places);
  walk.skip_into("metadata", metadata_type(), metadata_of(object));
  if (const Type* spec = spec_type_of(object)) return walk.skip_into("spec", *spec, object["spec"]);
  walk.skip_into_untyped(content_of(object), Value::empty_object());
}

/// Returns true if the metadata are equal as a whole, including the fields that path_values_of leaves out.
bool is_same_metadata(const Value& a, const Value& b) { return a["metadata"].same(b["metadata"]); }

void sort(std::vector<PathValue>& path_values) {
  std::sort(path_values.begin(), path_values.end(),
            [](const PathValue& a, const PathValue& b) { return a.path < b.path; });
}

}  // namespace

std::string PathValue::text() const { return document::write_json(value).append(mark); }

std::vector<PathValue> path_values_of(const Value& pod) {
  std::vector<PathValue> path_values;
  path_values.reserve(128);
  walk(pod, false,
       [&](int, const std::string& path, const std::string&, const Value& value, std::string_view mark) {
         path_values.push_back({path, value, std::string(mark)});
       });
  sort(path_values);
  return path_values;
}

Differing differing(const Value& before, const Value& after) {
  Differing two;
  const auto visit = [&](int which, const std::string& path, const std::string&, const Value& value,
                         std::string_view mark) {
    (which == kFirst ? two.before : two.after).push_back({path, value, std::string(mark)});
  };
  Walk walk(visit, false);
  if (!is_same_metadata(before, after))
    walk.skip_into("metadata", metadata_type(), metadata_of(before), metadata_of(after));
  if (const Type* spec = spec_type_of(before))
    walk.skip_into("spec", *spec, before["spec"], after["spec"]);
  else
    walk.skip_into_untyped(content_of(before), content_of(after));
  sort(two.before);
  sort(two.after);
  return two;
}

std::vector<PathValue> added(const Value& before, const Value& after) {
  if (before.same(after)) return {};
  const auto [old, now] = differing(before, after);
  return added(old, now);
}

std::vector<PathValue> added(const std::vector<PathValue>& before, const std::vector<PathValue>& after) {
  std::vector<PathValue> fresh;
  auto old = before.begin();
  for (const PathValue& path_value : after) {
    while (old != before.end() && old->path < path_value.path) ++old;
    if (old == before.end() || !(*old == path_value)) fresh.push_back(path_value);
  }
  return fresh;
}

namespace {

std::vector<std::string_view> sorted_words(std::string_view text) {
  constexpr std::string_view kBetween = " ,;:|\n\"[]{}";
  std::vector<std::string_view> words;
  for (auto begin = text.find_first_not_of(kBetween); begin != std::string_view::npos;) {
    const auto end = std::min(text.find_first_of(kBetween, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kBetween, end);
  }
  std::sort(words.begin(), words.end());
  return words;
}

bool is_reordered(const PathValue& a, const PathValue& b) {
  if (!a.value.is_string() || !b.value.is_string() || a == b) return false;
  const auto words = sorted_words(a.value.text());
  // A container without a name, which no server takes, leaves ",a" of a list, or "a,".
  const bool is_list =
      words.size() > 1 || (words.size() == 1 && a.value.text().size() == b.value.text().size());
  return is_list && words == sorted_words(b.value.text());
}

}  // namespace

void leave_out_what_follows_order(Differing& two) {
  const auto is_of_kubectl = [](const PathValue& one) {
    return one.path.starts_with("metadata.annotations") &&
           one.path.find("kubectl.kubernetes.io/default-") != std::string::npos;
  };
  std::erase_if(two.before, is_of_kubectl);
  std::erase_if(two.after, is_of_kubectl);
  for (std::size_t i = two.before.size(); i-- > 0;) {
    const PathValue* other = find(two.after, two.before[i].path);
    if (other == nullptr || !is_reordered(two.before[i], *other)) continue;
    two.after.erase(two.after.begin() + (other - two.after.data()));
    two.before.erase(two.before.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

const PathValue* find(const std::vector<PathValue>& path_values, std::string_view path) {
  const auto found =
      std::lower_bound(path_values.begin(), path_values.end(), path,
                       [](const PathValue& path_value, std::string_view at) { return path_value.path < at; });
  return found != path_values.end() && found->path == path ? &*found : nullptr;
}

bool agrees(const Differing& two, const PathValue& path_value) {
  if (find(two.before, path_value.path) == nullptr) return true;
  const PathValue* there = find(two.after, path_value.path);
  return there != nullptr && *there == path_value;
}

std::string first_difference(const std::vector<PathValue>& a, const std::vector<PathValue>& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i >= a.size()) return b[i].path;
    if (i >= b.size()) return a[i].path;
    if (!(a[i] == b[i])) return std::min(a[i].path, b[i].path);
  }
  return "";
}

std::string first_loss(const Differing& two) {
  for (const PathValue& path_value : two.before)
    if (find(two.after, path_value.path) == nullptr) return {};
  for (const PathValue& path_value : two.after)
    if (find(two.before, path_value.path) == nullptr) return path_value.path;
  return {};
}

std::string locate(const Value& pod, std::string_view wanted) {
  std::string found;
  walk(pod, true,
       [&](int, const std::string& path, const std::string& place, const Value&, std::string_view) {
         if (path == wanted) found = place;
       });
  return found;
}

std::string_view element_of(std::string_view path) {
  const auto end = path.rfind("].");
  return end == std::string_view::npos ? path : path.substr(0, end + 1);
}

}  // namespace fixpoint::properties
