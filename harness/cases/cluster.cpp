#include <algorithm>
#include <utility>

#include "harness/cases/built_in_objects.h"
#include "harness/cases/case.h"
#include "harness/document/cut.h"

namespace fixpoint::cases {

namespace {

/// The identity of an object in a cluster.
struct Identity {
  explicit Identity(const Value& object)
      : kind(object["kind"].text()),
        namespace_name(object["metadata"]["namespace"].text()),
        name(object["metadata"]["name"].text()) {}
  std::string_view kind, namespace_name, name;
};

/// The identities of a cluster's objects, in their order. It keeps the objects, whose texts the identities
/// refer to.
struct Directory {
  std::vector<Value> objects = {};
  std::vector<Identity> identities = {};
};

bool is_of(const Directory& directory, const std::vector<Value>& objects) {
  return std::equal(directory.objects.begin(), directory.objects.end(), objects.begin(), objects.end(),
                    [](const Value& a, const Value& b) { return a.same(b); });
}

/// The server and the webhooks look up a Case's cluster dozens of times in a row, so each thread keeps the
/// directory of the last cluster.
const std::vector<Identity>& identities_of(const Cluster& cluster) {
  static thread_local Directory directory;
  if (is_of(directory, cluster.objects)) return directory.identities;
  Directory next{.objects = cluster.objects};
  for (const Value& object : next.objects) {
    const auto known = std::find_if(directory.objects.begin(), directory.objects.end(),
                                    [&](const Value& one) { return one.same(object); });
    const auto place = static_cast<std::size_t>(known - directory.objects.begin());
    next.identities.push_back(known == directory.objects.end() ? Identity(object)
                                                               : directory.identities[place]);
  }
  directory = std::move(next);
  return directory.identities;
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

const Value* Cluster::find(std::string_view kind, std::string_view namespace_name,
                           std::string_view name) const {
  document::heed_end_in_loop();
  const std::vector<Identity>& identities = identities_of(*this);
  for (std::size_t i = identities.size(); i-- > 0;) {
    const Identity& identity = identities[i];
    if (identity.name == name && identity.kind == kind && identity.namespace_name == namespace_name)
      return &objects[i];
  }
  return kind == "PriorityClass" ? built_in_object(kind, namespace_name, name) : nullptr;
}

void Cluster::add_missing(Value object) {
  const Value& metadata = object["metadata"];
  const Value* known = find(object["kind"].text(), metadata["namespace"].text(), metadata["name"].text());
  if (known == nullptr) objects.push_back(std::move(object));
}

bool Cluster::has_kind(std::string_view kind) const {
  const std::vector<Identity>& identities = identities_of(*this);
  return std::any_of(identities.begin(), identities.end(),
                     [&](const Identity& identity) { return identity.kind == kind; });
}

std::vector<const Value*> Cluster::of_kind(std::string_view kind) const {
  const std::vector<Identity>& identities = identities_of(*this);
  std::vector<const Value*> found;
  for (std::size_t i = 0; i < identities.size(); ++i) {
    if (identities[i].kind == kind) found.push_back(&objects[i]);
  }
  std::stable_sort(found.begin(), found.end(), [&](const Value* a, const Value* b) {
    return identities[static_cast<std::size_t>(a - objects.data())].name <
           identities[static_cast<std::size_t>(b - objects.data())].name;
  });
  return found;
}

}  // namespace fixpoint::cases
