#include <cstdio>

#include "corpus/corpus_files.h"
#include "harness/cli/command.h"
#include "harness/cli/corpus.h"
#include "harness/cli/options.h"
#include "harness/document/document_stream.h"
#include "harness/document/printable.h"

namespace fixpoint::cli {

namespace {

/// Returns a short description of a file.
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
    const auto paths = corpus::corpus_files(corpus::corpus_folder(), part);
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
