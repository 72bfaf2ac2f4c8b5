#pragma once

#include <optional>
#include <utility>

#include "harness/document/diff.h"
#include "harness/document/patch.h"

namespace fixpoint::webhooks {

/// The response.patch of an answer, if there is one: a list of operations, or a string if its bytes were not
/// JSON. A webhook in this process may instead provide the object before and after its change; the operations
/// are then computed on first use.
class SentPatch {
 public:
  using Value = document::Value;
  using Make = Value (*)(const Value& before, const Value& after);

  SentPatch() = default;
  SentPatch(Value sent) : sent_(std::move(sent)) {}  // NOLINT(google-explicit-constructor)
  /// `make` computes the operations that turn `before` into `after`; there is at least one.
  SentPatch(Value before, Value after, Make make)
      : before_(std::move(before)), after_(std::move(after)), make_(make) {}

  bool has_value() const { return sent_.has_value() || make_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const Value& operator*() const {
    if (!sent_) sent_ = make_(before_, after_);
    return *sent_;
  }
  const Value* operator->() const { return &**this; }
  Value value_or(Value other) const { return has_value() ? **this : std::move(other); }
  void reset() { *this = {}; }

  /// Returns true if the patch was given as a change of an object; such a patch is never empty.
  bool is_made() const { return make_ != nullptr; }
  /// Returns the result of applying the patch to this very object if the patch was made from it, else
  /// nullptr.
  const Value* made_from(const Value& object) const {
    return make_ != nullptr && before_.same(object) ? &after_ : nullptr;
  }
  /// Returns the object with this patch, which there must be, before any decoding or defaulting; nothing if
  /// the patch cannot be applied.
  std::optional<Value> applied_to(const Value& object) const {
    if (const Value* after = made_from(object)) return *after;
    auto patched = document::apply_patch(object, **this);
    if (!patched.ok()) return std::nullopt;
    return std::move(patched.document);
  }

  friend bool operator==(const SentPatch& a, const SentPatch& b) {
    if (a.is_made() && a.make_ == b.make_ && a.before_.same(b.before_) && a.after_ == b.after_) return true;
    return a.has_value() == b.has_value() && (!a.has_value() || *a == *b);
  }

 private:
  mutable std::optional<Value> sent_ = {};
  Value before_ = {}, after_ = {};
  Make make_ = nullptr;
};

}  // namespace fixpoint::webhooks
