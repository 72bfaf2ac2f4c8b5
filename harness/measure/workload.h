#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/apiserver/admission/admission.h"
#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::measure {

/// Returns a plain Pod with the triggers of these subjects, as a user writes it.
document::Value triggering_pod(std::span<const runner::Subject> subjects);
/// Returns a Pod with the triggers of these subjects, filled up with env to about `bytes` of JSON.
document::Value sized_pod(std::span<const runner::Subject> subjects, std::size_t bytes);

/// Returns why the duration of a call is no latency: the call failed, whatever the failure policy makes of
/// that. A denial is an answer.
std::optional<document::Error> problem_of(const apiserver::CallResult& result);

/// Webhooks that are called again and again, in a cluster with their configurations and objects.
class Workload {
 public:
  /// Prepares the members. An error if two configurations have one name, if the simulator does not support
  /// something, or if a webhook may not be called. Afterwards `outside` neither measures the duration of
  /// calls nor repeats slow ones.
  static document::Result<Workload> of(std::span<const runner::Subject> members,
                                       const external::ExternalWebhooks& outside);

  /// Returns the webhooks in the order in which the server calls them.
  const std::vector<apiserver::ConfiguredWebhook>& webhooks() const { return configured_; }
  /// Returns the request with which this webhook gets the Pod: a creation, or, if its rules match no
  /// creation, the update, with or without a subresource, that they match; the Pod is then a stored one.
  cases::Request request_of(std::size_t webhook, const document::Value& pod) const;
  /// Makes one call and does everything that the API server does with the answer, whatever rules and
  /// selectors say.
  apiserver::CallResult call(std::size_t webhook, const cases::Request& request) const;
  /// Returns the Case in which all members get the Pod, for admit(): an update if no webhook's rules match a
  /// creation.
  cases::Case case_of(const document::Value& pod) const;
  /// Runs the whole admission, as a run does.
  document::Result<apiserver::Admission> admit(const cases::Case& value) const;

 private:
  cases::Case value_ = {};
  Limits limits_ = {};
  std::vector<apiserver::ConfiguredWebhook> configured_ = {};
  std::map<std::string, webhooks::Handler> handlers_ = {};
};

/// Returns a Pod of about `bytes` on which the members act. It has their triggers, except those of a member
/// that patches a plain Pod more often, because one trigger is its own mark. Calls each webhook, which also
/// starts its process if it has one; an error for a call that fails.
document::Result<document::Value> pod_with_triggers(const Workload& work,
                                                    std::span<const runner::Subject> members,
                                                    std::size_t bytes);

/// The duration of a call of a webhook in proportion to a reference workload that is measured in turn with
/// it: reading and writing the same Pod as JSON.
struct Ratio {
  std::string webhook = {};  ///< <configuration>/<webhook>
  double ratio = 0;          ///< the median of all rounds
  double microseconds = 0;   ///< of one call, the median of all rounds
};
/// Returns the ratio of each webhook of a subject, in the order in which the server calls them. Measures each
/// in at most `rounds` rounds, and a slow one in fewer. An error for a call that fails.
document::Result<std::vector<Ratio>> ratios_to_reference(const runner::Subject& subject,
                                                         const external::ExternalWebhooks& outside,
                                                         std::size_t pod_bytes = 3000, int rounds = 41);

}  // namespace fixpoint::measure
