#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/apiserver/admission/admission.h"
#include "harness/cases/case.h"
#include "harness/oracle/oracle_admission.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::apiserver {

/// Compares the simulator and the reference model on one Case, with the same webhooks behind both.
class Differential {
 public:
  /// Prepares the Case; `handlers` are the webhooks by <configuration>/<webhook>, with their faults applied.
  /// `forgotten` is a mistake of the reference model.
  Differential(const cases::Case& value, const std::map<std::string, webhooks::Handler>& handlers,
               oracle::Forgotten forgotten = oracle::Forgotten::nothing);

  /// Returns the differences, one line each: in the fate of the request, in a run of a policy, in a call, and
  /// in the object. Empty if they agree. Throws oracle::Unsupported for a Case that the reference model
  /// cannot represent.
  std::vector<std::string> differences();

  /// Returns the number of calls that were compared; applied() counts those with an applied patch.
  int calls() const { return calls_; }
  int applied() const { return applied_; }
  const oracle::Admission& reference() const { return reference_; }

 private:
  oracle::Answer answer(const std::string& webhook, const std::string& review, int number) const;
  void differ(const std::string& what, const std::string& simulated, const std::string& reference);
  void compare_json(const std::string& what, const document::Value& simulated, const oracle::Json& reference);
  void compare_call(std::size_t index, const CallEvent& event, const cases::CallRecord& record);
  void compare_policies(const cases::Outcome& outcome);
  void compare_outcomes(const Admission& admission);

  const cases::Case& value_;
  const std::map<std::string, webhooks::Handler>& handlers_;
  oracle::Forgotten forgotten_;
  int minor_;
  oracle::Admission reference_ = {};
  std::vector<std::string> differences_ = {};
  int calls_ = 0, applied_ = 0;
};

/// Returns the body of an answer as it is sent.
oracle::Answer on_the_wire(const webhooks::Answer& answer, const std::string& version,
                           const std::string& uid);

}  // namespace fixpoint::apiserver
