#pragma once

#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/external/manifests/policy_tests.h"

namespace fixpoint::external {

/// Returns the .yaml, .yml and .json files of a folder, sorted; those of folders below do not count.
std::vector<std::string> files_of_documents(const std::string& folder);

/// Returns an error with the command that renders a folder, if it is a chart or one of kustomize.
std::optional<document::Error> unrendered(const std::string& folder);

/// Reads the documents of a manifest: those of a file, of standard input for "-", or of the files of a
/// folder. An error for a folder without such a file, or one that must be rendered first.
document::Result<std::vector<PlacedDocument>> read_placed_documents(const std::string& path,
                                                                    const Limits& limits);

/// Returns the error of a manifest in which nothing can be tested: what was found there instead, and what to
/// do with it.
document::Error nothing_to_test(const std::string& path, const std::vector<PlacedDocument>& documents);

/// Returns one line for all documents that say nothing of what is tested, by their kinds and names.
std::string passed_over_text(std::vector<std::string> names);

}  // namespace fixpoint::external
