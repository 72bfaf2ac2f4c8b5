#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::properties {

using document::Value;

/// One scalar of a Pod (or an empty object) under a path that does not depend on the order of keyed lists:
/// `spec.containers[main].env[LOG].value`.
struct Leaf {
  std::string path;
  Value value;
  std::string mark = {};     ///< of an env value: which of its $(NAME) are defined before it
  std::string text() const;  ///< as JSON, with the mark
  friend bool operator==(const Leaf&, const Leaf&) = default;
};

/// All leaves of a decoded Pod, sorted by path. Two Pods have equal leaves when they are equal up to order
/// that means nothing (docs/judging.md#confluence): keyed lists as maps, tolerations and pull secrets as
/// sets, env in the order of its references only. Empty lists and maps have none. Status and field tracking
/// are left out.
std::vector<Leaf> leaves_of(const Value& pod);

/// Returns the leaves of `after` that `before` lacks or has with another text.
std::vector<Leaf> added(const std::vector<Leaf>& before, const std::vector<Leaf>& after);

/// The leaves of two Pods without those of equal subtrees: the same differences at a lower cost.
struct Differing {
  std::vector<Leaf> before, after;
};
Differing differing(const Value& before, const Value& after);
std::vector<Leaf> added(const Value& before, const Value& after);
/// Returns true if the second Pod has the same leaf as the first.
bool agrees(const Differing& two, const Leaf& leaf);

/// Removes the texts that consist of the same words in another order in both Pods: such a text lists the
/// elements of a list in their order.
void leave_out_reordered_texts(Differing& two);

/// Returns the leaf at that path, or nullptr.
const Leaf* find(const std::vector<Leaf>& leaves, std::string_view path);

/// Returns the first path at which two Pods differ up to order; empty if they do not differ.
std::string first_difference(const std::vector<Leaf>& a, const std::vector<Leaf>& b);
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
