#pragma once

#include <string_view>

namespace fixpoint::apiserver {

// Annotations that the API server itself reads.
inline constexpr std::string_view kMirrorAnnotation = "kubernetes.io/config.mirror";
inline constexpr std::string_view kTolerationsAnnotation = "scheduler.alpha.kubernetes.io/tolerations";
inline constexpr std::string_view kDeletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost";
inline constexpr std::string_view kSeccompPodAnnotation = "seccomp.security.alpha.kubernetes.io/pod";
inline constexpr std::string_view kSeccompPrefix = "container.seccomp.security.alpha.kubernetes.io/";
inline constexpr std::string_view kAppArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
inline constexpr std::string_view kLocalhostPrefix = "localhost/";

}  // namespace fixpoint::apiserver
