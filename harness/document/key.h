#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "harness/document/name.h"
#include "harness/document/node.h"

namespace fixpoint::document {

/// A member's name, shared between documents. The first names that a process sees are interned for its
/// lifetime: they are not reference-counted, and two of them are equal only if they are the same node.
class Key {
 public:
  Key(const Name& name);                             // NOLINT(google-explicit-constructor)
  Key(const char* name) : Key(Name(name)) {}         // NOLINT(google-explicit-constructor)
  Key(std::string_view name) : Key(Name(name)) {}    // NOLINT(google-explicit-constructor)
  Key(const std::string& name) : Key(Name(name)) {}  // NOLINT(google-explicit-constructor)
  Key(const Key& other) noexcept;
  Key(Key&& other) noexcept : text_(other.text_), hash_(other.hash_), stays_(other.stays_) {
    other.stays_ = true;
  }
  Key& operator=(Key other) noexcept;
  ~Key();

  std::string_view text() const noexcept;
  operator std::string_view() const noexcept { return text(); }  // NOLINT(google-explicit-constructor)
  std::uint32_t hash() const noexcept { return hash_; }
  Name name() const noexcept { return {text(), hash_}; }
  bool is(const Name& name) const noexcept;
  /// Returns true if both are the same node, and therefore equal.
  bool same(const Key& other) const noexcept { return text_ == other.text_; }
  friend bool operator==(const Key& a, const Key& b) noexcept {
    return a.same(b) || (a.hash_ == b.hash_ && !(a.stays_ && b.stays_) && are_equal(a.text(), b.text()));
  }

 private:
  detail::TextNode* text_;
  std::uint32_t hash_;
  bool stays_;  ///< interned, without reference counting
};

inline Key::Key(const Key& other) noexcept : text_(other.text_), hash_(other.hash_), stays_(other.stays_) {
  if (!stays_) detail::count_up(text_->references);
}
inline Key& Key::operator=(Key other) noexcept {
  std::swap(text_, other.text_);
  std::swap(hash_, other.hash_);
  std::swap(stays_, other.stays_);
  return *this;
}
inline Key::~Key() {
  if (!stays_ && detail::count_down(text_->references)) detail::let_go(text_);
}
inline std::string_view Key::text() const noexcept { return {text_->data(), text_->length}; }
inline bool Key::is(const Name& name) const noexcept {
  return hash_ == name.hash && are_equal(text(), name.text);
}

}  // namespace fixpoint::document
