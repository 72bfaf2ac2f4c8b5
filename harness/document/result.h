#pragma once

#include <string>
#include <utility>
#include <variant>

#include "harness/document/check.h"
#include "harness/document/utf8.h"

namespace fixpoint::document {

/// An error in foreign input, in one line for display. `place` is a file, a document number or a JSON
/// pointer, as far as known; callers prepend their own part.
struct Error {
  std::string message;
  std::string place = {};

  /// "place: message", or the message alone; one line, whatever the foreign text was.
  std::string text() const { return one_line(place.empty() ? message : place + ": " + message); }
  /// The same error with `outer` in front of its place.
  Error within(const std::string& outer) && {
    place = place.empty() ? outer : outer + ": " + place;
    return std::move(*this);
  }
};

/// A value, or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const& { return (check(ok(), "value() of a failed Result"), std::get<0>(state_)); }
  T& value() & { return (check(ok(), "value() of a failed Result"), std::get<0>(state_)); }
  T&& value() && { return (check(ok(), "value() of a failed Result"), std::get<0>(std::move(state_))); }
  const Error& error() const& { return (check(!ok(), "error() of a good Result"), std::get<1>(state_)); }
  Error&& error() && { return (check(!ok(), "error() of a good Result"), std::get<1>(std::move(state_))); }

  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace fixpoint::document
