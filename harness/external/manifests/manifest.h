#pragma once

#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::external {

/// Subjects that come from a file instead of the catalog.
struct Manifest {
  std::vector<runner::Subject> subjects = {};
  std::vector<std::vector<std::string>> peers = {};  ///< the neighbours that each subject names, if any
  std::vector<std::string> notes = {};               ///< names the skipped documents, for standard error
  std::vector<std::string> not_simulated = {};       ///< names the objects that not_simulated() names
  std::vector<std::string> code = {};                ///< the folders of sources that were read
};

/// Returns true if a SUBJECT on the command line is a file or a folder: it has a file's suffix, or something
/// of that name exists.
bool is_manifest(const std::string& subject);

/// Reads a file, or the files of a folder, of `kind: Subject` and of MutatingWebhookConfigurations, as Helm
/// and kustomize write them, or a folder of policies with their tests (policy_folder.h). The objects of a
/// chart that a webhook may read, its roles and custom resources belong to every subject (chart_objects.h).
/// Other kinds, and webhooks whose rules select nothing that is drawn, are noted and skipped. The backend of
/// a webhook comes from `--webhook`, else from the Subject, else from the clientConfig: its URL, or its
/// service through `--service`. The policies of a folder get the Pods of their tests as examples. The
/// vocabulary comes from the Subject's `triggers` and from selectors, conditions, scripts and programs.
/// `definitions` are CustomResourceDefinitions of other files.
document::Result<Manifest> read_manifest(const std::string& path, const ExternalWebhooks& outside,
                                         const std::vector<document::Value>& definitions = {});

}  // namespace fixpoint::external
