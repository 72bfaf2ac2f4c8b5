#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/apiserver/admission.h"
#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/program/outside.h"
#include "harness/runner/subject.h"

namespace fixpoint::program {

/// A Pod with what makes these subjects act, filled up with env to about `bytes` of JSON.
document::Value sized_pod(std::span<const runner::Subject> subjects, std::size_t bytes);

/// Why a call is no latency: it failed, whatever the failure policy makes of that. A denial is an answer.
std::optional<document::Error> problem_of(const apiserver::Hop& hop);

/// Webhooks to be called again and again, in a cluster that has their configurations and objects.
class Workload {
 public:
  /// An error for two configurations of one name, for what the simulator does not know, and for what nobody
  /// may reach. From then on `outside` does not time calls itself, nor repeat slow ones.
  static document::Result<Workload> of(std::span<const runner::Subject> members, const Outside& outside);

  /// In the server's order of calls.
  const std::vector<apiserver::ConfiguredWebhook>& webhooks() const { return configured_; }
  /// One call with all that the API server does with the answer, whatever rules and selectors say.
  apiserver::Hop call(std::size_t webhook, const document::Value& pod) const;
  /// The Case in which this Pod is created, for admit().
  cases::Case creation_of(const document::Value& pod) const;
  /// The whole admission, as a run makes it.
  document::Result<apiserver::Admission> admit(const cases::Case& creation) const;

 private:
  cases::Case value_ = {};
  Limits limits_ = {};
  std::vector<apiserver::ConfiguredWebhook> configured_ = {};
  std::map<std::string, webhooks::Handler> handlers_ = {};
};

/// A Pod of about `bytes` that the members act on: with what makes them act, but for those who then see their
/// own mark and do more with a plain one. Each webhook is tried, which also starts what has to be started; an
/// error for a call that fails.
document::Result<document::Value> telling_pod(const Workload& work, std::span<const runner::Subject> members,
                                              std::size_t bytes);

/// How long one call of a subject's first webhook takes, beside a reference workload that is measured in turn
/// with it: reading and writing the same Pod as JSON.
struct Ratio {
  double ratio = 0;         ///< the median of all rounds
  double microseconds = 0;  ///< of one call, the median of all rounds
};
/// At most so many rounds, and of slow webhooks fewer. An error for a call that fails.
document::Result<Ratio> ratio_to_reference(const runner::Subject& subject, const Outside& outside = {},
                                           std::size_t pod_bytes = 3000, int rounds = 41);

}  // namespace fixpoint::program
