#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/bare_answer.h"

namespace fixpoint::external {

/// A stored Case or Sequence: alone, or inside a Finding.
struct StoredCase {
  std::string place;  ///< the file and document, for messages
  cases::Case value;
  std::optional<cases::Sequence> sequence = {};  ///< if set, `value` is unused
  std::optional<cases::Finding> finding = {};
};
/// A document of a file: a Case, or why it is none.
struct ReadCase {
  std::string place;
  document::Result<StoredCase> stored;
};
/// Reads the documents of a file one by one; a file that cannot be read is one with an error.
std::vector<ReadCase> read_cases_apart(const std::string& path, const ExternalWebhooks& outside);

/// Reads all Cases, Sequences and Findings of the files. Stops at the first problem; a URL or a command that
/// the command line does not allow is a problem, too.
document::Result<std::vector<StoredCase>> read_cases(const std::vector<std::string>& paths,
                                                     const ExternalWebhooks& outside);

/// Reads one such document.
document::Result<StoredCase> read_stored_case(document::Value document, const std::string& place,
                                              const ExternalWebhooks& outside);

/// Returns what a replay needs of these webhooks; without others than the bundled ones, of those.
runner::ReplayWith replay_with(const ExternalWebhooks& outside);
runner::ReplayWith replay_with(const Bundled& bundled);

/// Answers for a stored Case: one for a Finding, which its own property judges; for a bare Case or Sequence,
/// and if a property is named, those of runner::answers_of.
std::vector<runner::Answer> answers_of(const StoredCase& stored, std::string_view property,
                                       const runner::ReplayWith& with);

}  // namespace fixpoint::external
