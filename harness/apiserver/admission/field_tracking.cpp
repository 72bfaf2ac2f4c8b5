#include "harness/apiserver/admission/field_tracking.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

#include "harness/apiserver/policies/typed_walk.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using document::Text;
using document::Value;

const Value& entries_of(const Value& object) { return object["metadata"]["managedFields"]; }

/// The entry of a request that changes its object. In memory its time has nanoseconds, which a JSON round
/// trip loses (docs/simulator.md#4-3).
const Value& own_entry() {
  thread_local const Value entry{{"manager", "fixpoint"},    {"operation", "Update"},
                                 {"apiVersion", "v1"},       {"time", "2023-11-14T22:13:20Z"},
                                 {"fieldsType", "FieldsV1"}, {"fieldsV1", Value::empty_object()}};
  return entry;
}
Value own_entry_of(const Value& object) {
  const Value& own = own_entry();
  if (object["apiVersion"].text() == own["apiVersion"].text()) return own;
  Value entry = own;
  entry.set("apiVersion", object["apiVersion"]);
  return entry;
}

bool is_own(const Value& entry) {
  const Value& own = own_entry();
  return entry["manager"] == own["manager"] && entry["operation"] == own["operation"];
}

/// The server's order of entries: applied ones first, then by time and manager.
auto place_of(const Value& entry) {
  return std::tuple(entry["operation"].text(), entry["time"].text(), entry["manager"].text(),
                    entry["apiVersion"].text(), entry["subresource"].text());
}

/// A path element in a tree of fields begins with its kind and a colon; kinds that the server does not know
/// are skipped (structured-merge-diff fieldpath/serialize-pe.go DeserializePathElement).
std::string path_problem(std::string_view key) {
  if (key == ".") return {};
  if (key.size() < 2) return "key must be 2 characters long:";
  return key[1] == ':' ? "" : "missing colon: " + std::string(key);
}

std::string tree_problem(const Value& tree) {
  for (const auto& [key, below] : tree.members()) {
    std::string problem = path_problem(key.text());
    if (problem.empty()) problem = tree_problem(below);
    if (!problem.empty()) return problem;
  }
  return {};
}

/// A client resets the entries with an empty list or one empty entry (isResetManagedFields).
bool is_reset(const Value& entries) {
  return entries.is_array() && (entries.empty() || (entries.size() == 1 && entries.at(0).empty()));
}

/// The entries before the request. A request to a subresource cannot set them.
const Value& known_entries(const cases::Request& request, const Value& object) {
  static const Value none;
  const auto readable = [](const Value& entries) -> const Value& {
    return managed_fields_problem(entries).empty() ? entries : none;
  };
  const Value& sent = entries_of(object);
  if (request.sub_resource.empty()) {
    // Decoding drops an empty list here.
    if (is_reset(entries_of(request.object))) return none;
    if (!readable(sent).empty()) return sent;
  }
  return readable(entries_of(request.old_object));
}

/// Returns true if the value adds or changes a field of the one before.
bool takes(const policies::Place& place, const Value& now, const Value& before, int minor) {
  if (now.is_null() || now == before) return false;
  if (before.is_null()) return true;
  const bool is_whole =
      place.is_list() || place.is_map()
          ? place.rule().relation == policies::Relation::atomic
          : !place.is_struct() || place.is_free() || place.is_whole();
  if (is_whole) return !(place.is_list() && now.empty());
  if (place.is_list()) {
    const policies::MergeRule rule = place.rule();
    const auto key = [&](const Value& element) { return policies::key_of(rule, element).text; };
    const auto known = before.elements();
    const auto all = now.elements();
    return std::any_of(all.begin(), all.end(), [&](const Value& element) {
      const auto found = std::find_if(known.begin(), known.end(),
                                      [&](const Value& other) { return key(other) == key(element); });
      return found == known.end() || takes(place.element(), element, *found, minor);
    });
  }
  const auto members = now.members();
  return std::any_of(members.begin(), members.end(), [&](const auto& member) {
    const auto part = place.member(member.key.text(), minor);
    return part && takes(*part, member.value, before[member.key.name()], minor);
  });
}

