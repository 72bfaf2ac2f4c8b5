#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/result.h"
#include "harness/program/options.h"
#include "harness/program/outside.h"
#include "harness/program/program.h"

namespace fixpoint::program {

/// Whether a name out of a foreign document may name a file: it stays in the folder where it is put.
bool is_file_name(std::string_view name);

/// The .json and .yaml files of a folder and of those below, sorted. A symbolic link, a device or a pipe is
/// an error, and so is a folder that cannot be read.
document::Result<std::vector<std::string>> corpus_files(const std::string& folder);

/// A file of the corpus: Cases, Sequences and Findings, in the newest version of the format.
struct CorpusFile {
  std::string path;
  std::vector<StoredCase> stored = {};
  bool is_regression = false;  ///< it says which releases show it: its bytes are evidence
  std::string text = {};       ///< as it stands there
  std::string canonical = {};  ///< as it should, when it is one JSON document; else empty
};
document::Result<CorpusFile> read_corpus_file(const std::string& path, const Outside& outside);

/// The flags by which the Cases of a corpus may name commands and URLs.
void add_allowances(Options& line, OutsideOptions& allowed);

}  // namespace fixpoint::program
