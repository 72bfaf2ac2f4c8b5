#include "corpus/corpus_files.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string_view>

#include "harness/document/document_stream.h"
#include "harness/document/output_file.h"

namespace fixpoint::corpus {

namespace files = std::filesystem;
using document::Error;
using document::Result;
using document::Value;

std::string work_corpus_folder() {
  const char* said = std::getenv("FIXPOINT_CORPUS");
  return said != nullptr && *said != '\0' ? said : "corpus";
}

std::string corpus_folder() {
  std::string folder = work_corpus_folder();
  std::error_code problem;
  if (folder != "corpus" || files::exists(folder, problem)) return folder;
  const files::path program = files::read_symlink("/proc/self/exe", problem);
  const files::path installed = program.parent_path().parent_path() / "share/fixpoint/corpus";
  return files::is_directory(installed, problem) ? installed.string() : folder;
}

namespace {

/// Returns a folder's files with these extensions, sorted. With `is_strict`, also searches the folders below,
/// and returns an error for anything that is neither a file nor a folder.
Result<std::vector<std::string>> files_of(const std::string& folder, bool is_strict,
                                          std::span<const std::string_view> extensions) {
  std::error_code problem;
  std::vector<std::string> paths;
  for (files::recursive_directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    const files::path& path = at->path();
    if (is_strict) {
      if (at->is_symlink(problem)) return Error{"a corpus holds no symbolic links", path.string()};
      if (at->is_directory(problem)) continue;
      if (!at->is_regular_file(problem)) return Error{"a corpus holds regular files only", path.string()};
    } else {
      at.disable_recursion_pending();
    }
    const bool is_wanted =
        std::find(extensions.begin(), extensions.end(), path.extension().string()) != extensions.end();
    if (is_wanted) paths.push_back(path.string());
  }
  if (problem) return Error{problem.message(), folder};
  std::sort(paths.begin(), paths.end());
  return paths;
}

constexpr std::array<std::string_view, 3> kExtensions{".json", ".yaml", ".yml"};

}  // namespace

Result<std::vector<std::string>> corpus_files(const std::string& folder) {
  std::error_code problem;
  if (files::is_symlink(folder, problem)) return Error{"a corpus is no symbolic link", folder};
  return files_of(folder, true, std::span(kExtensions).first(2));
}

Result<std::vector<std::string>> corpus_files(const std::string& corpus, const std::string& part) {
  const std::string folder = files::path(corpus) / part;
  std::error_code problem;
  if (!files::exists(files::symlink_status(folder, problem))) return std::vector<std::string>{};
  return corpus_files(folder);
}

Result<std::vector<std::string>> document_files(const std::string& folder) {
  return files_of(folder, false, kExtensions);
}

namespace {

/// Returns the bytes that a stored document should consist of.
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
    const Value expect = (*documents)[i]["expect"];
    file.is_regression = file.is_regression || !expect.is_null();
    auto stored = external::read_stored_case((*documents)[i], place, outside);
    if (!stored) return std::move(stored).error().within(place);
    if (auto problem = check_names(*stored)) return std::move(*problem).within(place);
    if (documents->size() == 1 && path.ends_with(".json")) file.canonical = canonical_of(*stored, expect);
    file.stored.push_back(*std::move(stored));
  }
  return file;
}

}  // namespace fixpoint::corpus
