#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "generators/pod/pod_builder.h"

namespace fixpoint::generators {

/// The frequency of a feature in Pods, and its effect.
enum class Tier : std::uint8_t {
  common,  ///< in most Pods
  exotic,  ///< legal but rare
  defect,  ///< refused by the API server
};

/// The place of a feature: an existing part, or a new element of a list.
enum class Place : std::uint8_t {
  metadata,
  spec,
  container,       ///< a regular container or native sidecar
  any_container,   ///< a plain init container, too
  init_container,  ///< a new init container
  volume,          ///< a new volume, mounted somewhere
  mount,           ///< a mount of a new volume
  env,             ///< a new variable
  port,            ///< a new port
};

/// A feature that a Pod may have: a row in the table of its part of the Pod.
struct Feature {
  std::string_view name;  ///< part/what
  Tier tier;
  Place place;
  std::string_view fragment = {};  ///< JSON that is merged in there; one element of a list of alternatives
  void (*add)(PodBuilder& builder, Value& at) = nullptr;  ///< then runs; may also change the Pod's other part
};

/// Adds a user's element with the key of an element that the webhook of this vocabulary adds: an equal one,
/// or one with other contents.
void put_alike(PodBuilder& builder, const PreparedVocabulary& prepared_vocabulary);

/// Finds an annotation that lists keys of the Pod's annotations or labels, and adds a key with a prefix to
/// it.
void put_longer_list(PodBuilder& builder);

/// Adds the feature to the Pod, which must have a container.
void put(const Feature& feature, PodBuilder& builder);

// One table for each part of a Pod, each in its own file.
std::span<const Feature> metadata_features();
std::span<const Feature> container_features();
std::span<const Feature> env_features();
std::span<const Feature> port_features();
std::span<const Feature> probe_features();
std::span<const Feature> resource_features();
std::span<const Feature> security_features();
std::span<const Feature> volume_features();
std::span<const Feature> scheduling_features();
std::span<const Feature> network_features();
std::span<const Feature> near_match_features();
std::span<const Feature> canary_features();
std::span<const Feature> unusual_features();
std::span<const Feature> longest_names();

/// Returns all rows of all tables, and the rows of one tier. Both are built once.
std::span<const Feature* const> all_features();
std::span<const Feature* const> features_of(Tier tier);
/// Returns the features that give a Pod or a container a member of that name, except for defects.
std::span<const Feature* const> features_about(std::string_view member);

}  // namespace fixpoint::generators
