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

  /// Returns the differences, one line each: in the fate of the request, in a run of a policy, in a call, in
  /// the object, in the duplicate keys of its lists, and in the errors of the rules that both have. Empty if
  /// they agree. Throws oracle::Unsupported for a Case that the reference model cannot represent.
  std::vector<std::string> differences();

  /// Returns the number of calls that were compared; applied() counts those with an applied patch.
  int calls() const { return calls_; }
  int applied() const { return applied_; }
  /// Returns the number of validation errors that both found, for rules that the reference model has.
  int errors() const { return errors_; }
  const oracle::Admission& reference() const { return reference_; }

 private:
  oracle::Answer answer(const std::string& webhook, const std::string& review, int number) const;
  void differ(const std::string& what, const std::string& simulated, const std::string& reference);
  void compare_json(const std::string& what, const document::Value& simulated, const oracle::Json& reference);
  void compare_call(std::size_t index, const CallEvent& event, const cases::CallRecord& record);
  void compare_policies(const cases::Outcome& outcome);
  void compare_outcomes(const Admission& admission);
  void compare_lists(const Admission& admission);
  void compare_validation(const Admission& admission);

  const cases::Case& value_;
  const std::map<std::string, webhooks::Handler>& handlers_;
  oracle::Forgotten forgotten_;
  int minor_;
  Value old_object_ = {};
  oracle::Admission reference_ = {};
  std::vector<std::string> differences_ = {};
  int calls_ = 0, applied_ = 0, errors_ = 0;
};

/// Returns the difference between the two on a question of the kinds decode, default, patch and validate (of
/// a create). The question is the text of a line of vectors (docs/formats.md#vectors) without its answer.
/// Empty if they agree. Throws oracle::Unsupported.
std::string difference_on(const std::string& question);
/// Returns true if there is no difference.
bool agree_on(const std::string& question);

/// Converts a simulator's value for the reference model: writes it as text and parses it again.
oracle::Json oracle_json(const document::Value& value);
/// Returns the body of an answer as it is sent.
oracle::Answer on_the_wire(const webhooks::Answer& answer, const std::string& version,
                           const std::string& uid);

}  // namespace fixpoint::apiserver
