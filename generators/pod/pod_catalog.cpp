#include <array>
#include <map>
#include <unordered_map>

#include "generators/pod/feature.h"
#include "harness/document/check.h"
#include "harness/document/json.h"

namespace fixpoint::generators {

namespace {

constexpr std::array kParts{metadata_features,   container_features, env_features,        port_features,
                            probe_features,      resource_features,  security_features,   volume_features,
                            scheduling_features, network_features,   near_match_features, canary_features,
                            unusual_features,    longest_names};

/// The rows of all tables, with their fragments parsed.
struct Catalog {
  std::vector<const Feature*> all;
  std::array<std::vector<const Feature*>, 3> tiers;
  std::unordered_map<const Feature*, std::vector<Value>> fragments;
  std::map<std::string, std::vector<const Feature*>, std::less<>> about;
};

void file_by_members(Catalog& catalog, const Feature& feature) {
  if (feature.tier == Tier::defect) return;
  for (const Value& fragment : catalog.fragments[&feature]) {
    for (const auto& member : fragment.members()) {
      auto& about = catalog.about[std::string(member.key.text())];
      if (about.empty() || about.back() != &feature) about.push_back(&feature);
    }
  }
}

const Catalog& catalog() {
  static const Catalog made = [] {
    Catalog result;
    for (const auto part : kParts) {
      for (const Feature& feature : part()) {
        result.all.push_back(&feature);
        result.tiers[static_cast<std::size_t>(feature.tier)].push_back(&feature);
        if (feature.fragment.empty()) continue;
        const auto read = document::read_json(feature.fragment);
        document::check(read.ok(), "the fragment of a feature is JSON");
        const auto alternatives = read->elements();
        auto& fragments = result.fragments[&feature];
        if (read->is_array())
          fragments.assign(alternatives.begin(), alternatives.end());
        else
          fragments.push_back(*read);
        file_by_members(result, feature);
      }
    }
    return result;
  }();
  return made;
}

/// Adds a new element to that list in some containers.
void put_element(const Feature& feature, PodBuilder& builder, const Value& fragment, const char* list) {
  Value element = Value::empty_object();
  if (feature.place == Place::env && fragment["name"].is_null())
    element.set("name", builder.word(NameKind::env));
  merge_into(element, fragment);
  if (feature.add != nullptr) feature.add(builder, element);
  builder.some_containers(feature.place == Place::env,
                          [&](Value& container) { container.edit(list).push_back(element); });
}

void put_volume(const Feature& feature, PodBuilder& builder, const Value& fragment) {
  Value volume = feature.place == Place::volume ? fragment : Value{{"emptyDir", Value::empty_object()}};
  if (feature.add != nullptr) feature.add(builder, volume);
  const Value name = builder.add_volume(volume);
  if (feature.place == Place::mount)
    builder.mount(name, fragment);
  else if (builder.c.below(4) != 0)
    builder.mount(name);
}

}  // namespace

void put(const Feature& feature, PodBuilder& builder) {
  static const Value kNothing;
  builder.features.push_back(feature.name);
  const auto found = catalog().fragments.find(&feature);
  const Value& fragment = found == catalog().fragments.end() ? kNothing : builder.c.pick(found->second);
  const auto change = [&](Value& at) {
    merge_into(at, fragment);
    if (feature.add != nullptr) feature.add(builder, at);
  };
  switch (feature.place) {
    case Place::metadata:
      return change(builder.metadata);
    case Place::spec:
      return change(builder.spec);
    case Place::container:
      return builder.some_containers(false, change);
    case Place::any_container:
      return builder.some_containers(true, change);
    case Place::env:
      return put_element(feature, builder, fragment, "env");
    case Place::port:
      return put_element(feature, builder, fragment, "ports");
    case Place::volume:
    case Place::mount:
      return put_volume(feature, builder, fragment);
    case Place::init_container: {
      Value container{{"name", builder.fresh_container_name(NameKind::init_container)}, {"image", "x:1"}};
      change(container);
      builder.spec.edit("initContainers").push_back(std::move(container));
    }
  }
}

std::span<const Feature* const> all_features() { return catalog().all; }
std::span<const Feature* const> features_about(std::string_view member) {
  const auto found = catalog().about.find(member);
  return found == catalog().about.end() ? std::span<const Feature* const>() : found->second;
}
std::span<const Feature* const> features_of(Tier tier) {
  return catalog().tiers[static_cast<std::size_t>(tier)];
}

}  // namespace fixpoint::generators
