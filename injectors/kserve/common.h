#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/document/value.h"
#include "harness/runner/learning/subject.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::injectors::kserve {

using document::Value;

/// The differences between releases that concern every injector.
struct Common {
  std::string_view release;
  int number;      ///< 0.15.2 is 1502, so that releases can be compared
  int library;     ///< the Kubernetes minor of the types that it was built with (docs/kserve.md#1-4)
  bool reinvoked;  ///< since 0.12.0: reinvocationPolicy IfNeeded, and CREATE only (#3316, #3163)
  bool recovers;   ///< from panics, since 0.15.0: its go.mod has controller-runtime 0.19 or newer
};
const Common& common(std::string_view release);

/// Returns the last row of a table of switches that holds for a release; each row begins with `since`, and
/// the oldest is first.
template <class Rows>
const auto& switches_of(const Rows& rows, const Common& release) {
  std::size_t row = 0;
  while (row + 1 < rows.size() && release.number >= rows[row + 1].since) ++row;
  return rows[row];
}

/// The reason why the webhook stops: it refuses the Pod with 500, or it panics. The API server sees a panic
/// as a failed call; if the release recovers from panics, as a denial with 500.
struct Stop {
  std::string message;
  bool crashes = false;
};
/// The result of a step: the reason why it stops the whole call, or nothing.
using Problem = std::optional<Stop>;
inline Problem refuse(std::string message) { return Stop{std::move(message), false}; }
inline Problem crash(std::string message) { return Stop{std::move(message), true}; }

inline constexpr std::string_view kConfiguration = "inferenceservice.serving.kserve.io";
inline constexpr std::string_view kWebhook = "inferenceservice.kserve-webhook-server.pod-mutator";
inline constexpr std::string_view kSystemNamespace = "kserve";
inline constexpr std::string_view kConfigMap = "inferenceservice-config";

inline constexpr document::Name kGateLabel = "serving.kserve.io/inferenceservice";
inline constexpr document::Name kSourceUri = "internal.serving.kserve.io/storage-initializer-sourceuri";
inline constexpr document::Name kAgent = "internal.serving.kserve.io/agent";

inline constexpr std::string_view kUserContainer = "kserve-container";
inline constexpr std::string_view kWorkerContainer = "worker-container";
inline constexpr std::string_view kTransformer = "transformer-container";
inline constexpr std::string_view kQueueProxy = "queue-proxy";
inline constexpr std::string_view kStorageInitializer = "storage-initializer";
inline constexpr const char* kProvisionVolume = "kserve-provision-location";
inline constexpr const char* kModelPath = "/mnt/models";

}  // namespace fixpoint::injectors::kserve
