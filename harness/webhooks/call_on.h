#pragma once

#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {

/// Returns the same call on another object, which must outlive it.
inline Call call_on(const Value& object, const Call& call) {
  return {.object = object,
          .old_object = call.old_object,
          .request = call.request,
          .cluster = call.cluster,
          .webhook = call.webhook,
          .review_version = call.review_version,
          .uid = call.uid,
          .name = call.name,
          .number = call.number,
          .timeout_seconds = call.timeout_seconds,
          .read_fault = call.read_fault};
}

}  // namespace fixpoint::webhooks
