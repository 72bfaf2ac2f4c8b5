#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fixpoint::cases {

struct Cluster;

/// The Kubernetes minors that the simulator supports: 1.29 to 1.36. All else that names the newest or the
/// oldest one is derived from these two numbers (docs/kubernetes-minor.md).
inline constexpr int kOldestMinor = 29, kNewestMinor = 36;
/// The minor of recorded lines that name none: that of corpus/conformance/recorder/go.mod.
inline constexpr int kRecordedMinor = 36;

/// The first minor that serves the subresource resize of Pods.
inline constexpr int kResizeServedSince = 33;

/// Returns the version of a minor: "1.36".
std::string version_of(int minor);
/// The version of the newest minor: "1.36".
inline constexpr char kNewestVersionText[] = {'1', '.', '0' + kNewestMinor / 10, '0' + kNewestMinor % 10};
inline constexpr std::string_view kNewestVersion{kNewestVersionText, sizeof kNewestVersionText};
/// Returns all supported versions, oldest first.
const std::vector<std::string>& versions();
/// Returns the supported versions for a message: "1.29 to 1.36".
std::string versions_in_words();
/// Returns the minor of a supported version; nothing for any other text.
std::optional<int> supported_minor(std::string_view version);
/// Returns the minor of a Case's version: 36 for "1.36", and for a version that is not supported, which no
/// Case that was read has.
int minor_of(const Cluster& cluster);

}  // namespace fixpoint::cases
