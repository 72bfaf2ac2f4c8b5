#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <variant>

#include "corpus/corpus_files.h"
#include "corpus/regression.h"
#include "harness/cli/command.h"
#include "harness/cli/corpus.h"
#include "harness/cli/external_options.h"
#include "harness/cli/options.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/external/backends/stored_case.h"
#include "harness/runner/learning/subject.h"
#include "injectors/bundled.h"

namespace fixpoint::cli {

namespace {

namespace files = std::filesystem;
using document::Error;

class Verifier {
 public:
  explicit Verifier(const external::ExternalWebhooks& outside) : outside_(outside) {}

  /// Reports symbolic links in the folder, also in those parts whose files are not read one by one.
  void check_links(const std::string& folder) {
    if (auto paths = corpus::corpus_files(folder); !paths) bad(paths.error().text());
  }

  void check_file(const std::string& path, bool rewrites) {
    ++files_;
    const auto file = corpus::read_corpus_file(path, outside_);
    if (!file) return bad(file.error().text());
    if (file->canonical.empty() || file->canonical == file->text) return;
    if (!rewrites) return bad(path + ": is not canonical (--rewrite makes it so)");
    if (auto problem = document::write_file(path, file->canonical)) return bad(problem->text());
    std::printf("%s: rewritten\n", document::printable(path).c_str());
  }

  /// Checks that the finding shows in the releases that are recorded as showing it, and does not show in
  /// those recorded as silent.
  void check_regression(const corpus::Regression& regression) {
    const std::string name = injector_of(regression.finding);
    if (replay(regression.finding) != "still failing")
      wrong(regression.file + ": does not fail as it is stored");
    if (name.empty()) return;
    for (const std::string& release : regression.shows) expect(regression, name + "@" + release, true);
    for (const std::string& release : regression.silent) expect(regression, name + "@" + release, false);
  }

  void bad(const std::string& line) { say(line, bad_); }
  int code() const { return bad_ > 0 ? kBadInput : wrong_ > 0 ? kFound : kNothingFound; }
  std::size_t files() const { return files_; }

 private:
  void wrong(const std::string& line) { say(line, wrong_); }
  static void say(const std::string& line, std::size_t& count) {
    ++count;
    std::printf("%s\n", document::printable(line).c_str());
  }
  std::string replay(const cases::Finding& finding) const {
    return text_of(runner::answer_of(finding, external::replay_with(outside_)));
  }
  /// A release that fails there in another way, or does not get there, is silent.
  void expect(const corpus::Regression& regression, const std::string& subject, bool shows) {
    const std::string found = replay(corpus::with_release(regression.finding, subject, outside_.bundled()));
    if ((found == "still failing") != shows)
      wrong(regression.file + ": with " + subject + " expected " +
            (shows ? "still failing" : "another answer") + ", found " + found);
  }
  /// Returns the injector that is blamed, without its release; empty if it is not a bundled injector.
  static std::string injector_of(const cases::Finding& finding) {
    if (finding.sequence) return runner::without_release(finding.sequence->subject);
    const auto backend = finding.value.webhooks.find(finding.webhook);
    if (backend == finding.value.webhooks.end()) return "";
    const auto* injector = std::get_if<cases::InjectorName>(&backend->second);
    return injector == nullptr ? "" : runner::without_release(injector->name);
  }

  const external::ExternalWebhooks& outside_;
  std::size_t files_ = 0, bad_ = 0, wrong_ = 0;
};

}  // namespace

int corpus_verify(const Arguments& arguments) {
  std::string folder;
  bool rewrites = false;
  external::ExternalOptions allowed;
  Options line("corpus verify",
               "Checks the corpus: every file reads, is canonical and stays in its "
               "folder, and every regression fails and is fixed in the releases that it names. A line for "
               "each that is not: exit code 2 for a bad file, 1 for a regression that says what is not so.",
               "  fixpoint corpus verify\n  fixpoint corpus verify my-corpus --rewrite");
  line.positional("FOLDER", folder, "with regressions/ and seeds/ (default: the corpus)", false);
  line.flag("--rewrite", rewrites,
            "files of older versions or other forms become canonical ones of the newest");
  add_allowances(line, allowed);
  if (const auto code = line.parse(arguments)) return *code;
  if (folder.empty()) folder = corpus::corpus_folder();
  const auto outside = external_webhooks(allowed);
  if (!outside) return bad_input(outside.error());
  std::error_code problem;
  if (!files::is_directory(folder, problem)) return bad_input(folder + ": expected a folder");
  Verifier verifier(*outside);
  verifier.check_links(folder);
  for (const char* part : kCorpusParts) {
    const auto paths = corpus::corpus_files(folder, part);
    if (!paths) continue;  // check_links() has reported the error
    for (const std::string& path : *paths) verifier.check_file(path, rewrites);
  }
  if (verifier.code() != kBadInput) {
    const auto regressions = corpus::read_regressions(folder, injectors::bundled());
    if (!regressions)
      verifier.bad(regressions.error().text());
    else
      for (const corpus::Regression& regression : *regressions) verifier.check_regression(regression);
  }
  if (verifier.files() == 0 && verifier.code() == kNothingFound)
    verifier.bad(folder + ": holds neither regressions nor seeds");
  if (verifier.code() == kNothingFound) std::printf("%zu files, all as they should be\n", verifier.files());
  return verifier.code();
}

}  // namespace fixpoint::cli
