#pragma once

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/reduce.h"
#include "generators/reduce_document.h"
#include "generators/weight.h"

namespace fixpoint::generators {

/// A Case that is being reduced. Only lighter variants are offered to `take`, and those in which a chart's
/// object is as the chart has it:
///
///     reduction.try_change([](Case& value) { value.request.dry_run = false; });
class CaseReduction {
 public:
  /// `take` and `kept` must outlive it.
  CaseReduction(cases::Case value, const std::function<bool(const cases::Case&)>& take, const Kept& kept)
      : value_(std::move(value)), weight_(case_weight_of(value_)), take_(take), kept_(kept) {}

  /// The last variant that was accepted.
  const cases::Case& value() const { return value_; }
  const Kept& kept() const { return kept_; }

  /// Offers the changed Case; returns true if it was accepted.
  template <class Change>
  bool try_change(const Change& change) {
    cases::Case candidate = value_;
    change(candidate);
    return offer(std::move(candidate));
  }

  /// Drops the elements of a list that are `droppable`, all at once or each.
  template <class List, class Droppable>
  void drop_all_or_each(const List& list, const Droppable& droppable) {
    if (std::none_of(list(value_).begin(), list(value_).end(), droppable)) return;
    if (try_change([&](cases::Case& value) { std::erase_if(list(value), droppable); })) return;
    for (std::size_t i = list(value_).size(); i-- > 0;) {
      if (!droppable(list(value_)[i])) continue;
      try_change([&](cases::Case& value) {
        list(value).erase(list(value).begin() + static_cast<std::ptrdiff_t>(i));
      });
    }
  }

  /// Reduces documents that belong together; `put` puts them into a Case.
  template <class Put>
  void reduce_documents(std::vector<Value> documents, const Put& put,
                        const DocumentReduction::Path& path = {},
                        const std::vector<std::string_view>& fixed = {}) {
    DocumentReduction(
        std::move(documents),
        [&](const std::vector<Value>& changed) {
          return try_change([&](cases::Case& value) { put(value, changed); });
        },
        kept_.values)
        .reduce(path, fixed);
  }

  /// Returns the kept object of that kind and name; nullptr if there is none.
  const Value* kept_object(const Value& object) const;
  /// Puts a chart's object in the place of its variant with changed settings: the Case is simpler, though not
  /// always lighter. What is restored never changes again.
  void restore_objects();

 private:
  bool offer(cases::Case candidate);

  cases::Case value_;
  CaseWeight weight_;
  const std::function<bool(const cases::Case&)>& take_;
  const Kept& kept_;
};

/// Returns true if a URL or a command answers for one of the webhooks.
bool is_answered_outside(const cases::Case& value);

}  // namespace fixpoint::generators
