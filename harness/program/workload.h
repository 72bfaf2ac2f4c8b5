#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/apiserver/dispatch.h"
#include "harness/document/value.h"
#include "harness/runner/subject.h"

namespace fixpoint::program {

/// A Pod that the subject acts on, filled up with env to about `bytes` of JSON.
document::Value sized_pod(const runner::Subject& subject, std::size_t bytes);

/// A call of a subject's first webhook with all that the API server does with the answer, in a cluster that
/// has the subject's configuration and objects.
class MeasuredCall {
 public:
  explicit MeasuredCall(const runner::Subject& subject);
  apiserver::Hop operator()(const document::Value& pod) const;

 private:
  cases::Case value_;
  std::vector<apiserver::ConfiguredWebhook> configured_;
  std::map<std::string, webhooks::Handler> handlers_;
};

/// How long one call of a subject takes, beside a reference workload that is measured in turn with it:
/// reading and writing the same Pod as JSON.
struct Ratio {
  double ratio = 0;         ///< the median of all rounds
  double microseconds = 0;  ///< of one call, the median of all rounds
};
Ratio ratio_to_reference(const runner::Subject& subject, std::size_t pod_bytes = 3000, int rounds = 41);

}  // namespace fixpoint::program
