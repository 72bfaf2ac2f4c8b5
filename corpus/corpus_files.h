#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/external/backends/stored_case.h"

namespace fixpoint::corpus {

/// Returns the folder of the corpus to read: that of work_corpus_folder() if it is named or there, else the
/// one that was installed with the program, if it is there.
std::string corpus_folder();
/// Returns the folder of the corpus to write: $FIXPOINT_CORPUS, else ./corpus.
std::string work_corpus_folder();

/// Returns the .json and .yaml files of a folder and of the folders below, sorted. Returns an error for a
/// symbolic link, a device, a pipe, or a folder that cannot be read.
document::Result<std::vector<std::string>> corpus_files(const std::string& folder);
/// Returns those of regressions/ or seeds/ of a corpus; none if there is no such folder.
document::Result<std::vector<std::string>> corpus_files(const std::string& corpus, const std::string& part);
/// Returns the .json, .yaml and .yml files of any folder, sorted, without those of the folders below.
/// Symbolic links are followed.
document::Result<std::vector<std::string>> document_files(const std::string& folder);

/// A file of the corpus: Cases, Sequences and Findings, in the newest version of the format.
struct CorpusFile {
  std::string path;
  std::vector<external::StoredCase> stored = {};
  bool is_regression = false;  ///< it lists the releases that show the finding: its bytes are evidence
  std::string text = {};       ///< the contents of the file
  std::string canonical = {};  ///< the contents that it should have, if it is one JSON document; else empty
};
document::Result<CorpusFile> read_corpus_file(const std::string& path,
                                              const external::ExternalWebhooks& outside);

}  // namespace fixpoint::corpus
