#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "injectors/rows/injector.h"

/// KServe's pod injectors, release by release. A single injector is the composed webhook with only that step.
/// It has the same checks, namespace, decoding, encoding and configuration, but reads only its own sections
/// of the config map.
namespace fixpoint::injectors::kserve {

inline constexpr auto kReleases = std::to_array<std::string_view>(
    {"0.11.2", "0.12.0", "0.12.1", "0.13.1", "0.14.1", "0.15.0", "0.15.1", "0.15.2", "0.16.0", "0.17.0",
     "0.17.1", "0.18.0", "0.18.1", "0.19.0", "0.20.0"});
/// Returns the composed webhook, then its steps in upstream's order, each for the releases that have it.
std::vector<Injector> pod_injectors();

}  // namespace fixpoint::injectors::kserve
