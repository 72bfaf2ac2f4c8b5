#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::cases {

using document::Result;
using document::Value;

/// The answer to a client whose request is refused (metav1.Status), in the server's words.
struct Status {
  int code = 500;  ///< 0 if the API server panics and gives none
  std::string reason = {};
  std::string message = {};
  std::vector<std::string> causes = {};  ///< messages of details.causes, for refusals by policies
  bool operator==(const Status&) const = default;
};

/// The code and the reason in one text, such as "422 Invalid".
std::string code_and_reason(const Status& status);

/// One call of one webhook, as in the audit log.
struct CallRecord {
  int pass = 1;
  std::string webhook = {};  ///< <configuration>/<webhook>
  int index = 0;             ///< in the flat list of all webhooks
  bool changed = false;
  Value patch = {};        ///< as sent; a string if it was not JSON; null if none was sent
  std::string error = {};  ///< "", call, ignored, internal, denied, condition, dry-run
  bool operator==(const CallRecord&) const = default;
};

/// One invocation of a MutatingAdmissionPolicy whose mutations were evaluated.
struct PolicyRecord {
  int pass = 1;
  std::string policy = {}, binding = {};
  std::string param = {};  ///< namespace/name, or the name alone; empty without params
  bool changed = false;
  std::vector<std::string> errors = {};  ///< of its mutations, in the server's words
  bool operator==(const PolicyRecord&) const = default;
};

/// A validation error of the API server; `type` is the name of Kubernetes' own error type
/// (FieldValueRequired, …).
struct FieldError {
  std::string type;
  std::string field;
  /// The text that the server prints behind the path: the value and the reason, `Invalid value: "x": must be
  /// …`. Not part of the identity of an error.
  std::string message = {};
  bool operator==(const FieldError& other) const { return type == other.type && field == other.field; }
};

/// The answer of the validating phase, which judges the Pod that would be stored (docs/simulator.md#11): the
/// plugins are asked in the server's order, and the first that refuses ends it.
struct Validating {
  struct Cause {
    std::string plugin;
    std::string message;  ///< the server's words, without its `pods "NAME" is forbidden: `
    bool operator==(const Cause&) const = default;
  };
  /// One validating webhook whose turn came. The server calls all at once; here they stand in their order.
  struct Call {
    std::string webhook;     ///< <configuration>/<webhook>
    int index = 0;           ///< among the validating webhooks that match, as in the audit log
    bool is_sent = true;     ///< false if the call failed before it began
    int code = 0;            ///< HTTP code of its refusal; 0 if it does not refuse
    std::string error = {};  ///< "", call, ignored, denied, dry-run
    bool operator==(const Call&) const = default;
  };
  int code = 0;  ///< HTTP code of the refusal; 0 if every plugin admits the Pod
  std::vector<Cause> causes = {};
  std::vector<Call> calls = {};
  /// The entries that the calls add to the audit log, at the level Metadata.
  std::map<std::string, std::string> audit_annotations = {};
  bool refuses() const { return code != 0; }
  bool operator==(const Validating&) const = default;
};

/// The API server's result for a Case (docs/formats.md#outcome).
struct Outcome {
  std::string case_name = {};
  bool allowed = true;
  std::optional<Status> status = {};
  int passes = 1;
  std::vector<PolicyRecord> policies = {};
  std::vector<CallRecord> calls = {};
  Value object = {};
  std::vector<std::string> warnings = {};
  std::map<std::string, std::string> audit_annotations = {};
  std::vector<FieldError> invalid = {};
  bool crashed = false;  ///< the API server panics: no answer reaches the client, and there is no status
  std::optional<Validating> validating = {};  ///< empty if the phase was not reached
};

Value write_outcome(const Outcome& outcome);
Result<Outcome> read_outcome(const Value& document);

/// Returns the relevant differences between two Outcomes (docs/judging.md#comparing), one line each: "field:
/// expected …, found …". Messages are compared where `expected` has them (recorded_texts.h), warnings as
/// multisets, audit values as JSON, and `validating` only if it is expected.
std::vector<std::string> differences(const Outcome& expected, const Outcome& found);

}  // namespace fixpoint::cases
