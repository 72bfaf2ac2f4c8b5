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
#include "harness/external/external_webhooks.h"
#include "harness/runner/subject.h"

namespace fixpoint::measure {

/// A Pod with what makes these subjects act, filled up with env to about `bytes` of JSON.
document::Value sized_pod(std::span<const runner::Subject> subjects, std::size_t bytes);

/// Why a call is no latency: it failed, whatever the failure policy makes of that. A denial is an answer.
std::optional<document::Error> problem_of(const apiserver::CallResult& result);

/// Webhooks to be called again and again, in a cluster that has their configurations and objects.
class Workload {
 public:
  /// An error for two configurations of one name, for what the simulator does not know, and for what nobody
  /// may reach. From then on `outside` does not time calls itself, nor repeat slow ones.
  static document::Result<Workload> of(std::span<const runner::Subject> members,
                                       const external::ExternalWebhooks& outside);

  /// In the server's order of calls.
  const std::vector<apiserver::ConfiguredWebhook>& webhooks() const { return configured_; }
  /// The request in which this webhook meets the Pod: its creation, and of a webhook whose rules take no
  /// creation the update, with or without a subresource, that they take; then the Pod is a stored one.
  cases::Request request_of(std::size_t webhook, const document::Value& pod) const;
  /// One call with all that the API server does with the answer, whatever rules and selectors say.
  apiserver::CallResult call(std::size_t webhook, const cases::Request& request) const;
  /// The Case in which all of them meet the Pod, for admit(): an update when none takes its creation.
  cases::Case case_of(const document::Value& pod) const;
  /// The whole admission, as a run makes it.
  document::Result<apiserver::Admission> admit(const cases::Case& value) const;

 private:
  cases::Case value_ = {};
  Limits limits_ = {};
  std::vector<apiserver::ConfiguredWebhook> configured_ = {};
  std::map<std::string, webhooks::Handler> handlers_ = {};
};

/// A Pod of about `bytes` that the members act on: with what makes them act, but for those who then see their
/// own mark and do more with a plain one. Each webhook is tried, which also starts what has to be started; an
/// error for a call that fails.
document::Result<document::Value> pod_with_triggers(const Workload& work,
                                                    std::span<const runner::Subject> members,
                                                    std::size_t bytes);

/// How long one call of a webhook takes, beside a reference workload that is measured in turn with it:
/// reading and writing the same Pod as JSON.
struct Ratio {
  std::string webhook = {};  ///< <configuration>/<webhook>
  double ratio = 0;          ///< the median of all rounds
  double microseconds = 0;   ///< of one call, the median of all rounds
};
/// Of each webhook of a subject, in the server's order of calls; each in at most so many rounds, and slow
/// ones in fewer. An error for a call that fails.
document::Result<std::vector<Ratio>> ratios_to_reference(const runner::Subject& subject,
                                                         const external::ExternalWebhooks& outside,
                                                         std::size_t pod_bytes = 3000, int rounds = 41);

}  // namespace fixpoint::measure
