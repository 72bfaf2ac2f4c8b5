#pragma once

#include <cstddef>

#include "harness/document/value.h"

namespace fixpoint::apiserver::validation {

/// A Pod prepared for creation in which nothing was wrong, when one is known that shares much with the Pod at
/// hand: of what is the same there, under the same settings, nothing is wrong here either. Made from nothing
/// it knows nothing, and every check looks at everything.
class Passed {
 public:
  using Value = document::Value;
  using Name = document::Name;

  Passed() = default;
  Passed(const Value& passed, const Value& pod, bool has_same_options);

  /// Nothing (null) where no Pod is known.
  const Value& metadata() const { return pod_["metadata"]; }
  /// Whether a container of that list passed as it is. All that it is judged by beside itself is the same,
  /// but the volumes.
  bool has_container(const Name& list, std::size_t place, const Value& container) const;
  /// Whether the volume, which mostly stands at that place, passed as it is.
  bool has_volume(std::size_t place, const Value& volume) const;
  /// Whether that member of the spec passed as it is, judged by itself alone.
  bool has_member(const Name& name, const Value& value) const { return is_known_ && spec_[name] == value; }

 private:
  bool is_known_ = false;           ///< under the same options
  bool has_same_settings_ = false;  ///< of all that containers are judged by
  bool has_same_name_ = false;
  Value pod_ = {}, spec_ = {};
};

}  // namespace fixpoint::apiserver::validation
