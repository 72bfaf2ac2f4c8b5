#include "injectors/kserve/storage_container.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/types/container_types.h"
#include "harness/document/check.h"
#include "injectors/kserve/branches.h"
#include "injectors/kserve/regexp.h"

namespace fixpoint::injectors::kserve {

namespace {

using document::Name;

/// The lists of a container that a strategic merge patch merges by key; it replaces all other lists.
struct MergedList {
  Name list, key;
};
constexpr auto kMergedLists = std::to_array<MergedList>({{"env", "name"},
                                                         {"ports", "containerPort"},
                                                         {"volumeMounts", "mountPath"},
                                                         {"volumeDevices", "devicePath"}});

std::optional<std::size_t> index_of(const Value& list, const Name& key, const Value& wanted) {
  const auto elements = list.elements();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i][key] == wanted) return i;
  }
  return std::nullopt;
}

Value merge_maps(Value original, const Value& patch) {
  for (const auto& member : patch.members()) {
    const Value& old = original[member.key.name()];
    const bool goes_deeper = old.is_object() && member.value.is_object();
    original.set(member.key.name(), goes_deeper ? merge_maps(old, member.value) : member.value);
  }
  return original;
}

/// Returns the list in the order of apimachinery's normalizeElementOrder. The patch's items keep the order of
/// the patch, and the others keep that of the original. Both are merged, and an original item goes first only
/// if the patch's current item also was in the original, after it.
Value ordered(const Value& merged, const Value& original, const Value& patch, const Name& key) {
  std::vector<Value> ours, others;
  for (const Value& item : merged.elements()) {
    (index_of(patch, key, item[key]) ? ours : others).push_back(item);
  }
  std::stable_sort(ours.begin(), ours.end(), [&](const Value& a, const Value& b) {
    return *index_of(patch, key, a[key]) < *index_of(patch, key, b[key]);
  });
  std::vector<Value> result;
  auto other = others.begin();
  for (auto item = ours.begin(); item != ours.end() || other != others.end();) {
    bool takes_other = item == ours.end();
    if (!takes_other && other != others.end()) {
      const auto place = index_of(original, key, (*other)[key]),
                 limit = index_of(original, key, (*item)[key]);
      takes_other = place && limit && *place < *limit;
    }
    result.push_back(takes_other ? *other++ : *item++);
  }
  return result;
}

Value merge_lists(const Value& original, const Value& patch, const Name& key) {
  Value merged = original;
  for (const Value& item : patch.elements()) {
    if (const auto at = index_of(merged, key, item[key])) {
      merged.edit(*at) = merge_maps(merged.at(*at), item);
    } else {
      merged.push_back(item);
    }
  }
  return ordered(merged, original, patch, key);
}

Value strategic_merge(Value original, const Value& patch) {
  for (const auto& member : patch.members()) {
    const Value old = original[member.key.name()];
    const auto list = std::find_if(kMergedLists.begin(), kMergedLists.end(),
                                   [&](const MergedList& row) { return member.key.is(row.list); });
    if (old.is_array() && list != kMergedLists.end()) {
      original.set(member.key.name(), merge_lists(old, member.value, list->key));
    } else if (old.is_object() && member.value.is_object()) {
      original.set(member.key.name(), merge_maps(old, member.value));
    } else {
      original.set(member.key.name(), member.value);
    }
  }
  return original;
}

/// Returns the result of decoding `fresh` with Go into a struct that holds `old`: members that `fresh` lacks
/// keep their values, and so do the elements of lists, by index.
Value decoded_over(const Value& old, const Value& fresh) {
  if (old.is_object() && fresh.is_object()) {
    Value result = old;
    for (const auto& member : fresh.members())
      result.set(member.key.name(), decoded_over(old[member.key.name()], member.value));
    return result;
  }
  if (!old.is_array() || !fresh.is_array()) return fresh;
  std::vector<Value> elements;
  elements.reserve(fresh.size());
  for (std::size_t i = 0; i < fresh.size(); ++i)
    elements.push_back(i < old.size() ? decoded_over(old.at(i), fresh.at(i)) : fresh.at(i));
  return elements;
}

