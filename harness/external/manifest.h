#pragma once

#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/external/external_webhooks.h"
#include "harness/runner/subject.h"

namespace fixpoint::external {

/// Subjects that are not in the catalog, from a file.
struct Manifest {
  std::vector<runner::Subject> subjects = {};
  std::vector<std::vector<std::string>> peers = {};  ///< of each subject, if it names them; else empty
  std::vector<std::string> notes = {};               ///< skipped documents, for standard error
};

/// Returns true if a SUBJECT on the command line is a file: it has the suffix of one or names an existing
/// one.
bool is_manifest(const std::string& subject);

/// Reads a file of `kind: Subject` and of MutatingWebhookConfigurations, as Helm and kustomize write them:
/// other kinds are noted and passed over, and so are webhooks without a rule for Pods. What answers behind a
/// webhook is said by `--webhook`, else by the Subject, else by the clientConfig: its URL, or its service
/// through `--service`. Their vocabulary is what the Subject's `triggers`, selectors, conditions, scripts and
/// programs say.
document::Result<Manifest> read_manifest(const std::string& path, const ExternalWebhooks& outside);

}  // namespace fixpoint::external
