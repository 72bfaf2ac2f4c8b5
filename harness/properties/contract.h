#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/properties/property.h"

namespace fixpoint::properties {

/// The annotations of a configuration in which the owner of its webhooks states their contract, as JSON. A
/// Case carries them with the configuration (a Subject's `owns` and `promises` are written there).
inline constexpr const char* kOwnsAnnotation = "fixpoint/owns";
inline constexpr const char* kPromisesAnnotation = "fixpoint/promises";

/// The paths that a webhook may change: its own. Paths are dotted, with `[key=value]` or `[*]` behind
/// lists and `*` as a suffix; a path covers everything below it.
struct OwnedPaths {
  std::vector<std::string> paths = {};
  bool is_stated = false;
  /// Returns true if they cover a path like `spec.containers[0].image` of that Pod.
  bool covers(std::string_view place, const Value& pod) const;
};
/// Returns the reason why a text is not such a path, or nothing if it is one: "spec..x: expected a name
/// between two dots".
std::optional<document::Error> problem_of_owned_path(std::string_view path);
/// Adds paths to those that the owner of a configuration states as owned by its webhooks.
void add_owned_paths(Value& configuration, const std::vector<std::string>& paths);

OwnedPaths owned_paths_of(const Examination& examination, const apiserver::ConfiguredWebhook& webhook);

/// A container that its webhook promises to keep first or last in its list.
struct Promise {
  std::string list;  ///< containers or initContainers
  std::string name;
  bool is_first = true;
};
std::vector<Promise> promises_of(const Examination& examination, const apiserver::ConfiguredWebhook& webhook);

}  // namespace fixpoint::properties
