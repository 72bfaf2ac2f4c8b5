#include "harness/cases/plain_namespace.h"

#include <utility>

#include "harness/cases/kind.h"

namespace fixpoint::cases {

namespace {

constexpr std::string_view kPrefix = "space-";

bool is_in(const Value& object, std::string_view space, const Cluster& cluster) {
  const std::string_view stated = object["metadata"]["namespace"].text();
  if (!stated.empty()) return stated == space;
  const auto kind = find_kind(object["apiVersion"].text(), object["kind"].text(), cluster);
  return space == Request().namespace_name && kind && kind->is_namespaced;
}

}  // namespace

std::string plain_namespace(std::uint64_t number) {
  const std::uint64_t place = number % kPlainNamespaces;
  return std::string(kPrefix) + static_cast<char>('0' + place / 10) + static_cast<char>('0' + place % 10);
}

bool is_plain_namespace(std::string_view name) {
  if (!name.starts_with(kPrefix) || name.size() != kPrefix.size() + 2) return false;
  const char tens = name[kPrefix.size()], ones = name[kPrefix.size() + 1];
  if (tens < '0' || tens > '9' || ones < '0' || ones > '9') return false;
  return static_cast<std::uint64_t>(tens - '0') * 10 + static_cast<std::uint64_t>(ones - '0') <
         kPlainNamespaces;
}

Case in_namespace(Case value, const std::string& name) {
  const std::string before = std::exchange(value.request.namespace_name, name);
  for (Value* object : {&value.request.object, &value.request.old_object})
    if ((*object)["metadata"]["namespace"].is_string()) object->edit("metadata").set("namespace", name);
  const Cluster known = value.cluster;  // the kinds refer to its definitions
  for (Value& object : value.cluster.objects) {
    const bool is_it = object["apiVersion"].text() == "v1" && object["kind"].text() == "Namespace" &&
                       object["metadata"]["name"].text() == before;
    if (is_it || is_in(object, before, known))
      object.edit("metadata").set(is_it ? "name" : "namespace", name);
  }
  return value;
}

}  // namespace fixpoint::cases
