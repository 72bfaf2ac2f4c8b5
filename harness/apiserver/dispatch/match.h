#pragma once

#include <optional>
#include <string>

#include "harness/apiserver/dispatch/configuration.h"
#include "harness/cases/kind.h"
#include "harness/cases/outcome.h"

namespace fixpoint::apiserver {

/// The decision to call a webhook for a request with this object, or not to (docs/simulator.md#2).
struct Match {
  enum class Answer {
    no,
    yes,
    refused,    ///< a selector is invalid: the request ends with `status`
    condition,  ///< a match condition failed and failurePolicy is Fail: 403
  };
  Answer answer = Answer::no;
  std::optional<cases::Status> status = {};
  cases::Kind kind = {};  ///< in the version in which the webhook gets the object, if the answer is yes
};

/// `object` is the current one; the selector may also match the old object of the request.
Match match(const ConfiguredWebhook& webhook, const cases::Request& request, const cases::Cluster& cluster,
            const Value& object);

}  // namespace fixpoint::apiserver
