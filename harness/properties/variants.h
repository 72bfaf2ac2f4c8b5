#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/properties/path_values.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

/// Returns true if the API server would call the webhook for the Case's request with this Pod.
bool is_called(const Examination& examination, const apiserver::ConfiguredWebhook& webhook, const Value& pod);

/// Returns true if a rule of the webhook selects Pods for that operation.
bool is_registered_for(const Examination& examination, const apiserver::ConfiguredWebhook& webhook,
                       std::string_view operation);

/// Returns the first calls that are worth probing: those in which the webhook changed the Pod.
std::vector<FirstCall> effective_calls(const Examination& examination);

/// Returns the webhook's result for another Pod, as the first call of a fresh server.
apiserver::CallResult call_afresh(const Examination& examination, const apiserver::ConfiguredWebhook& webhook,
                                  const Value& pod);
/// Returns true if one of two calls ran out of its time. What they differ in then says how busy the machine
/// was, not how the webhook answers; `answers` reports the timeout.
bool has_timed_out(const apiserver::CallResult& one, const apiserver::CallResult& other);
/// Returns true if the webhook gives the same answer to that Pod a second time. If it does not, a difference
/// between two calls says nothing about their requests: `deterministic` reports it.
bool is_repeatable(const Examination& examination, const apiserver::ConfiguredWebhook& webhook,
                   const Value& pod, const apiserver::CallResult& once);
/// Returns true if the call came back and was neither denied nor failed.
bool went_well(const apiserver::CallResult& result);

/// A violation at a keyed path (path_values.h), with its place, value and shape in `pod`; the patch of
/// `result` shows which names are the webhook's own.
Violation violation_at(const apiserver::ConfiguredWebhook& webhook, std::string_view path, const Value& pod,
                       const apiserver::CallResult& result);

/// The path at which a webhook's result depends on the position of a plain container. Such a webhook
/// identifies a container by its place, and depends on every neighbour that adds one.
struct PlaceDependence {
  std::string path;              ///< keyed
  apiserver::CallResult result;  ///< of the two, the one that has something at the path
  std::vector<OwnCall> calls;    ///< both
};
std::optional<PlaceDependence> depends_on_place(const Examination& examination,
                                                const apiserver::ConfiguredWebhook& webhook,
                                                const Value& pod);

/// A container as a neighbour or user might have added one, with the server's defaults.
Value minimal_container(std::string_view name);

}  // namespace fixpoint::properties
