#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/properties/leaves.h"
#include "harness/properties/probe.h"

namespace fixpoint::properties {

/// Whether the API server would call the webhook for the Case's request with this Pod.
bool is_called(const Examination& examination, const apiserver::ConfiguredWebhook& webhook, const Value& pod);

/// Whether a rule of the webhook selects Pods for that operation.
bool is_registered_for(const apiserver::ConfiguredWebhook& webhook, std::string_view operation);

/// The first calls that a probe has something to say about: the webhook changed the Pod.
std::vector<FirstCall> effective_calls(const Examination& examination);

/// The webhook's answer to another Pod, as the first call that a fresh server makes.
apiserver::Hop call_afresh(const Examination& examination, const apiserver::ConfiguredWebhook& webhook,
                           const Value& pod);
/// Whether the webhook answers that Pod alike a second time. Where it does not, what two calls do differently
/// says nothing about their requests: `deterministic` tells.
bool is_repeatable(const Examination& examination, const apiserver::ConfiguredWebhook& webhook,
                   const Value& pod, const apiserver::Hop& once);
/// It came back, and nobody refused or failed.
bool went_well(const apiserver::Hop& hop);

/// A violation at a keyed path (leaves.h), with its place, value and shape in `pod`; the patch of `hop` tells
/// which names are the webhook's own.
Violation violation_at(const apiserver::ConfiguredWebhook& webhook, std::string_view path, const Value& pod,
                       const apiserver::Hop& hop);

/// Where it makes a difference to a webhook whether a plain container stands in front or behind: such a
/// webhook takes a container for what it is by its place, and depends on every neighbour that adds one.
struct PlaceDependence {
  std::string path;            ///< keyed
  apiserver::Hop hop;          ///< of the two, the one that has something at the path
  std::vector<OwnCall> calls;  ///< both
};
std::optional<PlaceDependence> depends_on_place(const Examination& examination,
                                                const apiserver::ConfiguredWebhook& webhook,
                                                const Value& pod);

/// A container as a neighbour or user might have added one, with the server's defaults.
Value plain_container(std::string_view name);

}  // namespace fixpoint::properties
