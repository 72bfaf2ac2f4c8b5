#include "harness/oracle/oracle_merge.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "harness/oracle/oracle_schema.h"

namespace fixpoint::oracle {

namespace {

constexpr int kFirstMinorWithRepeatedKeys = 35;

/// The lists that are merged (x-kubernetes-list-type map, with the keys, and set, without). A list that is
/// not here is atomic. Ephemeral containers have the lists of containers.
const std::map<std::string, std::vector<std::string>>& merged_lists() {
  static const std::map<std::string, std::vector<std::string>> all = [] {
    std::map<std::string, std::vector<std::string>> lists{
        {"ObjectMeta.finalizers", {}},
        {"ObjectMeta.ownerReferences", {"uid"}},
        {"PodSpec.hostAliases", {"ip"}},
        {"PodSpec.topologySpreadConstraints", {"topologyKey", "whenUnsatisfiable"}},
        {"Resources.claims", {"name"}},
        {"ExitCodes.values", {}},
        {"PodStatus.conditions", {"type"}},
        {"PodStatus.podIPs", {"ip"}},
        {"PodStatus.resourceClaimStatuses", {"name"}},
        {"ContainerStatus.allocatedResourcesStatus", {"name"}},
        {"ContainerStatus.volumeMounts", {"mountPath"}},
        {"ResourceStatus.resources", {"resourceID"}},
        {"NodeClaim.containers", {}}};
    for (const char* list : {"containers", "initContainers", "ephemeralContainers", "imagePullSecrets",
                             "resourceClaims", "schedulingGates", "volumes"})
      lists["PodSpec." + std::string(list)] = {"name"};
    for (const std::string container : {"Container.", "EphemeralContainer."}) {
      lists[container + "env"] = {"name"};
      lists[container + "ports"] = {"containerPort", "protocol"};
      lists[container + "volumeDevices"] = {"devicePath"};
      lists[container + "volumeMounts"] = {"mountPath"};
    }
    return lists;
  }();
  return all;
}

/// The structs that are replaced as a whole (x-kubernetes-map-type atomic), by their names here.
bool is_atomic_type(const std::string& type) {
  static const std::set<std::string> all{"KeyRef",       "FileKeyRef",    "LabelSelector", "LocalReference",
                                         "NodeSelector", "NodeTerm",      "FieldRef",      "OwnerReference",
                                         "ResourceRef",  "TypedReference"};
  return all.contains(type);
}

/// A place of the schema: the whole of a member, or one element of its list or map.
struct Spot {
  std::string owner;  ///< the type with the member
  Member member;
  bool is_element = false;

  bool is_list() const { return member.many == '[' && !is_element; }
  bool is_map() const { return member.many == '{' && !is_element; }
  bool is_struct() const { return !is_list() && !is_map() && member.is_object(); }
  bool is_free() const { return member.kind == "r"; }
  std::string name() const { return owner + "." + member.name; }
  bool is_merged_list() const { return is_list() && merged_lists().contains(name()); }
  bool is_atomic() const {
    if (is_list()) return !is_merged_list();
    if (is_map()) return name() == "PodSpec.nodeSelector";
    return is_struct() && is_atomic_type(member.kind);
  }
  const std::vector<std::string>& keys() const { return merged_lists().at(name()); }
  Spot element() const { return {owner, member, true}; }
  /// The place of a member of a struct or a map; nothing if the schema has none.
  std::optional<Spot> below(const std::string& key, int minor) const {
    if (is_map()) return element();
    for (const Member& one : members_of(member.kind)) {
      if (one.name == key && minor >= one.since && minor <= one.until) return Spot{member.kind, one};
    }
    return std::nullopt;
  }
};

Spot whole_pod() {
  Member member;
  member.name = "pod";
  member.kind = "Pod";
  return {"", member};
}

bool is_nothing(const Json* value) { return value == nullptr || value->is_null() || value->empty(); }

/// The text by which an element is found.
std::string key_of(const Spot& list, const Json& element) {
  if (list.keys().empty()) {
    if (element.is_structured() || element.is_null()) throw MergeRefused("an element of a set is no scalar");
    return write(element);
  }
  if (!element.is_object()) throw MergeRefused("an element of a list with keys is no map");
  std::string key;
  for (const std::string& member : list.keys()) {
    const Json absent = member == "containerPort" ? Json(0) : member == "protocol" ? Json("TCP") : Json("");
    key += write(element.contains(member) ? element[member] : absent) + "\n";
  }
  return key;
}

bool is_scalar_of(const Spot& spot, const Json& value) {
  if (value.is_structured()) return false;
  const bool is_number = !number_text(value).empty();
  if (spot.member.kind == "s") return value.is_string();
  if (spot.member.kind == "b") return value.is_boolean();
  if (spot.member.kind == "i" || spot.member.kind == "l") return is_number;
  return true;
}

/// Throws for a document that does not conform to the schema.
void conform(const Spot& spot, const Json& value, int minor) {
  if (value.is_null() || spot.is_free()) return;
  if (spot.is_list()) {
    if (!value.is_array()) throw MergeRefused(spot.name() + " is no list");
    std::set<std::string> seen;
    for (const Json& element : value) {
      if (spot.is_merged_list() && !seen.insert(key_of(spot, element)).second)
        throw MergeRefused(spot.name() + " has two elements of one key");
      conform(spot.element(), element, minor);
    }
  } else if (spot.is_map() || spot.is_struct()) {
    if (!value.is_object()) throw MergeRefused(spot.name() + " is no map");
    for (const auto& [key, member] : value.items()) {
      const auto below = spot.below(key, minor);
      if (!below) throw MergeRefused(key + " is not in the schema");
      conform(*below, member, minor);
    }
  } else if (!is_scalar_of(spot, value)) {
    throw MergeRefused(spot.name() + " is of another type");
  }
}

void refuse_atomics(const Spot& spot, const Json& value, int minor) {
  if (spot.is_free() || !value.is_structured()) return;
  if (spot.is_atomic()) throw MergeRefused(spot.name() + " is atomic");
  for (const auto& [key, member] : value.items())
    refuse_atomics(spot.is_list() ? spot.element() : *spot.below(key, minor), member, minor);
}

/// The values of both sides; the second wins. Nothing stands for what is not there in the end.
class Merger {
 public:
  explicit Merger(int minor) : minor_(minor) {}

