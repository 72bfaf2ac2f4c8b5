#include <array>
#include <string>

#include "generators/pod/feature.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

/// The server's bounds on a DNS label, on a DNS subdomain, and on the name in a key of labels.
constexpr std::size_t kLabelMax = 63, kSubdomainMax = 253;

/// Returns a name of that size which begins with the given one; DNS labels of a longer one are cut by dots.
std::string name_of_size(std::string_view begin, std::size_t size) {
  std::string name(begin);
  while (name.size() < size) name += name.size() % (kLabelMax + 1) == kLabelMax ? '.' : 'n';
  if (name.back() == '.') name.back() = 'n';
  return name;
}

/// Gives one container of the Pod the longest name that the server takes, or one near it: keys and names that
/// a webhook makes of it get too long.
void longest_container_name(PodBuilder& builder, Value& spec) {
  static constexpr std::array<std::size_t, 3> kSizes{kLabelMax, 60, 49};
  const std::string name = name_of_size("c", builder.c.pick(kSizes));
  if (builder.has_container(name)) return;
  const bool is_init = !spec["initContainers"].elements().empty() && builder.c.one_in(3);
  const char* list = is_init ? "initContainers" : "containers";
  if (spec[list].elements().empty()) return;
  Value& containers = spec.edit(list);
  const auto at = builder.c.below(containers.size());
  if (containers.at(at).is_object()) containers.edit(at).set("name", name);
}

void longest_volume_name(PodBuilder& builder, Value& spec) {
  const std::string name = name_of_size("v", kLabelMax);
  merge_into(spec, {{"volumes", Value::list({Value{{"name", name}, {"emptyDir", Value::empty_object()}}})}});
  builder.mount(name);
}

void longest_name(PodBuilder& builder, Value& metadata) {
  if (builder.c.coin()) {
    metadata.remove("generateName");
    return metadata.set("name", name_of_size("web", builder.c.coin() ? kSubdomainMax : kLabelMax));
  }
  metadata.remove("name");
  metadata.set("generateName",
               name_of_size("web", builder.c.coin() ? kSubdomainMax - 1 : kLabelMax - 1) + "-");
}

void longest_label(PodBuilder& builder, Value& metadata) {
  const std::string key = name_of_size("k", kLabelMax);
  if (!metadata["labels"].is_object()) metadata.set("labels", Value::empty_object());
  metadata.edit("labels").set(builder.c.coin() ? "shop.example.com/" + key : key,
                              name_of_size("v", kLabelMax));
}

void longest_env_name(PodBuilder&, Value& container) {
  container.edit("env").push_back({{"name", std::string(128, 'E')}, {"value", "x"}});
}

constexpr Feature kLongestNames[] = {
    {"longest/container-name", exotic, Place::spec, {}, longest_container_name},
    {"longest/volume-name", exotic, Place::spec, {}, longest_volume_name},
    {"longest/name", exotic, Place::metadata, {}, longest_name},
    {"longest/label", exotic, Place::metadata, {}, longest_label},
    {"longest/env-name", exotic, Place::any_container, {}, longest_env_name},
};

}  // namespace

std::span<const Feature> longest_names() { return kLongestNames; }

}  // namespace fixpoint::generators