/// The part of an object that requests to a subresource track: nothing else, in the same places.
Value tracked_part(const Value& pod, std::string_view sub_resource) {
  if (sub_resource == "status") return {{"status", pod["status"]}};
  Value spec = Value::empty_object();
  const Value& all = pod["spec"];
  if (sub_resource == "ephemeralcontainers") spec.set("ephemeralContainers", all["ephemeralContainers"]);
  for (const char* list : {"containers", "initContainers"}) {
    if (sub_resource != "resize") break;
    std::vector<Value> containers;
    for (const Value& container : all[list].elements()) {
      Value& kept = containers.emplace_back(Value{{"name", container["name"]}});
      for (const char* member : {"resources", "resizePolicy"}) kept.set(member, container[member]);
    }
    spec.set(list, std::move(containers));
  }
  return {{"spec", std::move(spec)}};
}

/// The Pod without what no manager owns: its identity, what the server writes, and the status.
Value tracked_whole(Value pod) {
  for (const char* member : {"apiVersion", "kind", "status"}) pod.remove(member);
  Value& metadata = pod.edit("metadata");
  for (const char* member : {"name", "namespace", "creationTimestamp", "selfLink", "uid", "generation",
                             "managedFields", "resourceVersion"})
    metadata.remove(member);
  return pod;
}

}  // namespace

bool takes_fields(const cases::Request& request, const Strategy& strategy, const Value& object,
                  const Value& old_object, int minor) {
  if (strategy.type == nullptr) return !(tracked_whole(object) == tracked_whole(old_object));
  const auto tracked = [&](const Value& pod) {
    return request.sub_resource.empty() ? tracked_whole(pod) : tracked_part(pod, request.sub_resource);
  };
  return takes(policies::object_place(*strategy.type), tracked(object), tracked(old_object), minor);
}

std::string managed_fields_problem(const Value& entries) {
  std::size_t place = 0;
  for (const Value& entry : entries.elements()) {
    const std::string number = std::to_string(place++);
    const std::string_view operation = entry["operation"].text(), type = entry["fieldsType"].text();
    if (operation != "Apply" && operation != "Update")
      return Text("operation must be `Apply` or `Update`").with({});
    if (entry["apiVersion"].text().empty()) return Text("apiVersion must not be empty").with({});
    if (type.empty()) return Text("missing fieldsType in managed fields entry {}").with({number});
    if (type != "FieldsV1")
      return Text("invalid fieldsType {} in managed fields entry {}")
          .with({document::go_quoted(type), number});
    if (const std::string problem = tree_problem(entry["fieldsV1"]); !problem.empty())
      return "error decoding versioned set: " + problem;  // the server prints the entry as a Go value
  }
  return {};
}

Value tracked_fields(const cases::Request& request, const Value& object, bool is_changed) {
  // The server does not begin to track a stored object whose entries are reset (skipnonapplied.go Update).
  const bool is_untracked =
      request.is_update() && request.sub_resource.empty() && is_reset(entries_of(request.object));
  if (is_untracked) return {};
  const Value& known = known_entries(request, object);
  if (known.empty()) return is_changed ? Value::list({own_entry_of(object)}) : Value();
  std::vector<Value> kept;
  for (const Value& entry : known.elements())
    if (!is_changed || !is_own(entry)) kept.push_back(entry);
  std::stable_sort(kept.begin(), kept.end(),
                   [](const Value& a, const Value& b) { return place_of(a) < place_of(b); });
  if (is_changed) kept.push_back(own_entry_of(object));
  return kept.empty() ? Value() : Value(std::move(kept));
}

}  // namespace fixpoint::apiserver
