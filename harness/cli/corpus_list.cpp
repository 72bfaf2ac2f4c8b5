#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "corpus/corpus_files.h"
#include "harness/cli/command.h"
#include "harness/cli/corpus.h"
#include "harness/cli/options.h"
#include "harness/document/document_stream.h"
#include "harness/document/printable.h"

namespace fixpoint::cli {

namespace {

namespace files = std::filesystem;
using document::Error;

/// The parts that hold Cases and Findings, one a file.

Result<std::vector<std::string>> files_of(const files::path& folder) {
  std::vector<std::string> paths;
  std::error_code problem;
  for (const auto& entry : files::directory_iterator(folder, problem)) {
    const auto extension = entry.path().extension();
    if (extension != ".json" && extension != ".yaml") continue;
    if (entry.is_symlink()) return Error{"a corpus holds no symbolic links", entry.path().string()};
    paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// What a file is, in a few words.
std::string sentence_of(const Value& document) {
  if (document["kind"].text() == "Finding") {
    return std::string(document["property"].text()) + " " + std::string(document["verdict"].text()) + " " +
           std::string(document["evidence"]["path"].text());
  }
  const std::string note(document["note"].text());
  return note.empty() ? std::string(document["kind"].text()) : note;
}

}  // namespace

int corpus_list(const Arguments& arguments) {
  Options line("corpus list", "The Cases and Findings of the corpus, a line each.", "  fixpoint corpus list");
  if (const auto code = line.parse(arguments)) return *code;
  for (const char* part : kCorpusParts) {
    const auto paths = files_of(files::path(corpus::corpus_folder()) / part);
    if (!paths) return bad_input(paths.error());
    for (const std::string& path : *paths) {
      const auto documents = document::read_file(path, {}, document::Strictness::foreign);
      if (!documents) return bad_input(documents.error());
      if (documents->empty()) return bad_input(path + ": expected a Case or a Finding, found nothing");
      std::printf("%s: %s\n", path.c_str(), document::printable(sentence_of(documents->front())).c_str());
    }
    std::fprintf(stderr, "%zu in %s\n", paths->size(), part);
  }
  return kNothingFound;
}

}  // namespace fixpoint::cli
