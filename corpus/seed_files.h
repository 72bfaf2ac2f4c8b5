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
  bool keeps_env = false;  ///< values of env are kept; other secrets are redacted
  Limits limits = {};
  std::function<void(const std::string&)> note;  ///< receives a message for each skipped document
};

/// Returns a seed for each Pod of a file of Pods and Lists of Pods; other kinds are skipped.
document::Result<std::vector<cases::Case>> read_seeds(const std::string& path, const SeedOptions& options);

/// Reads a file of audit events line by line, because a log may be larger than the limit on one document.
std::optional<document::Error> take_log(AuditLog& log, const std::string& path, const Limits& limits);

/// Writes the seeds that do not exist yet, each named by the hash of its content. Returns the number of new
/// seeds.
document::Result<std::size_t> store_seeds(std::vector<cases::Case> seeds, const std::string& folder);

}  // namespace fixpoint::corpus
