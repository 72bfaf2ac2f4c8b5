#pragma once

#include <sys/single_threaded.h>

#include <atomic>
#include <cstdint>

namespace fixpoint::document {

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

/// The header of all nodes. Counting is atomic only once the process has a second thread.
struct Node {
  explicit Node(Kind k) : kind(k) {}
  std::atomic<std::uint32_t> references{1};
  std::atomic<std::uint32_t> stamp{0};
  Kind kind;
};

namespace detail {

/// A string or a number: the text is stored after the node, the spelling after the text.
struct TextNode : Node {
  TextNode(Kind k, std::uint32_t l, std::uint32_t s) : Node(k), length(l), spelling(s) {}
  std::uint32_t length;
  std::uint32_t spelling;
  char* data() { return reinterpret_cast<char*>(this + 1); }
};

inline void count_up(std::atomic<std::uint32_t>& count) noexcept {
  if (__libc_single_threaded != 0) {
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  } else {
    count.fetch_add(1, std::memory_order_relaxed);
  }
}

/// Returns true if that was the last reference.
inline bool count_down(std::atomic<std::uint32_t>& count) noexcept {
  if (__libc_single_threaded != 0) {
    const std::uint32_t left = count.load(std::memory_order_relaxed) - 1;
    count.store(left, std::memory_order_relaxed);
    return left == 0;
  }
  return count.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

/// Destroys a node without references.
void let_go(Node* node) noexcept;

}  // namespace detail

}  // namespace fixpoint::document
