#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/oracle/oracle_answer.h"
#include "harness/oracle/oracle_match.h"
#include "harness/oracle/oracle_plugins.h"
#include "harness/oracle/oracle_policies.h"

namespace fixpoint::oracle {

/// The parts of an admission that the reference model does not contain.
struct Environment {
  /// Calls the webhook <configuration>/<webhook> with the body of an AdmissionReview; `number` counts the
  /// webhook's calls.
  std::function<Answer(const std::string& webhook, const std::string& review, int number)> call;
  Evaluate evaluate;
  Forgotten forgotten = Forgotten::nothing;
};

struct Call {
  int pass = 1;
  int index = 0;
  std::string webhook = {};
  Json before = {}, after = {};
  bool applied = false, changed = false;
  std::string patch = {};  ///< the bytes as sent; empty if there is none
  std::string error = {};  ///< as in an Outcome
};

/// The result of mutating admission in the terms of an Outcome, without the steps of the registry.
struct Admission {
  bool allowed = true;
  int code = 0;
  std::string reason = {};
  int passes = 1;
  std::vector<Call> calls = {};
  std::vector<PolicyRun> policies = {};
  Json first = {};   ///< after the in-tree plugins of pass 1
  Json object = {};  ///< null if the request is rejected
  std::vector<std::string> warnings = {};
  std::map<std::string, std::string> annotations = {};
  bool crashed = false;
};

/// Reads a Case and runs the two passes of its mutating admission. Throws Unsupported, and Undecodable for a
/// Pod that no Case may contain.
Admission admit(const std::string& text_of_case, const Environment& environment);

/// Decodes an object that a patch produced; an object that is no Pod, but of a known kind, stays unchanged.
/// Throws Undecodable.
Json decode_object(const Json& patched, int minor, std::string* fractions);
bool is_pod(const Json& object);

}  // namespace fixpoint::oracle
