#include <algorithm>
#include <utility>

#include "harness/cases/built_in_objects.h"
#include "harness/cases/case.h"
#include "harness/document/cut.h"

namespace fixpoint::cases {

namespace {

/// The names of a cluster's objects, in their order. It keeps the objects, whose texts the names refer to.
struct Directory {
  std::vector<Value> objects = {};
  std::vector<ObjectName> names = {};
};

bool is_of(const Directory& directory, const std::vector<Value>& objects) {
  return std::equal(directory.objects.begin(), directory.objects.end(), objects.begin(), objects.end(),
                    [](const Value& a, const Value& b) { return a.same(b); });
}

/// The server and the webhooks look up a Case's cluster dozens of times in a row, so each thread keeps the
/// directory of the last cluster.
const std::vector<ObjectName>& names_of(const Cluster& cluster) {
  static thread_local Directory directory;
  if (is_of(directory, cluster.objects)) return directory.names;
  Directory next{.objects = cluster.objects};
  for (const Value& object : next.objects) {
    const auto known = std::find_if(directory.objects.begin(), directory.objects.end(),
                                    [&](const Value& one) { return one.same(object); });
    const auto place = static_cast<std::size_t>(known - directory.objects.begin());
    next.names.push_back(known == directory.objects.end() ? ObjectName(object) : directory.names[place]);
  }
  directory = std::move(next);
  return directory.names;
}

}  // namespace

bool Cluster::has_plugin(std::string_view name) const {
  return std::find(admission_plugins.begin(), admission_plugins.end(), name) != admission_plugins.end();
}

const Value& Cluster::settings_of(std::string_view plugin) const {
  static const Value none;
  const auto found = plugin_settings.find(std::string(plugin));
  return found == plugin_settings.end() ? none : found->second;
}

const Value* Cluster::find(GroupKind kind, std::string_view namespace_name, std::string_view name) const {
  return find(ObjectName(kind, namespace_name, name));
}

const Value* Cluster::find(const ObjectName& object) const {
  document::heed_end_in_loop();
  const std::vector<ObjectName>& names = names_of(*this);
  const auto found = std::find(names.rbegin(), names.rend(), object);
  if (found != names.rend()) return &objects[static_cast<std::size_t>(names.rend() - found) - 1];
  return object.kind.kind == "PriorityClass" ? built_in_object(object) : nullptr;
}

void Cluster::add_missing(Value object) {
  if (find(ObjectName(object)) == nullptr) objects.push_back(std::move(object));
}

bool Cluster::has_kind(GroupKind kind) const {
  const std::vector<ObjectName>& names = names_of(*this);
  return std::any_of(names.begin(), names.end(), [&](const ObjectName& one) { return one.kind == kind; });
}

std::vector<const Value*> Cluster::of_kind(GroupKind kind) const {
  const std::vector<ObjectName>& names = names_of(*this);
  std::vector<const Value*> found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].kind == kind) found.push_back(&objects[i]);
  }
  std::stable_sort(found.begin(), found.end(), [&](const Value* a, const Value* b) {
    return names[static_cast<std::size_t>(a - objects.data())].name <
           names[static_cast<std::size_t>(b - objects.data())].name;
  });
  return found;
}

}  // namespace fixpoint::cases
