#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// The result of calling a webhook: a body, or the problem that prevented it.
struct Answer {
  std::string problem = {};
  bool timed_out = false;
  std::string body = {};
};

/// A calling failure (class C of docs/simulator.md#3-6).
struct CallFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The AdmissionReview in a body that passed all checks (docs/simulator.md#3-5).
struct Review {
  bool allowed = false;
  int code = 0;
  std::string reason = {};
  std::vector<std::string> warnings = {};
  std::map<std::string, std::string> audit_annotations = {};
  std::string patch = {};  ///< the bytes of the patch
  std::optional<std::string> patch_type = {};
};

/// Checks and reads an answer; throws CallFailed. Sets `sent` to the patch as soon as it is known, also when
/// the answer is bad.
Review read_answer(const Answer& answer, const std::string& version, const std::string& uid,
                   std::string& sent);

}  // namespace fixpoint::oracle
