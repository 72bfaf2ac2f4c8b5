#pragma once

#include <array>
#include <string_view>

#include "harness/runner/subject.h"
#include "harness/webhooks/webhook.h"

/// KServe's pod injectors, release by release. A single injector stands for the composed webhook with only
/// that step: the same gate, namespace, decoding, encoding and configuration; only its own sections of the
/// config map are read.
namespace fixpoint::injectors::kserve {

inline constexpr std::array<std::string_view, 11> kReleases{"0.11.2", "0.12.0", "0.12.1", "0.13.1",
                                                            "0.14.1", "0.15.0", "0.15.2", "0.16.0",
                                                            "0.17.0", "0.18.0", "0.20.0"};
/// Modelcars and Istio's context came with 0.12.0.
inline constexpr std::array<std::string_view, 10> kReleasesFrom0120{
    "0.12.0", "0.12.1", "0.13.1", "0.14.1", "0.15.0", "0.15.2", "0.16.0", "0.17.0", "0.18.0", "0.20.0"};

runner::Subject pod_mutator_subject(std::string_view release);
webhooks::Handler pod_mutator_handler(std::string_view release);
runner::Subject accelerator_subject(std::string_view release);
webhooks::Handler accelerator_handler(std::string_view release);
runner::Subject storage_initializer_subject(std::string_view release);
webhooks::Handler storage_initializer_handler(std::string_view release);
runner::Subject istio_cni_subject(std::string_view release);
webhooks::Handler istio_cni_handler(std::string_view release);
runner::Subject agent_subject(std::string_view release);
webhooks::Handler agent_handler(std::string_view release);
runner::Subject metrics_subject(std::string_view release);
webhooks::Handler metrics_handler(std::string_view release);
runner::Subject modelcar_subject(std::string_view release);
webhooks::Handler modelcar_handler(std::string_view release);

}  // namespace fixpoint::injectors::kserve
