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

/// Those of `after` that `before` has not, or with another text.
std::vector<Leaf> added(const std::vector<Leaf>& before, const std::vector<Leaf>& after);

/// The leaves of two Pods without those of subtrees in which they are equal: the same differences, found for
/// less.
struct Differing {
  std::vector<Leaf> before, after;
};
Differing differing(const Value& before, const Value& after);
std::vector<Leaf> added(const Value& before, const Value& after);
/// Whether a leaf of the first Pod stands in the second too, as it is.
bool agrees(const Differing& two, const Leaf& leaf);

/// Takes out what both have with the same words in another order: a text that lists the elements of a list as
/// they stand there.
void leave_out_reordered_texts(Differing& two);

/// The leaf at that path, or nullptr.
const Leaf* find(const std::vector<Leaf>& leaves, std::string_view path);

/// The first path at which two Pods differ up to order; empty when they do not.
std::string first_difference(const std::vector<Leaf>& a, const std::vector<Leaf>& b);
inline std::string first_difference(const Differing& two) { return first_difference(two.before, two.after); }

/// The first path that the first Pod lacks and the second has; empty when there is none, or when each has
/// something that the other lacks: then neither has lost it.
std::string first_loss(const Differing& two);

/// The place of such a path in a Pod, with indices: `spec.containers[0].env[1].value`; empty when it has
/// none.
std::string locate(const Value& pod, std::string_view path);

/// The keyed path of an element: `spec.containers[main].env[LOG].value` belongs to
/// `spec.containers[main].env[LOG]`; the path itself when it goes through no list.
std::string_view element_of(std::string_view path);

}  // namespace fixpoint::properties