/// Keeps only the override's source in an env entry that has both value and valueFrom.
void keep_one_value(Value& container, const Value& overrides) {
  for (std::size_t i = 0; i < container["env"].size(); ++i) {
    const Value entry = container["env"].at(i);
    if (entry["value"].text().empty() || entry["valueFrom"].is_null()) continue;
    Value choice;
    for (const Value& own : overrides["env"].elements()) {
      if (own["name"] == entry["name"]) choice = own;
    }
    if (!choice["valueFrom"].is_null()) {
      container.edit("env").edit(i).remove("value");
    } else if (!choice["value"].text().empty()) {
      container.edit("env").edit(i).remove("valueFrom");
    }
  }
}

enum class Fit { yes, no, error };

Fit fits(const Value& spec, std::string_view uri, std::string& problem) {
  for (const Value& format : spec["supportedUriFormats"].elements()) {
    const std::string_view prefix = format["prefix"].text(), expression = format["regex"].text();
    if (!prefix.empty()) {
      if (uri.starts_with(prefix)) return Fit::yes;
    } else if (!expression.empty()) {
      const auto found = matches(expression, uri);
      if (!found) reach("storage/bad-expression");
      if (!found) return (problem = found.error().message, Fit::error);
      if (*found) return Fit::yes;
    }
  }
  return Fit::no;
}

std::string_view name_of(const Value& object) { return object["metadata"]["name"].text(); }

/// Returns all ClusterStorageContainers, sorted by name.
std::vector<const Value*> list_all(const StepInput& input) {
  return input.call.cluster.of_kind("ClusterStorageContainer.serving.kserve.io");
}

/// Returns the container as the webhook's own library decodes it.
StorageContainer read_container(const Value& object, const StepInput& input) {
  const auto read =
      apiserver::decode_as(apiserver::kContainer, object["spec"]["container"], input.release.library);
  if (!read) return {.problem = refuse("cannot read a ClusterStorageContainer: " + read.error().text())};
  return {.container = *read};
}

bool is_init_container(const Value& object) {
  return object["spec"]["workloadType"].text() == "initContainer";
}

std::string quoted(std::string_view name) { return std::string("\"").append(name).append("\""); }

}  // namespace

StorageContainer find_storage_container(std::string_view uri, const StepInput& input) {
  const bool looks_at_workload = input.release.number >= 1400;
  for (const Value* object : list_all(input)) {
    if ((*object)["disabled"].is_true() || (looks_at_workload && !is_init_container(*object))) continue;
    std::string problem;
    const Fit fit = fits((*object)["spec"], uri, problem);
    if (fit == Fit::error) {
      return {.problem = refuse("error checking storage container " + std::string(name_of(*object)) + ": " +
                                problem)};
    }
    if (fit == Fit::yes) return read_container(*object, input);
  }
  return {};
}

StorageContainer storage_container_named(std::string_view name, std::string_view uri,
                                         const StepInput& input) {
  reach("storage/container-chosen");
  const std::string subject = "ClusterStorageContainer " + quoted(name);
  for (const Value* object : list_all(input)) {
    if (name_of(*object) != name) continue;
    if ((*object)["disabled"].is_true()) return {.problem = refuse(subject + " is disabled")};
    if (!is_init_container(*object)) return {.problem = refuse(subject + " has another workloadType")};
    std::string problem;
    const Fit fit = fits((*object)["spec"], uri, problem);
    if (fit == Fit::error)
      return {.problem = refuse(std::string(subject).append(" URI check failed: ").append(problem))};
    if (fit == Fit::no) reach("storage/container-unfit");
    if (fit == Fit::no)
      return {.problem =
                  refuse(std::string(subject).append(" does not support storageUri ").append(quoted(uri)))};
    return read_container(*object, input);
  }
  return {.problem = refuse(subject + " not found")};
}

Value merge_container(const Value& built, const Value& overrides, const Common& release) {
  reach("storage/container-merged");
  if (!overrides["name"].text().empty() && overrides["name"] != built["name"])
    reach("storage/container-renamed");
  Value merged = strategic_merge(built, overrides);
  if (release.number >= 1600 && release.number < 2000) merged = decoded_over(built, merged);
  if (release.number >= 2000) keep_one_value(merged, overrides);
  if (merged["name"].text().empty()) merged.set("name", built["name"]);
  auto canonical = apiserver::decode_as(apiserver::kContainer, merged, release.library);
  document::check(canonical.ok(), "a merge of two containers is a container");
  return *canonical;
}

}  // namespace fixpoint::injectors::kserve
