#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "corpus/audit_log.h"
#include "harness/cases/case.h"
#include "harness/document/limits.h"
#include "harness/document/result.h"

namespace fixpoint::corpus {

struct SeedOptions {
  bool keeps_env = false;  ///< values of env stay as they are; other secrets are redacted
  Limits limits = {};
  std::function<void(const std::string&)> note;  ///< hears of each document that is passed over
};

/// A seed for each Pod of a file, which has Pods and Lists of Pods; other kinds are passed over.
document::Result<std::vector<cases::Case>> read_seeds(const std::string& path, const SeedOptions& options);

/// Takes a file of audit events line by line: a log may be larger than what one document may be.
std::optional<document::Error> take_log(AuditLog& log, const std::string& path, const Limits& limits);

/// Writes the seeds that are not there yet, each named by the hash of its content, and returns their number.
document::Result<std::size_t> store_seeds(std::vector<cases::Case> seeds, const std::string& folder);

}  // namespace fixpoint::corpus
