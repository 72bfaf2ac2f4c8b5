#include "harness/apiserver/types/repeated_keys.h"

#include <algorithm>
#include <functional>

#include "harness/apiserver/types/facts.h"
#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {

namespace {

using document::Value;

/// The position of a walk: a member of the object above, and the element of it that the walk has entered.
struct Frame {
  const Frame* above = nullptr;
  const Field* field = nullptr;
  const Value* element = nullptr;  ///< nullptr at a member that is no list
  std::size_t index = 0;
};

void append_path(std::string& out, const Frame* frame, bool by_name) {
  if (frame == nullptr) return;
  append_path(out, frame->above, by_name);
  if (!out.empty()) out += '.';
  out += frame->field->name.text;
  if (frame->element == nullptr) return;
  if (by_name) {
    out.append("{").append((*frame->element)["name"].text()).append("}");
  } else {
    out.append("[").append(std::to_string(frame->index)).append("]");
  }
}

/// One keyed list in a Pod.
struct Keyed {
  const Frame* above;
  const Field& field;
  const ListKey& key;
  const Value& list;
};
using VisitKeyed = std::function<void(const Keyed&)>;

/// Returns true if objects of the type contain keyed lists at any depth. Most do not and are skipped.
bool holds_keys(const Type& type) {
  static const Facts<bool> kKeyed(kPod, [](const Field& field) { return !field.keys.empty(); });
  return kKeyed.of(type).value_or(true);
}

void walk_lists(const Type& type, const Value& object, const Frame* above, const VisitKeyed& visit) {
  std::size_t next = 0;
  for (const document::Member& member : object.members()) {
    const Field* known = find_field(type, member.key.name(), kNewestMinor, next);
    if (known == nullptr) continue;
    const Field& field = *known;
    next = static_cast<std::size_t>(known - type.fields.data()) + 1;
    if (field.many == Many::map || (field.type == nullptr && field.keys.empty())) continue;
    const Value& value = member.value;
    const bool goes_on = field.type != nullptr && holds_keys(*field.type);
    if (field.many == Many::one) {
      if (!goes_on) continue;
      const Frame here{.above = above, .field = &field};
      walk_lists(*field.type, value, &here, visit);
      continue;
    }
    for (const ListKey& key : field.keys) {
      if (key.duplicate != Duplicate::silent) visit({above, field, key, value});
    }
    if (!goes_on) continue;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Frame here{.above = above, .field = &field, .element = &value.at(i), .index = i};
      walk_lists(*field.type, value.at(i), &here, visit);
    }
  }
}

/// The key of an element as one text; empty if the element has no key and so cannot be a duplicate.
std::string identity_of(const Value& element, const ListKey& key) {
  if (key.members[0].empty()) return document::write_json(element);
  std::string identity;
  for (std::string_view member : key.members) {
    if (member.empty()) break;
    const std::string_view text = element[member].text();
    if (text.empty() && identity.empty()) return "";
    identity.append(identity.empty() ? "" : "/").append(text);
  }
  return identity;
}

std::string list_name(const Keyed& keyed) {
  if (!keyed.key.with.empty()) return std::string(keyed.key.with);
  std::string name;
  append_path(name, keyed.above, true);
  name.append(".").append(keyed.field.name.text).append(":").append(keyed.key.members[0]);
  return name;
}

/// All elements of a key's space with their places: one list, or the lists of containers together.
struct Place {
  std::string identity;
  std::string list;   ///< containers above by their name
  std::string space;  ///< of the key: containers above by their index, for two may have one name
  const Value* element;
  const Field* field;
  const ListKey* key;
  std::string path;
};

bool has_repeat(const Value& list, const ListKey& key) {
  const auto elements = list.elements();
  if (elements.size() < 2) return false;
  if (elements.size() > 16) return true;  // let the sorted pass decide
  const document::Name name(key.members[0]);
  for (std::size_t i = 1; i < elements.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (key.members[0].empty() ? elements[i] == elements[j]
                                 : elements[i][name].text() == elements[j][name].text()) {
        return true;
      }
    }
  }
  return false;
}

std::vector<Place> suspects_of(const Value& pod) {
  std::vector<Place> all;
  walk_lists(kPod, pod, nullptr, [&](const Keyed& keyed) {
    if (keyed.key.with.empty() && !has_repeat(keyed.list, keyed.key)) return;
    const std::string list = list_name(keyed);
    std::string above;
    append_path(above, keyed.above, false);
    const std::string space = keyed.key.with.empty() ? above + list : list;
    for (std::size_t i = 0; i < keyed.list.size(); ++i) {
      std::string identity = identity_of(keyed.list.at(i), keyed.key);
      if (identity.empty()) continue;
      const Frame here{keyed.above, &keyed.field, &keyed.list.at(i), i};
      std::string path;
      append_path(path, &here, false);
      if (!keyed.key.members[0].empty()) path.append(".").append(keyed.key.members[0]);
      all.push_back(
          {std::move(identity), list, space, &keyed.list.at(i), &keyed.field, &keyed.key, std::move(path)});
    }
  });
  return all;
}

/// A duplicate port is an error if it is claimed on the node (docs/simulator.md#6-1).
Duplicate duplicate_of(const Place& place) {
  return !(*place.element)["hostPort"].is_null() ? Duplicate::error : place.key->duplicate;
}

bool may_repeat(const Value& pod) {
  bool found = false;
  std::vector<std::string_view> containers;
  walk_lists(kPod, pod, nullptr, [&](const Keyed& keyed) {
    if (keyed.key.with.empty()) {
      found = found || has_repeat(keyed.list, keyed.key);
    } else {
      for (const Value& element : keyed.list.elements()) containers.push_back(element["name"].text());
    }
  });
  std::sort(containers.begin(), containers.end());
  return found || std::adjacent_find(containers.begin(), containers.end()) != containers.end();
}

}  // namespace

std::vector<Repeated> repeated_keys(const Value& pod) {
  std::vector<Repeated> repeated;
  if (!may_repeat(pod)) return repeated;
  const std::vector<Place> all = suspects_of(pod);
  std::vector<const Place*> sorted;
  for (const Place& place : all) sorted.push_back(&place);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Place* a, const Place* b) {
    return std::tie(a->space, a->identity) < std::tie(b->space, b->identity);
  });
  const auto same = [](const Place* a, const Place* b) {
    return a->space == b->space && a->identity == b->identity;
  };
  std::vector<const Place*> last_ones;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const bool ends = i + 1 == sorted.size() || !same(sorted[i], sorted[i + 1]);
    if (ends && same(sorted[i - 1], sorted[i])) last_ones.push_back(sorted[i]);
  }
  std::sort(last_ones.begin(), last_ones.end());  // restore the order of the document
  for (const Place* place : last_ones) {
    const Value& key =
        place->key->members[0].empty() ? *place->element : (*place->element)[place->key->members[0]];
    repeated.push_back({.path = place->path,
                        .key = key,
                        .list = place->list,
                        .identity = place->identity,
                        .duplicate = duplicate_of(*place)});
  }
  return repeated;
}

std::size_t count_key(const Value& pod, const Repeated& of) {
  std::size_t count = 0;
  walk_lists(kPod, pod, nullptr, [&](const Keyed& keyed) {
    if (keyed.list.empty() || list_name(keyed) != of.list) return;
    for (const Value& element : keyed.list.elements())
      count += identity_of(element, keyed.key) == of.identity ? 1 : 0;
  });
  return count;
}

}  // namespace fixpoint::apiserver
