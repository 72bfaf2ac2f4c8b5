#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "generators/pod/pod_builder.h"

namespace fixpoint::generators {

/// The frequency of a feature in Pods, and its meaning.
enum class Tier : std::uint8_t {
  common,  ///< in most Pods
  exotic,  ///< legal but rare
  defect,  ///< refused by the API server
};

/// The place of a feature: a part that exists, or a new element of a list.
enum class Place : std::uint8_t {
  metadata,
  spec,
  container,       ///< regular ones and native sidecars
  any_container,   ///< plain init containers too
  init_container,  ///< a new one
  volume,          ///< a new one, mounted somewhere
  mount,           ///< of a new volume
  env,             ///< a new entry
  port,            ///< a new one
};

/// One thing that a Pod may have: a row of a part's table.
struct Feature {
  std::string_view name;  ///< part/what
  Tier tier;
  Place place;
  std::string_view fragment = {};  ///< JSON that is brought in there; of a list of alternatives, one
  void (*add)(PodBuilder& builder, Value& at) = nullptr;  ///< then this; in place of `at` it may change all
                                                          ///< of the Pod's other part (metadata or spec)
};

/// Adds an element of the user's own with the key of one that the webhook of these words adds: an equal one,
/// or one with other contents.
void put_alike(PodBuilder& builder, const PreparedVocabulary& prepared_vocabulary);

/// Where an annotation lists keys of the Pod's annotations or labels: one more, which has a prefix.
void put_longer_list(PodBuilder& builder);

/// Adds the feature to the Pod, which has a container.
void put(const Feature& feature, PodBuilder& builder);

// One table a part; each in a file of its own.
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

/// All rows of all tables, and those of one tier. Made once.
std::span<const Feature* const> all_features();
std::span<const Feature* const> features_of(Tier tier);
/// Those that give a Pod or a container a member of that name; no defects.
std::span<const Feature* const> features_about(std::string_view member);

}  // namespace fixpoint::generators