  std::optional<Json> merged(const Spot& spot, const Json* mine, const Json* theirs) const {
    const bool says_nothing = is_nothing(mine) && is_nothing(theirs);
    if (spot.is_merged_list()) {
      if (!says_nothing) return list(spot, mine, theirs);
      // An empty list of an expression is no list at all.
      if (theirs != nullptr) return Json();
    }
    const bool has_members = !spot.is_free() && (spot.is_map() || spot.is_struct()) && !spot.is_atomic();
    if (has_members && !says_nothing) return members(spot, mine, theirs);
    if (theirs != nullptr) return *theirs;
    return mine == nullptr ? std::nullopt : std::optional(*mine);
  }

 private:
  std::optional<Json> members(const Spot& spot, const Json* mine, const Json* theirs) const {
    std::set<std::string> keys;
    for (const Json* side : {mine, theirs}) {
      if (is_nothing(side)) continue;
      for (const auto& [key, unused] : side->items()) keys.insert(key);
    }
    const auto value_in = [](const Json* side, const std::string& key) {
      return is_nothing(side) || !side->contains(key) ? nullptr : &(*side)[key];
    };
    Json made = Json::object();
    for (const std::string& key : keys) {
      auto value = merged(*spot.below(key, minor_), value_in(mine, key), value_in(theirs, key));
      if (value) made[key] = *std::move(value);
    }
    return made.empty() ? std::nullopt : std::optional(made);
  }

  /// An element of one side alone stays in its order. An element of both stands where the second has it: the
  /// first is read until its next shared element, and what the second has before that comes first.
  std::optional<Json> list(const Spot& spot, const Json* mine, const Json* theirs) const {
    const auto &old = mine == nullptr ? each(Json()) : each(*mine),
               &fresh = theirs == nullptr ? each(Json()) : each(*theirs);
    std::map<std::string, const Json*> of_old;
    std::set<std::string> of_fresh, put;
    for (const Json& element : old) {
      // Elements of one key are not distinguished: nothing of them is merged.
      const auto [place, is_first] = of_old.emplace(key_of(spot, element), &element);
      if (!is_first) place->second = nullptr;
    }
    for (const Json& element : fresh) of_fresh.insert(key_of(spot, element));
    Json made = Json::array();
    std::size_t next = 0;
    const auto put_fresh = [&] {
      const std::string key = key_of(spot, fresh[next]);
      const auto before = of_old.find(key);
      put.insert(key);
      auto value = merged(spot.element(), before == of_old.end() ? nullptr : before->second, &fresh[next++]);
      if (value) made.push_back(*std::move(value));
    };
    const auto next_shared = [&] {
      for (std::size_t i = next; i < fresh.size(); ++i)
        if (const std::string key = key_of(spot, fresh[i]); of_old.contains(key)) return key;
      return std::string();
    };
    for (const Json& element : old) {
      const std::string key = key_of(spot, element);
      if (!of_fresh.contains(key)) {
        made.push_back(element);
      } else if (put.contains(key)) {
        if (next < fresh.size() && next_shared().empty()) put_fresh();
      } else if (key == next_shared()) {
        while (!put.contains(key)) put_fresh();
      }
    }
    while (next < fresh.size()) put_fresh();
    return made.empty() ? std::nullopt : std::optional(made);
  }

