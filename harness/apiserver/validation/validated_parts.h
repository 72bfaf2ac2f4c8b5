#pragma once

#include <cstddef>

#include "harness/document/value.h"

namespace fixpoint::apiserver::validation {

/// A Pod that was prepared for creation and found valid, and that shares parts with the Pod at hand. Parts
/// that are the same, under the same settings, need no second check. A default-constructed one knows no such
/// Pod, so that every check runs in full.
class ValidatedParts {
 public:
  using Value = document::Value;
  using Name = document::Name;

  ValidatedParts() = default;
  ValidatedParts(const Value& passed, const Value& pod, bool has_same_options);

  /// Null if no such Pod is known.
  const Value& metadata() const { return pod_["metadata"]; }
  /// Returns true if the same container of that list was valid and everything else that its checks depend on
  /// is equal, except the volumes.
  bool has_container(const Name& list, std::size_t place, const Value& container) const;
  /// Returns true if the same volume was valid; `place` is its likely index.
  bool has_volume(std::size_t place, const Value& volume) const;
  /// Returns true if that member of the spec was valid, for checks that depend on nothing else.
  bool has_member(const Name& name, const Value& value) const { return is_known_ && spec_[name] == value; }

 private:
  bool is_known_ = false;           ///< under the same options
  bool has_same_settings_ = false;  ///< in the spec members that the checks of containers depend on
  bool has_same_name_ = false;
  Value pod_ = {}, spec_ = {};
};

}  // namespace fixpoint::apiserver::validation
