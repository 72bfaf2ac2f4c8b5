#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/oracle/oracle_answer.h"
#include "harness/oracle/oracle_match.h"
#include "harness/oracle/oracle_plugins.h"

namespace fixpoint::oracle {

/// The parts that are not the API server's own.
struct Environment {
  /// A webhook by <configuration>/<webhook>: the body of an AdmissionReview to an answer; `number` of the
  /// call.
  std::function<Answer(const std::string& webhook, const std::string& review, int number)> call;
  Conditions conditions;
};

struct Call {
  int pass = 1;
  int index = 0;
  std::string webhook = {};
  Json before = {}, after = {};
  bool applied = false, changed = false;
  std::string patch = {};  ///< the bytes as sent; empty for none
  std::string error = {};  ///< the Outcome's word
};

/// The result of mutating admission in an Outcome's terms, without the registry's part.
struct Admission {
  bool allowed = true;
  int code = 0;
  std::string reason = {};
  int passes = 1;
  std::vector<Call> calls = {};
  Json first = {};   ///< after the in-tree plugins of pass 1
  Json object = {};  ///< null when rejected
  std::vector<std::string> warnings = {};
  std::map<std::string, std::string> annotations = {};
  bool crashed = false;
};

/// Reads a Case and runs its mutating admission in its two passes. Throws Unsupported, and Undecodable for a
/// Pod that a Case must not hold.
Admission admit(const std::string& text_of_case, const Environment& environment);

/// An object that a patch made: a Pod decoded, one of another known kind as it stands. Throws Undecodable.
Json decode_object(const Json& patched, int minor, std::string* fractions);
bool is_pod(const Json& object);

}  // namespace fixpoint::oracle