  int minor_;
};

/// Go's conversion of a double to an integer, and of an integer to one of 32 bits.
Json integer_of(const Json& value, bool is_narrow) {
  std::int64_t number = 0;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() >> 63 != 0)
    throw Unsupported("an integer of 64 bits");
  if (value.is_number_integer()) {
    number = value.get<std::int64_t>();
  } else {
    const double real = std::strtod(number_text(value).c_str(), nullptr);
    if (std::isnan(real) || (std::isfinite(real) && real != std::trunc(real)))
      throw MergeRefused("no integer");
    number =
        std::abs(real) < 0x1p63 ? static_cast<std::int64_t>(real) : std::numeric_limits<std::int64_t>::min();
  }
  return is_narrow ? Json(static_cast<std::int32_t>(number)) : Json(number);
}

void convert_numbers(const Spot& spot, Json& value, int minor) {
  if (spot.is_free() || value.is_null()) return;
  if (value.is_structured()) {
    for (const auto& [key, member] : value.items())
      convert_numbers(spot.is_list() ? spot.element() : *spot.below(key, minor),
                      value.is_array() ? member : value[key], minor);
  } else if (spot.member.kind == "i" || spot.member.kind == "l") {
    value = integer_of(value, spot.member.kind == "i");
  }
}

/// Collects the paths of what the document adds or changes.
void find_owned(const Spot& spot, const Json& now, const Json* before, const std::string& path, int minor,
                std::vector<std::string>& owned) {
  if (now.is_null() || (before != nullptr && now == *before)) return;
  const bool is_leaf = !now.is_structured() || spot.is_free() || spot.is_atomic() || is_nothing(before);
  if (is_leaf) {
    if (!(spot.is_list() && now.empty())) owned.push_back(path);
    return;
  }
  if (spot.is_list()) {
    for (const Json& element : now) {
      const Json* other = nullptr;
      for (const Json& one : *before)
        if (key_of(spot, one) == key_of(spot, element)) other = &one;
      find_owned(spot.element(), element, other, path + "[]", minor, owned);
    }
    return;
  }
  for (const auto& [key, value] : now.items()) {
    const auto below = spot.below(key, minor);
    const auto other = before->find(key);
    if (below)
      find_owned(*below, value, other == before->end() ? nullptr : &*other, path + "." + key, minor, owned);
  }
}

}  // namespace

bool owns_a_field(const Json& pod, const Json& old_pod, const std::string& sub_resource, int minor) {
  std::vector<std::string> owned;
  find_owned(whole_pod(), pod, &old_pod, "", minor, owned);
  const auto counts = [&](const std::string& path) {
    const auto is_below = [&](const std::string& part) { return path.starts_with(part); };
    if (sub_resource == "ephemeralcontainers") return is_below(".spec.ephemeralContainers");
    if (sub_resource == "resize")
      return is_below(".spec.containers[].resources") || is_below(".spec.containers[].resizePolicy") ||
             is_below(".spec.initContainers[].resources") || is_below(".spec.initContainers[].resizePolicy");
    for (const char* unowned :
         {".apiVersion", ".kind", ".status", ".metadata.name", ".metadata.creationTimestamp",
          ".metadata.selfLink", ".metadata.uid", ".metadata.generation", ".metadata.managedFields",
          ".metadata.resourceVersion"})
      if (is_below(unowned)) return path.starts_with(".metadata.generateName");
    return true;
  };
  return std::any_of(owned.begin(), owned.end(), counts);
}

Json merge_configuration(const Json& pod, const Json& configuration, int minor) {
  const Spot whole = whole_pod();
  conform(whole, configuration, minor);
  refuse_atomics(whole, configuration, minor);
  if (minor < kFirstMinorWithRepeatedKeys) conform(whole, pod, minor);
  Json merged = Merger(minor).merged(whole, &pod, &configuration).value_or(Json::object());
  convert_numbers(whole, merged, minor);
  return merged;
}

bool has_unknown_members(std::string_view type, const Json& document, int minor) {
  for (const auto& [key, value] : document.items()) {
    const auto& members = members_of(type);
    const auto member = std::find_if(members.begin(), members.end(), [&](const Member& one) {
      return one.name == key && minor >= one.since && minor <= one.until;
    });
    if (member == members.end()) return true;
    if (!member->is_object()) continue;
    if (member->many == 0 && value.is_object() && has_unknown_members(member->kind, value, minor))
      return true;
    for (const Json& element : member->many == 0 ? Json() : value)
      if (element.is_object() && has_unknown_members(member->kind, element, minor)) return true;
  }
  return false;
}

}  // namespace fixpoint::oracle
