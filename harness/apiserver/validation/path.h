#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fixpoint::apiserver::validation {

/// A path in a Pod, as a chain of frames on the stack: costs nothing until an error prints it. A frame must
/// not outlive its parent, so a path that is kept needs parents that are kept.
class Path {
 public:
  constexpr explicit Path(std::string_view root) : name_(root) {}
  /// `name` may be several names with dots between them.
  constexpr Path child(std::string_view name) const { return {this, name, kNoIndex, false}; }
  constexpr Path at(std::size_t index) const { return {this, {}, index, false}; }
  constexpr Path key(std::string_view key) const { return {this, key, kNoIndex, true}; }

  /// The path as the API server prints it: `spec.containers[0].resources.limits[cpu]`; an empty root is `[]`.
  std::string text() const;

 private:
  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);
  constexpr Path(const Path* parent, std::string_view name, std::size_t index, bool is_key)
      : parent_(parent), name_(name), index_(index), is_key_(is_key) {}
  void append_to(std::string& out) const;

  const Path* parent_ = nullptr;
  std::string_view name_;
  std::size_t index_ = kNoIndex;
  bool is_key_ = false;
};

}  // namespace fixpoint::apiserver::validation
