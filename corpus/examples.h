#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::corpus {

/// Example Pods for a run, each in a Case without webhooks.
struct Examples {
  std::vector<cases::Case> cases = {};
  /// An object of another kind, which is an example to a webhook that is called for its kind.
  struct Other {
    document::Value object;
    std::string place;  ///< file and document
  };
  std::vector<Other> others = {};
  std::vector<std::string> notes = {};  ///< names the skipped documents, for standard error
};

/// Reads Pods, and workloads with a Pod template, from files and folders (their .yaml, .yml and .json
/// files), as users write them and as kubectl prints them, including Lists. A workload gives the Pod that
/// its controller makes. Fields that a cluster wrote into a Pod are removed. Other objects of the same file
/// or folder, custom resources among them, are added to the cluster (cluster_object), and may be examples
/// of their own kinds; what configures admission is noted. A path without a Pod gives a plain Pod for each
/// of its service accounts, else for each of its Namespaces; it is an error if it has no object at all.
document::Result<Examples> read_examples(const std::vector<std::string>& paths, const Limits& limits);

/// Returns the Case of an example: the Pod, or that of a workload, in its namespace; nothing for any other
/// object, and an error for a Pod that cannot be decoded or has no container.
document::Result<std::optional<cases::Case>> example_of(const document::Value& object);

/// Returns an object as it stands in a cluster: in the namespace `default` if it names none and its kind, by
/// a built-in resource or one of these definitions, has one; a quota from a file, which has no status, with
/// nothing used.
document::Value cluster_object(document::Value object, const std::vector<document::Value>& definitions);

/// Returns the Pod that the controller of a workload makes from its Pod template, in the workload's
/// namespace; nothing for a Pod, or an object without a template.
std::optional<document::Value> pod_of_workload(const document::Value& object);

/// Returns the Cases of the corpus's seeds; none if there is no such folder.
document::Result<std::vector<cases::Case>> read_stored_seeds(const std::string& corpus, const Limits& limits);
/// Returns true if a seed is about the subject: it has no webhook at all, or a webhook of the subject's
/// configuration.
bool fits(const cases::Case& seed, const runner::Subject& subject);

}  // namespace fixpoint::corpus
