#pragma once

#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/runner/subject.h"

namespace fixpoint::corpus {

/// Pods to begin a run with, each in a Case without webhooks.
struct Examples {
  std::vector<cases::Case> cases = {};
  std::vector<std::string> notes = {};  ///< the documents that were skipped, for standard error
};

/// Reads Pods and workloads with a Pod template from files and folders (their .yaml, .yml and .json files),
/// as people write them and as kubectl prints them, Lists included. Of a workload it is the Pod that its
/// controller makes; what a cluster wrote into a Pod is left out. Namespaces, service accounts and classes of
/// the same file or folder stand in the cluster; other kinds are noted. A path without a Pod stands for a
/// plain one of each of its service accounts, else in each of its Namespaces; without those it is an error.
document::Result<Examples> read_examples(const std::vector<std::string>& paths, const Limits& limits);

/// The Cases of the corpus' seeds; none where there is no such folder.
document::Result<std::vector<cases::Case>> read_stored_seeds(const std::string& corpus, const Limits& limits);
/// Returns true if a seed is about the subject: it has no webhook at all, or one of the subject's
/// configuration.
bool fits(const cases::Case& seed, const runner::Subject& subject);

}  // namespace fixpoint::corpus
