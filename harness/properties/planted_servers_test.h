#pragma once

#include <string>

#include "harness/webhooks/webhook.h"

// Webhooks of which one process, or one moment, answers otherwise than another, with their fixed variants.
namespace fixpoint::properties {

/// Returns the answer that sets a label.
inline webhooks::Answer labelled(const webhooks::Call& call, const char* key, const document::Value& text) {
  document::Value pod = call.object;
  pod.edit("metadata").edit("labels").set(document::Name(key), text);
  return webhooks::allow_change(call.object, pod);
}

inline webhooks::Answer of_first_process(const webhooks::Call& call, bool) {
  return labelled(call, "shard", "7");
}
/// Returns the answer of the second process of the same webhook.
inline webhooks::Answer of_second_process(const webhooks::Call& call, bool is_fixed) {
  return labelled(call, "shard", is_fixed ? "7" : "8");
}

/// A server that keeps the current Pod where the next request overwrites it.
inline webhooks::Answer keeps_current(const webhooks::Call& call, bool is_fixed) {
  const bool is_mixed_up = !is_fixed && call.concurrent != nullptr;
  const document::Value& current = is_mixed_up ? call.concurrent->front().object : call.object;
  webhooks::Answer answer = labelled(call, "first", current["spec"]["containers"].at(0)["name"]);
  answer.was_concurrent = call.concurrent != nullptr;
  return answer;
}

}  // namespace fixpoint::properties
