#include "harness/properties/place.h"

#include <algorithm>
#include <utility>

#include "harness/properties/counterparts.h"
#include "harness/properties/untyped.h"

namespace fixpoint::properties {

namespace {

bool have_one_key(const apiserver::Field& field, const Value& a, const Value& b) {
  if (field.keys.empty() || field.keys[0].members[0].empty()) return a == b;
  for (const std::string_view member : field.keys[0].members) {
    if (!member.empty() && !(a[member] == b[member])) return false;
  }
  return true;
}

}  // namespace

Place Place::member(std::string_view name) const {
  Place place = *this;
  place.steps_.push_back({.name = std::string(name)});
  return place;
}

Place Place::element(const apiserver::Field& field, const Value& list, std::size_t index) const {
  Place place = *this;
  Step step{.field = &field, .element = list.at(index)};
  for (std::size_t i = 0; i < index; ++i) {
    if (list.at(i) == step.element) ++step.equals_before;
  }
  const auto count = [&](std::size_t end) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < end; ++i) found += have_one_key(field, list.at(i), step.element) ? 1 : 0;
    return found;
  };
  step.namesakes_before = count(index);
  step.namesakes = count(list.size());
  place.steps_.push_back(std::move(step));
  return place;
}

Place Place::element_at(std::size_t index) const {
  Place place = *this;
  place.steps_.push_back({.field = &untyped_value(), .index = index});
  return place;
}

std::size_t Place::Step::index_in(const Value& list) const {
  if (index) return std::min(*index, list.size());
  std::size_t found = list.size(), most = 0, left = equals_before, turn = namesakes_before, all = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!have_one_key(*field, list.at(i), element)) continue;
    ++all;
    if (turn-- == 0) found = i;
  }
  if (all < namesakes) return found;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!have_one_key(*field, list.at(i), element)) continue;
    const std::size_t alike = likeness(element, list.at(i)) + 1;
    const bool is_later_equal = alike == most && left > 0;
    if (alike <= most && !is_later_equal) continue;
    left = is_later_equal ? left - 1 : equals_before;
    found = i;
    most = alike;
  }
  return found;
}

Value Place::in(const Value& pod) const {
  Value at = pod;
  for (const Step& step : steps_)
    at = step.field == nullptr ? Value(at[document::Name(step.name)]) : Value(at.at(step.index_in(at)));
  return at;
}

Value Place::removed_from(const Value& pod) const {
  if (steps_.empty() || in(pod).is_null()) return pod;
  Value less = pod;
  Value* at = &less;
  for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
    const Step& step = steps_[i];
    at = step.field == nullptr ? &at->edit(document::Name(step.name)) : &at->edit(step.index_in(*at));
  }
  const Step& last = steps_.back();
  if (last.field == nullptr) {
    at->remove(document::Name(last.name));
  } else {
    const auto index = static_cast<std::ptrdiff_t>(last.index_in(*at));
    auto& elements = at->edit_elements();
    elements.erase(elements.begin() + index);
  }
  return less;
}

Place Place::first_namesake() const {
  Place first = *this;
  if (!is_element()) return first;
  Step& last = first.steps_.back();
  last.equals_before = last.namesakes_before = 0;
  last.namesakes = 1;
  return first;
}

Value Place::removed_with_namesakes_from(const Value& pod) const {
  const Place first = first_namesake();
  Value less = pod;
  while (!first.in(less).is_null()) less = first.removed_from(less);
  return less;
}

Value Place::put_into(const Value& pod, const Value& value) const {
  if (in(pod).is_null()) return pod;
  Value changed = pod;
  Value* at = &changed;
  for (const Step& step : steps_)
    at = step.field == nullptr ? &at->edit(document::Name(step.name)) : &at->edit(step.index_in(*at));
  *at = value;
  return changed;
}

Place Place::first(std::size_t count) const {
  Place place;
  place.steps_.assign(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(count));
  return place;
}

std::vector<Place> Place::elements_around() const {
  std::vector<Place> around;
  for (std::size_t count = steps_.size(); count > 0; --count)
    if (steps_[count - 1].field != nullptr) around.push_back(first(count));
  return around;
}

std::optional<Place> Place::up_to(std::string_view member) const {
  for (std::size_t count = steps_.size(); count > 0; --count) {
    if (steps_[count - 1].field != nullptr || steps_[count - 1].name != member) continue;
    return first(count);
  }
  return std::nullopt;
}

}  // namespace fixpoint::properties
