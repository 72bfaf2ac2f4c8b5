#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/apiserver/matching/condition_verdict.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver::policies {

using document::Value;

/// One invocation of a policy: its mutations, evaluated for a binding and a param.
struct PolicyEvent {
  int pass = 1;
  std::string policy = {}, binding = {};
  std::string param = {};  ///< namespace/name, or the name alone; empty without params
  Value before = {}, after = {};
  bool changed = false;
  std::vector<std::string> errors = {};   ///< of the mutations, in the server's words
  std::string reason = {};                ///< the first of them, without the expression
  std::string excerpt = {};               ///< where the first of them failed (cel::excerpt)
  bool is_condition = false;              ///< a match condition failed, and nothing was mutated
  std::vector<std::uint64_t> costs = {};  ///< of its mutations
};

/// One evaluation of a match condition.
struct ConditionEvent {
  std::string policy = {}, binding = {}, condition = {};
  ConditionVerdict verdict = {};
};

}  // namespace fixpoint::apiserver::policies
