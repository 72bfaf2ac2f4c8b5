#pragma once

#include <string>
#include <string_view>

#include "harness/document/value.h"

namespace fixpoint::cases {

/// A kind and its API group: the versions of a group are one kind. As a text it is written as Kubernetes
/// writes it (runtime/schema GroupKind): `Secret` of the core group, `RuntimeClass.node.k8s.io`.
struct GroupKind {
  std::string_view kind, group;
  constexpr GroupKind(std::string_view kind_name, std::string_view group_name)
      : kind(kind_name), group(group_name) {}
  constexpr GroupKind(std::string_view text)  // NOLINT(google-explicit-constructor)
      : kind(text.substr(0, text.find('.'))),
        group(kind.size() == text.size() ? std::string_view() : text.substr(kind.size() + 1)) {}
  constexpr GroupKind(const char* text)  // NOLINT(google-explicit-constructor)
      : GroupKind(std::string_view(text)) {}
  GroupKind(const std::string& text)  // NOLINT(google-explicit-constructor)
      : GroupKind(std::string_view(text)) {}
  bool operator==(const GroupKind&) const = default;
};
/// The group of an apiVersion: `apps` of `apps/v1`, empty of `v1`.
constexpr std::string_view group_of(std::string_view api_version) {
  const auto slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}
/// The kind of an object. One without an apiVersion is taken for the kind of Kubernetes that has its name.
GroupKind group_kind_of(const document::Value& object);

/// The name under which a cluster holds an object: no two objects of one cluster have the same. It refers to
/// the texts of the object, which must outlive it.
struct ObjectName {
  GroupKind kind;
  std::string_view namespace_name, name;
  ObjectName(GroupKind of_kind, std::string_view in_namespace, std::string_view own_name)
      : kind(of_kind), namespace_name(in_namespace), name(own_name) {}
  explicit ObjectName(const document::Value& object)
      : ObjectName(group_kind_of(object), object["metadata"]["namespace"].text(),
                   object["metadata"]["name"].text()) {}
  bool operator==(const ObjectName&) const = default;
};

/// Returns true if two objects cannot be in one cluster.
inline bool have_same_name(const document::Value& a, const document::Value& b) {
  return ObjectName(a) == ObjectName(b);
}

}  // namespace fixpoint::cases
