#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace fixpoint::apiserver::cel {

class Datum;

/// The shared content of a value that does not fit into one word.
struct Box {
  Box() = default;
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;
  virtual ~Box() = default;
  mutable std::atomic<std::uint32_t> references{1};
  std::uint32_t depth = 0;  ///< of the values that it holds in one another
};

/// A value of one of Kubernetes' own types.
struct OpaqueBox : Box {
  virtual std::string_view type_name() const = 0;
  virtual bool equals(const OpaqueBox& other) const = 0;
  /// As the server's tools print it; for tests and recorded vectors.
  virtual std::string text() const { return {}; }
  /// The name under which a recorded value is written, such as `quantity`.
  virtual std::string_view tag() const { return "opaque"; }
  /// The server fails to compare anything with the value.
  virtual bool is_never_equal() const { return false; }
  /// A member of a value that is looked up by name (`variables.x`, `Object.spec`); `found` says if there is
  /// one.
  virtual Datum member(std::string_view name, bool& found) const;
  /// Returns true if member() is defined for the type.
  virtual bool has_members() const { return false; }
};

}  // namespace fixpoint::apiserver::cel
