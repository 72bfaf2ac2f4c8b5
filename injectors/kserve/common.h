#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/document/result.h"
#include "harness/runner/subject.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::injectors::kserve {

using document::Value;

/// What a release does otherwise in every injector.
struct Common {
  std::string_view release;
  bool reinvoked = true;  ///< reinvocationPolicy IfNeeded and CREATE only, from 0.12.0 (#3316, #3163)
  bool writes_creation_time = true;  ///< encodes `creationTimestamp: null`, up to k8s.io/api 0.33
};
const Common& common(std::string_view release);

/// Compares releases by their numbers.
bool is_at_least(std::string_view release, std::string_view other);

/// What a step says: the error of an admission that is refused with 500, or nothing.
using Problem = std::optional<std::string>;

/// One step of the composed webhook on the decoded Pod; `config` is its section of the config map (null when
/// missing).
using Step = std::function<Problem(Value& pod, const webhooks::Call& call, const Value& config)>;

/// The webhook around one step: gate, config map, namespace, patch. A section that is no JSON object crashes
/// the webhook, which the API server sees as a failed call.
webhooks::Handler around(Step step, std::string section, const Common& release);

/// The configuration with its one webhook for Pods, and the config map with shipped defaults.
runner::Subject base_subject(std::string name, std::string_view release);

inline constexpr std::string_view kConfiguration = "inferenceservice.serving.kserve.io";
inline constexpr std::string_view kWebhook = "inferenceservice.kserve-webhook-server.pod-mutator";
inline constexpr std::string_view kGateLabel = "serving.kserve.io/inferenceservice";

// Helpers with upstream's rules (specs: shared helper semantics).

/// The first container of that name in a list of containers, as an index.
std::optional<std::size_t> find_container(const Value& pod, const char* list, std::string_view name);
bool has_named(const Value& list, std::string_view name);
/// Overwrites `value` of the first entry of that name (its valueFrom stays), else appends.
void merge_env(Value& container, std::string_view name, std::string_view value);
void append_env(Value& container, std::string_view name, std::string_view value);

}  // namespace fixpoint::injectors::kserve
