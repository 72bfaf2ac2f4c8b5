#pragma once

#include <memory>

#include "harness/cases/case.h"
#include "injectors/kserve/common.h"

namespace fixpoint::injectors::kserve {

/// The sections of the config map that a webhook reads, as bits.
enum Section : unsigned {
  kNoSection = 0,
  kCredentials = 1,
  kStorage = 2,
  kLogger = 4,
  kBatcher = 8,
  kAgentSection = 16,
  kMetrics = 32,
  kAllSections = 63,
};

/// The ways to serve a model image (docs/kserve.md#2-4-mode); empty means that it is not served.
inline constexpr std::string_view kOciModelcar = "modelcar", kOciNative = "native", kOciFetch = "fetch";

/// Returns the mode that a URI itself names, `oci+MODE://…` (upstream's ParseOciScheme); empty for every
/// other URI.
std::string_view explicit_oci_mode(std::string_view uri);

/// The config map `inferenceservice-config` as a release understands it. The sections are structs of Go's
/// encoding/json: absent members are zero.
struct Config {
  Problem problem = {};  ///< of the first invalid section; stops the call for every labelled Pod
  Value credentials = {};
  Value storage = {};
  Value storage_resources = {};  ///< limits and requests of the init container
  std::string_view oci_mode = {};
  Value car_resources = {};  ///< resources of modelcars; null if an amount cannot be parsed
  Value logger = {};
  Value agent = {};
  Value agent_resources = {};
  Value metrics = {};
};

/// Parses the sections in upstream's order. Each thread caches the results for a few maps, by identity.
std::shared_ptr<const Config> read_config(const Value& config_map, unsigned sections, const Common& release);

/// Returns the logger's configuration of one call. From 0.16.0 on, an InferenceService with its own logger
/// replaces the config map's values for the store (#4740).
Value logger_of(const Config& config, const Value* inference_service, const Common& release);

/// Returns the config map as the release ships it.
Value shipped_config_map(const Common& release);
/// Returns the config map with a section replaced.
Value config_map_with(Value map, std::string_view section, std::string_view text);

}  // namespace fixpoint::injectors::kserve
