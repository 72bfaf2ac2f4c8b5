#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/external/external_webhooks.h"

namespace fixpoint::external {

/// A Case or a Sequence as it was stored: alone, or inside a Finding.
struct StoredCase {
  std::string place;  ///< file and document, for messages
  cases::Case value;
  std::optional<cases::Sequence> sequence = {};  ///< instead of `value`
  std::optional<cases::Finding> finding = {};
};
/// All Cases, Sequences and Findings of the files; the first problem ends it, and nothing runs. A URL or a
/// command that the command line did not allow is a problem, too.
document::Result<std::vector<StoredCase>> read_cases(const std::vector<std::string>& paths,
                                                     const ExternalWebhooks& outside);

/// One document of them.
document::Result<StoredCase> read_stored_case(document::Value document, const std::string& place,
                                              const ExternalWebhooks& outside);

}  // namespace fixpoint::external
