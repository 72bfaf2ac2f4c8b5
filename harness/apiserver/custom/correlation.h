#pragma once

#include <optional>
#include <string_view>

#include "harness/document/value.h"

namespace fixpoint::apiserver::custom {

/// A value of an updated custom resource beside the value that it replaces
/// (k8s.io/apiserver/pkg/cel/common/equality.go CorrelatedObject). Refers to both objects and to the schema,
/// which must outlive it.
class Correlation {
 public:
  using Value = document::Value;
  Correlation(const Value& now, const Value& old, const Value& schema)
      : now_(&now), old_(&old), schema_(&schema) {}

  const Value& old() const { return *old_; }
  /// Returns the correlation of a member; nothing if either object lacks it or the schema does not specify
  /// it.
  std::optional<Correlation> member(std::string_view name) const;
  /// Returns the correlation of an element by the keys of its list; nothing for lists that are no maps.
  std::optional<Correlation> element(std::size_t index) const;
  /// Returns true if nothing changed: then the server forgives what it would refuse in a new object. A value
  /// with a member that the schema does not specify never counts as unchanged.
  bool is_unchanged() const;

 private:
  const Value* now_;
  const Value* old_;
  const Value* schema_;
};

/// The first minor whose servers forgive what an update leaves as it was.
inline constexpr int kForgivesUnchanged = 30;

/// Returns the members of an element by which a list that is a map knows it.
document::Value key_of_element(const document::Value& element, const document::Value& keys);

/// The keyword of a schema whose values are resources with metadata of their own.
inline constexpr const char* kEmbeddedKey = "x-kubernetes-embedded-resource";
inline constexpr const char* kKeepsUnknownKey = "x-kubernetes-preserve-unknown-fields";

/// Returns the schema of a member; null if the schema of its object does not specify it.
const document::Value& schema_of_member(const document::Value& schema, const document::Name& member);

}  // namespace fixpoint::apiserver::custom
