#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace fixpoint::document {

namespace detail {

template <class Word>
bool is_same_word(const char* a, const char* b) noexcept {
  Word x, y;
  std::memcpy(&x, a, sizeof(Word));
  std::memcpy(&y, b, sizeof(Word));
  return x == y;
}

/// Compares the first and the last word of two texts of `size` bytes; the words may overlap.
template <class Word>
bool are_same_ends(const char* a, const char* b, std::size_t size) noexcept {
  return is_same_word<Word>(a, b) && is_same_word<Word>(a + size - sizeof(Word), b + size - sizeof(Word));
}

}  // namespace detail

/// Returns true if two texts are equal; short ones are compared inline rather than by a call.
inline bool are_equal(std::string_view a, std::string_view b) noexcept {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  if (size > 16) return std::memcmp(a.data(), b.data(), size) == 0;
  if (size >= 8) return detail::are_same_ends<std::uint64_t>(a.data(), b.data(), size);
  if (size >= 4) return detail::are_same_ends<std::uint32_t>(a.data(), b.data(), size);
  for (std::size_t i = 0; i < size; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

/// A member's name with its hash; made from a literal at compile time.
struct Name {
  std::string_view text;
  std::uint32_t hash;
  /// A literal is hashed by the compiler.
  template <std::size_t N>
  consteval Name(const char (&literal)[N])  // NOLINT(google-explicit-constructor)
      : Name(std::string_view(literal)) {}
  template <class T>
    requires std::same_as<T, const char*>
  constexpr Name(const T& name) : Name(std::string_view(name)) {}  // NOLINT(google-explicit-constructor)
  constexpr Name(std::string_view name)
      : text(name), hash(2166136261u) {  // NOLINT(google-explicit-constructor)
    for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  }
  constexpr Name(std::string_view name, std::uint32_t known_hash) : text(name), hash(known_hash) {}
  Name(const std::string& name) : Name(std::string_view(name)) {}  // NOLINT(google-explicit-constructor)
  friend bool operator==(const Name& a, const Name& b) noexcept {
    return a.hash == b.hash && are_equal(a.text, b.text);
  }
};

}  // namespace fixpoint::document
