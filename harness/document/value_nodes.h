#pragma once

#include <atomic>
#include <utility>

#include "harness/document/value.h"

// The memory layout of a Value and its inline members. Only value.h includes this, at its end.
namespace fixpoint::document {

namespace detail {

struct ArrayNode : Node {
  explicit ArrayNode(std::size_t room) : Node(Kind::array), elements(room) {}
  Elements elements;  ///< last member: the items follow it in memory
};

/// The state of knowledge about duplicate names in an object.
enum class Names : std::uint8_t { unknown, distinct, repeated };

struct ObjectNode : Node {
  explicit ObjectNode(std::size_t room) : Node(Kind::object), members(room) {}
  std::atomic<Names> names{Names::unknown};
  Members members;  ///< last member: the items follow it in memory
};

inline constinit const Value kNull;

}  // namespace detail

inline Value::Value(const Value& other) noexcept : bits_(other.bits_) {
  if (has_node()) detail::count_up(node()->references);
}
inline Value& Value::operator=(const Value& other) noexcept {
  Value copy(other);
  std::swap(bits_, copy.bits_);
  return *this;
}
inline Value& Value::operator=(Value&& other) noexcept {
  if (this != &other) {
    Value old;
    old.bits_ = std::exchange(bits_, std::exchange(other.bits_, 0));
  }
  return *this;
}
inline Value::~Value() {
  if (has_node() && detail::count_down(node()->references)) detail::let_go(node());
}

inline Kind Value::kind() const noexcept {
  if (has_node()) return node()->kind;
  return bits_ == 0 ? Kind::null : Kind::boolean;
}

inline std::string_view Value::text() const noexcept {
  if (!is_string() && !is_number()) return {};
  auto* text = static_cast<detail::TextNode*>(node());
  return {text->data(), text->length};
}

inline std::size_t Value::size() const noexcept {
  if (is_array()) return static_cast<detail::ArrayNode*>(node())->elements.size();
  if (is_object()) return static_cast<detail::ObjectNode*>(node())->members.size();
  return 0;
}

inline std::span<const Value> Value::elements() const noexcept {
  if (!is_array()) return {};
  const Elements& all = static_cast<detail::ArrayNode*>(node())->elements;
  return {all.begin(), all.size()};
}

inline std::span<const Member> Value::members() const noexcept {
  if (!is_object()) return {};
  const Members& all = static_cast<detail::ObjectNode*>(node())->members;
  return {all.begin(), all.size()};
}

inline const Value& Value::at(std::size_t index) const noexcept {
  const auto all = elements();
  return index < all.size() ? all[index] : detail::kNull;
}

inline const Value& Value::operator[](const Name& name) const noexcept {
  const Value* found = find(name);
  return found == nullptr ? detail::kNull : *found;
}

inline std::uint32_t Value::stamp() const noexcept {
  return is_array() || is_object() ? node()->stamp.load(std::memory_order_relaxed) : 0;
}

inline void Value::set_stamp(std::uint32_t stamp) const noexcept {
  if (is_array() || is_object()) node()->stamp.store(stamp, std::memory_order_relaxed);
}

}  // namespace fixpoint::document
