#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace fixpoint::document {

/// The elements of an array or the members of an object. They are stored in the node's own memory block while
/// there is room, then in a separate block. Iterators are pointers and are invalidated by additions, like
/// those of a vector.
template <class T>
class Items {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  /// The caller has allocated memory for `room` items (at least one) after this object.
  explicit Items(std::size_t room) noexcept : data_(own_block()), room_(static_cast<std::uint32_t>(room)) {}
  Items(const Items&) = delete;
  Items& operator=(const Items&) = delete;
  ~Items() {
    std::destroy_n(data_, size_);
    if (!is_in_node()) ::operator delete(data_, room_ * sizeof(T));
  }

  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T& operator[](std::size_t index) noexcept { return data_[index]; }
  const T& operator[](std::size_t index) const noexcept { return data_[index]; }
  T& front() noexcept { return data_[0]; }
  T& back() noexcept { return data_[size_ - 1]; }

  void push_back(T item) {
    if (size_ == room_) grow(size_ + 1);
    new (data_ + size_) T(std::move(item));
    ++size_;
  }
  template <class Iterator>
  void append(Iterator first, Iterator last) {
    reserve(size_ + static_cast<std::size_t>(std::distance(first, last)));
    for (; first != last; ++first, ++size_) new (data_ + size_) T(*first);
  }
  T* insert(const T* before, T item) {
    const std::ptrdiff_t place = before - data_;
    push_back(std::move(item));
    std::rotate(data_ + place, end() - 1, end());
    return data_ + place;
  }
  T* erase(const T* item) { return erase(item, item + 1); }
  T* erase(const T* first, const T* last) {
    T* const place = data_ + (first - data_);
    T* const left = std::move(data_ + (last - data_), end(), place);
    std::destroy(left, end());
    size_ = static_cast<std::uint32_t>(left - data_);
    return place;
  }
  void pop_back() { erase(end() - 1); }
  void clear() { erase(begin(), end()); }
  void resize(std::size_t size)
    requires std::is_default_constructible_v<T>
  {
    if (size < size_) erase(begin() + size, end());
    while (size_ < size) push_back({});
  }
  void reserve(std::size_t room) {
    if (room > room_) grow(room);
  }
  /// The number of items that fit the current block.
  std::size_t room() const noexcept { return room_; }
  bool is_in_node() const noexcept { return data_ == own_block(); }

 private:
  T* own_block() const noexcept { return reinterpret_cast<T*>(const_cast<Items*>(this) + 1); }
  void grow(std::size_t least);

  T* data_;
  std::uint32_t size_ = 0;
  std::uint32_t room_;
};

template <class T>
[[gnu::noinline]] void Items<T>::grow(std::size_t least) {
  const std::size_t room = std::max<std::size_t>({least, 2 * std::size_t{room_}, 4});
  if (room > UINT32_MAX) throw std::bad_alloc();
  T* const block = static_cast<T*>(::operator new(room * sizeof(T)));
  std::uninitialized_move_n(data_, size_, block);
  std::destroy_n(data_, size_);
  if (!is_in_node()) ::operator delete(data_, room_ * sizeof(T));
  data_ = block;
  room_ = static_cast<std::uint32_t>(room);
}

/// Removes the items that satisfy the predicate; returns their number.
template <class T, class Predicate>
std::size_t erase_if(Items<T>& items, Predicate predicate) {
  const std::size_t before = items.size();
  items.erase(std::remove_if(items.begin(), items.end(), predicate), items.end());
  return before - items.size();
}

}  // namespace fixpoint::document
