#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/oracle/oracle_environment.h"
#include "harness/oracle/oracle_policies.h"

namespace fixpoint::oracle {

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

}  // namespace fixpoint::oracle
