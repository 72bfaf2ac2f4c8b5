#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::properties {

using document::Value;

/// One scalar of a Pod (or an empty object) under a path that does not depend on the order of keyed lists:
/// `spec.containers[main].env[LOG].value`.
struct PathValue {
  std::string path;
  Value value;
  std::string mark = {};     ///< of an env value: which of its $(NAME) are defined before it
  std::string text() const;  ///< as JSON, with the mark
  friend bool operator==(const PathValue&, const PathValue&) = default;
};

/// Returns all values of a decoded Pod, sorted by path. Two Pods have equal values when they are equal up to
/// order that means nothing (docs/judging.md#confluence): keyed lists as maps, tolerations and pull secrets
/// as sets, env in the order of its references only. Empty lists and maps have none. Status and field
/// tracking are left out.
std::vector<PathValue> path_values_of(const Value& pod);

/// Returns the values of `after` that `before` lacks or has with another text.
std::vector<PathValue> added(const std::vector<PathValue>& before, const std::vector<PathValue>& after);

/// The values of two Pods without those of equal subtrees: the same differences at a lower cost.
struct Differing {
  std::vector<PathValue> before, after;
};
Differing differing(const Value& before, const Value& after);
std::vector<PathValue> added(const Value& before, const Value& after);
/// Returns true if the second Pod has the same value at its path as the first.
bool agrees(const Differing& two, const PathValue& path_value);

/// Removes the texts that consist of the same words in another order in both Pods, since such a text lists
/// the elements of a list in their order, and the annotations by which kubectl knows the first container of a
/// Pod (kubectl.kubernetes.io/default-container).
void leave_out_what_follows_order(Differing& two);

/// Returns the value at that path, or nullptr.
const PathValue* find(const std::vector<PathValue>& path_values, std::string_view path);

/// Returns the first path at which two Pods differ up to order; empty if they do not differ.
std::string first_difference(const std::vector<PathValue>& a, const std::vector<PathValue>& b);
inline std::string first_difference(const Differing& two) { return first_difference(two.before, two.after); }

/// Returns the first path that the first Pod lacks and the second has; empty if there is none, or if each has
/// a path that the other lacks, since then neither has lost it.
std::string first_loss(const Differing& two);

/// Returns the path in a Pod, with indices: `spec.containers[0].env[1].value`; empty if the Pod has no such
/// place.
std::string locate(const Value& pod, std::string_view path);

/// Returns the keyed path of an element: `spec.containers[main].env[LOG].value` belongs to
/// `spec.containers[main].env[LOG]`; the path itself if it goes through no list.
std::string_view element_of(std::string_view path);

}  // namespace fixpoint::properties
