#pragma once

#include <array>
#include <string_view>

#include "harness/runner/subject.h"
#include "harness/webhooks/webhook.h"

/// KServe's pod injectors, release by release. A single injector stands for the composed webhook with only
/// that step: the same gate, namespace, decoding, encoding and configuration; only its own section of the
/// config map is read.
namespace fixpoint::injectors::kserve {

inline constexpr std::array<std::string_view, 11> kReleases{"0.11.2", "0.12.0", "0.12.1", "0.13.1",
                                                            "0.14.1", "0.15.0", "0.15.2", "0.16.0",
                                                            "0.17.0", "0.18.0", "0.20.0"};
inline constexpr auto kMetricsReleases = kReleases;
/// Modelcars came with 0.12.0.
inline constexpr std::array<std::string_view, 10> kModelcarReleases{
    "0.12.0", "0.12.1", "0.13.1", "0.14.1", "0.15.0", "0.15.2", "0.16.0", "0.17.0", "0.18.0", "0.20.0"};

runner::Subject metrics_subject(std::string_view release);
webhooks::Handler metrics_handler(std::string_view release);
runner::Subject modelcar_subject(std::string_view release);
webhooks::Handler modelcar_handler(std::string_view release);

}  // namespace fixpoint::injectors::kserve
