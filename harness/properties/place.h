#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/types/field.h"
#include "harness/document/value.h"

namespace fixpoint::properties {

using document::Value;

/// A place in a Pod that stays the same place in another Pod: members by their names, elements of lists by
/// their keys, those without a key by their whole value.
class Place {
 public:
  /// Returns the place of a member of the value here.
  Place member(std::string_view name) const;
  /// Returns the place of the element with that index in `list`, which is the field's list.
  Place element(const apiserver::Field& field, const Value& list, std::size_t index) const;

  /// Returns the place of whatever element has that index in the list here.
  Place element_at(std::size_t index) const;

  /// The value there, or null.
  Value in(const Value& pod) const;
  /// The Pod without the member or element; unchanged if there is none.
  Value removed_from(const Value& pod) const;
  /// The Pod without all elements that have the key of this one.
  Value removed_with_namesakes_from(const Value& pod) const;
  /// The place of the first element with the key of this one.
  Place first_namesake() const;
  /// The Pod with another value there; unchanged if nothing stands there.
  Value put_into(const Value& pod, const Value& value) const;

  /// The number of steps, and the place of the first of them.
  std::size_t size() const { return steps_.size(); }
  Place first(std::size_t count) const;

  bool is_element() const { return !steps_.empty() && steps_.back().field != nullptr; }
  /// The elements that the place lies in or is, the innermost first.
  std::vector<Place> elements_around() const;
  /// The longest part of the place that ends with a member of that name, or nothing.
  std::optional<Place> up_to(std::string_view member) const;

 private:
  struct Step {
    std::string name = {};                    ///< of a member
    const apiserver::Field* field = nullptr;  ///< of a list, for an element of it
    Value element = {};
    std::optional<std::size_t> index = {};  ///< of the element, where that is all that tells it
    std::size_t equals_before = 0;          ///< the number of earlier elements that are equal to it
    std::size_t namesakes_before = 0;  ///< of earlier elements with its key
    std::size_t namesakes = 1;         ///< of all elements with its key
    /// The index of the element in a list, or its size if it is not there: of several with its key the most
    /// alike, or in its old turn if some of them are gone.
    std::size_t index_in(const Value& list) const;
  };

  std::vector<Step> steps_ = {};
};

}  // namespace fixpoint::properties
