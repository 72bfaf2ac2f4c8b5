#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/document/value.h"

namespace fixpoint::document {

namespace detail {

/// A name as the argument of a template.
template <std::size_t N>
struct Literal {
  consteval Literal(const char (&literal)[N]) { std::copy_n(literal, N, text); }  // NOLINT(google-explicit-*)
  char text[N];
};

/// Some names with a table in which each has a slot of its own.
struct PickTable {
  static constexpr std::size_t kSlots = 64;
  std::span<const Name> names;
  std::uint32_t factor = 1;
  std::array<std::uint8_t, kSlots> slots{};  ///< the place of the name plus one
  constexpr explicit PickTable(std::span<const Name> of) : names(of) {
    while (!is_filled()) factor += 2;
  }
  constexpr std::size_t slot_of(std::uint32_t hash) const { return (hash * factor) >> 26; }

 private:
  constexpr bool is_filled() {
    slots = {};
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::uint8_t& slot = slots[slot_of(names[i].hash)];
      if (slot != 0) return false;
      slot = static_cast<std::uint8_t>(i + 1);
    }
    return true;
  }
};

template <Literal... literals>
struct PickOf {
  static_assert(sizeof...(literals) <= 16, "more names find no table soon");
  static constexpr std::array<Name, sizeof...(literals)> kNames{Name(std::string_view(literals.text))...};
  static constexpr PickTable kTable{kNames};
};

void pick_into(const Value* found[], const Value& object, const PickTable& table) noexcept;

}  // namespace detail

/// The members of an object that have some names, for a structured binding.
template <std::size_t N>
class Picked {
 public:
  Picked(const Value& object, const detail::PickTable& table) noexcept {
    found_.fill(&detail::kNull);
    detail::pick_into(found_.data(), object, table);
  }
  template <std::size_t I>
  const Value& get() const noexcept {
    return *found_[I];
  }

 private:
  std::array<const Value*, N> found_;
};

/// What `object[name]` is for each name, found in one pass over the members:
/// `const auto [name, image] = pick<"name", "image">(container);`
template <detail::Literal... literals>
Picked<sizeof...(literals)> pick(const Value& object) noexcept {
  return {object, detail::PickOf<literals...>::kTable};
}
/// What is picked stands in the object, which has to stay.
template <detail::Literal... literals>
void pick(Value&& object) = delete;

}  // namespace fixpoint::document

template <std::size_t N>
struct std::tuple_size<fixpoint::document::Picked<N>> : std::integral_constant<std::size_t, N> {};
template <std::size_t I, std::size_t N>
struct std::tuple_element<I, fixpoint::document::Picked<N>> {
  using type = const fixpoint::document::Value&;
};
