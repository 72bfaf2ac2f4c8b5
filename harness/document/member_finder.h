#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::document {

/// Finds members of one object by name, for callers that look up many of them. The members of an object with
/// more than kFew are sorted at the first lookup, so that n lookups take n log n steps instead of n squared.
/// The object must not change meanwhile.
class MemberFinder {
 public:
  explicit MemberFinder(const Value& object) : object_(object) {}

  /// Equal to object.find(name): the last member of that name, or nullptr.
  const Value* find(const Key& name) {
    if (object_.size() <= kFew) return object_.find(name.name());
    if (sorted_.empty()) sort();
    const auto after = std::upper_bound(
        sorted_.begin(), sorted_.end(), name.text(),
        [](std::string_view text, const Member* member) { return text < member->key.text(); });
    const bool is_there = after != sorted_.begin() && (*(after - 1))->key == name;
    return is_there ? &(*(after - 1))->value : nullptr;
  }

 private:
  static constexpr std::size_t kFew = 64;  ///< up to here a linear search is as fast

  void sort() {
    for (const Member& member : object_.members()) sorted_.push_back(&member);
    std::stable_sort(sorted_.begin(), sorted_.end(),
                     [](const Member* a, const Member* b) { return a->key.text() < b->key.text(); });
  }

  const Value& object_;
  std::vector<const Member*> sorted_{};
};

}  // namespace fixpoint::document
