#include "corpus/corpus_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "harness/cases/migration.h"
#include "harness/document/document_stream.h"
#include "harness/document/output_file.h"

namespace fixpoint::corpus {

namespace files = std::filesystem;
using document::Error;
using document::Result;
using document::Value;

std::string corpus_folder() {
  const char* said = std::getenv("FIXPOINT_CORPUS");
  return said != nullptr && *said != '\0' ? said : "corpus";
}

Result<std::vector<std::string>> corpus_files(const std::string& folder) {
  std::error_code problem;
  if (files::is_symlink(folder, problem)) return Error{"a corpus is no symbolic link", folder};
  std::vector<std::string> paths;
  for (files::recursive_directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    const files::path& path = at->path();
    if (at->is_symlink(problem)) return Error{"a corpus holds no symbolic links", path.string()};
    if (at->is_directory(problem)) continue;
    if (!at->is_regular_file(problem)) return Error{"a corpus holds regular files only", path.string()};
    if (path.extension() == ".json" || path.extension() == ".yaml") paths.push_back(path.string());
  }
  if (problem) return Error{problem.message(), folder};
  std::sort(paths.begin(), paths.end());
  return paths;
}

namespace {

/// The bytes that a stored document should have.
std::string canonical_of(const external::StoredCase& stored, const Value& expect) {
  if (!stored.finding) {
    return stored.sequence ? cases::canonical_text(*stored.sequence) : cases::canonical_text(stored.value);
  }
  Value finding = cases::write_finding(*stored.finding);
  if (!expect.is_null()) finding.set("expect", expect);
  return document::write_json_pretty(finding);
}

std::optional<Error> check_names(const external::StoredCase& stored) {
  const std::string& name = stored.sequence ? stored.sequence->name : stored.value.name;
  if (!name.empty() && !document::is_file_name(name))
    return Error{"expected a name that can be a file's, found \"" + name + "\"", "/name"};
  if (stored.finding && !stored.finding->fingerprint.empty() &&
      !document::is_file_name(stored.finding->fingerprint)) {
    return Error{"expected a fingerprint, found \"" + stored.finding->fingerprint + "\"", "/fingerprint"};
  }
  return std::nullopt;
}

}  // namespace

Result<CorpusFile> read_corpus_file(const std::string& path, const external::ExternalWebhooks& outside) {
  auto text = document::read_text_file(path, outside.limits());
  if (!text) return std::move(text).error();
  auto documents = document::read_stream(*text, outside.limits(), document::Strictness::foreign);
  if (!documents) return std::move(documents).error().within(path);
  if (documents->empty()) return Error{"expected a Case, a Sequence or a Finding, found nothing", path};
  CorpusFile file{.path = path, .text = *std::move(text)};
  for (std::size_t i = 0; i < documents->size(); ++i) {
    const std::string place = path + ": document " + std::to_string(i + 1);
    auto newest = cases::migrate((*documents)[i]);
    if (!newest) return std::move(newest).error().within(place);
    const Value expect = (*newest)["expect"];
    file.is_regression = file.is_regression || !expect.is_null();
    auto stored = external::read_stored_case(*std::move(newest), place, outside);
    if (!stored) return std::move(stored).error().within(place);
    if (auto problem = check_names(*stored)) return std::move(*problem).within(place);
    if (documents->size() == 1 && path.ends_with(".json")) file.canonical = canonical_of(*stored, expect);
    file.stored.push_back(*std::move(stored));
  }
  return file;
}

}  // namespace fixpoint::corpus
