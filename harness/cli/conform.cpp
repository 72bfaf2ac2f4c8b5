#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <random>

#include "generators/requests.h"
#include "harness/cases/minors.h"
#include "harness/cli/command.h"
#include "harness/cli/external_options.h"
#include "harness/cli/options.h"
#include "harness/cli/webhook_tests.h"
#include "harness/conformance/cluster_comparison.h"
#include "harness/conformance/policy_test_run.h"
#include "harness/conformance/recorder_client.h"
#include "harness/conformance/vector_file.h"
#include "harness/conformance/vectors.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/document/printable.h"

namespace fixpoint::cli {

namespace {

using Answer = conformance::Compared::Answer;
using document::Error;

struct ConformOptions {
  std::vector<std::string> paths = {};
  bool shows_differences = false;
  std::string live_recorder = {};
  std::string kinds = "default,decode,patch,validate,warn,admit";
  std::uint64_t lines = 1000;
  std::optional<std::uint64_t> seed = {};
  std::string version = {};
  std::string found = {};
  std::uint64_t seconds = 120;
  external::ExternalOptions outside = {};
  bool updates = false;
  std::string junit = {};
};

/// Prints the result of each line of a file, and adds the counts to `total`.
std::optional<Error> check_file(const std::string& path, bool shows_differences, conformance::Counts& total) {
  const auto counts =
      conformance::check_file(path, [&](const Value& line, const conformance::Compared& compared) {
        if (shows_differences && compared.answer != conformance::Compared::Answer::agreed)
          std::fputs(conformance::differences_text(line, compared).c_str(), stdout);
      });
  if (!counts) return counts.error();
  total.add(counts->all);
  std::printf("%s: %s\n", path.c_str(), counts->all.text().c_str());
  if (counts->by_kind.size() > 1) {
    for (const auto& [kind, each] : counts->by_kind)
      std::printf("  %s: %s\n", kind.c_str(), each.text().c_str());
  }
  return std::nullopt;
}

/// Prints why a test failed: the file that it disagrees with, and how.
void print_failure(const external::PolicyTest& test, const conformance::Compared& compared) {
  if (compared.answer == Answer::agreed) return;
  const std::string how = compared.answer == Answer::unsupported ? " is unsupported"
                          : test.gold_path.empty()               ? " disagrees"
                                                                 : " disagrees with " + test.gold_path;
  std::printf("test %s\n", document::printable(test.name + how).c_str());
  for (const std::string& difference : compared.differences)
    std::printf("  %s\n", document::printable(difference).c_str());
}

/// Runs the tests of policies in a folder, prints those that fail and those that are not run, and adds the
/// counts to `total`.
std::optional<Error> check_folder(const std::string& path, conformance::Counts& total) {
  const auto folders = conformance::check_policy_folders(path, print_failure);
  if (!folders) return folders.error();
  for (const conformance::FolderCounts& folder : *folders) {
    for (const std::string& what : folder.not_run)
      std::printf("not run: %s\n", document::printable(what).c_str());
    std::printf("%s: %s, %zu not run\n", folder.path.c_str(), folder.counts.text().c_str(),
                folder.not_run.size());
    total.add(folder.counts);
  }
  return std::nullopt;
}

/// Runs the tests of webhooks in a folder, prints those that fail, and adds the counts to `total`.
std::optional<Error> check_webhooks(const std::string& path, const ConformOptions& options,
                                    conformance::Counts& total) {
  const auto outside = external_webhooks(options.outside);
  if (!outside) return outside.error();
  const auto tests = check_webhook_tests(path, *outside, options.updates);
  if (!tests) return tests.error();
  conformance::Counts counts;
  for (const TestedWebhook& test : *tests) {
    counts.add(test.compared.answer);
    if (test.compared.answer == Answer::agreed) continue;
    std::printf("test %s fails\n", document::printable(test.name).c_str());
    for (const std::string& difference : test.compared.differences)
      std::printf("  %s\n", document::printable(difference).c_str());
  }
  std::printf("%s: %s%s\n", path.c_str(), counts.text().c_str(), options.updates ? ", written" : "");
  total.add(counts);
  return options.junit.empty() ? std::nullopt : document::write_file(options.junit, junit_of_tests(*tests));
}

int conform_recorded(const ConformOptions& options) {
  if (options.paths.empty())
    return bad_input("conform: expected at least one file of vectors, or a folder of policies with tests");
  conformance::Counts total;
  bool has_folders = false;
  for (const std::string& path : options.paths) {
    std::error_code ignored;
    const bool is_folder = std::filesystem::is_directory(path, ignored);
    has_folders = has_folders || is_folder;
    auto problem = is_webhook_test_folder(path) ? check_webhooks(path, options, total)
                   : is_folder                  ? check_folder(path, total)
                                                : check_file(path, options.shows_differences, total);
    if (problem) return bad_input(*problem);
  }
  if (total.all() == 0)
    return bad_input(has_folders ? "conform: not one test was run" : "conform: not one line was read");
  std::printf("total: %s\n", total.text().c_str());
  return total.agreed == total.all() ? kNothingFound : kFound;
}

/// Splits a list of kinds at its commas; nothing if one of them is unknown.
std::optional<std::vector<std::string>> kinds_of(const std::string& text) {
  std::vector<std::string> kinds;
  for (std::size_t from = 0; from <= text.size();) {
    const auto to = std::min(text.find(',', from), text.size());
    kinds.push_back(text.substr(from, to - from));
    const auto& known = generators::kRequestKinds;
    if (std::find(known.begin(), known.end(), kinds.back()) == known.end()) return std::nullopt;
    from = to + 1;
  }
  return kinds;
}

Result<conformance::LiveOptions> live_options(const ConformOptions& options) {
  conformance::LiveOptions live{.lines = options.lines};
  const auto kinds = kinds_of(options.kinds);
  if (!kinds) return Error{"conform: --kinds: expected some of default,decode,patch,validate,warn,admit,cel"};
  live.kinds = *kinds;
  live.seed = options.seed ? *options.seed : std::random_device{}();
  if (!options.version.empty()) {
    const auto minor = cases::supported_minor(options.version);
    if (!minor) return Error{"conform: --version: expected " + cases::versions_in_words()};
    live.minor = *minor;
  }
  for (const std::string& path : options.paths) {
    auto documents = document::read_documents(path);
    if (!documents) return std::move(documents).error();
    live.requests.insert(live.requests.end(), documents->begin(), documents->end());
  }
  if (!options.paths.empty() && live.requests.empty()) return Error{"conform: not one line was read"};
  return live;
}

void print_disagreement(const conformance::Disagreement& each) {
  std::fputs(conformance::differences_text(each.line, each.compared).c_str(), stdout);
  if (each.times > 1) std::printf("  %ld requests shrank to this one\n", each.times);
  std::printf("  %s%s\n", each.is_shrunk ? "" : "not shrunk: ",
              document::printable(document::write_json(each.line)).c_str());
}

int print_report(const conformance::LiveReport& report, const conformance::LiveOptions& live) {
  for (const conformance::Disagreement& each : report.disagreements) print_disagreement(each);
  for (const auto& [why, times] : report.unsupported) {
    std::printf("unsupported, %ld times: %s\n", times, document::printable(why).c_str());
  }
  conformance::Counts total;
  long refused = 0;
  const auto refusals = [](const conformance::LiveReport::Counted& counted) {
    std::string text = ", " + std::to_string(counted.refused) + " refused";
    if (counted.answered > 0)
      text += " (" + std::to_string(counted.answered) + " of them have an answer here)";
    return text;
  };
  for (const auto& [kind, counted] : report.by_kind) {
    std::printf("%s: %s%s\n", kind.c_str(), counted.counts.text().c_str(), refusals(counted).c_str());
    total.add(counted.counts);
    refused += counted.refused;
  }
  std::printf("error sites: %zu\n", report.sites.size());
  if (live.requests.empty()) std::printf("seed: %llu\n", static_cast<unsigned long long>(live.seed));
  std::printf("total: %s, %ld refused\n", total.text().c_str(), refused);
  return total.agreed == total.all() ? kNothingFound : kFound;
}

int conform_live(const ConformOptions& options) {
  conformance::Recorder recorder{.argv = conformance::split_command(options.live_recorder),
                                 .seconds_max = static_cast<double>(options.seconds)};
  if (recorder.argv.empty()) return bad_input("conform: --live-recorder: expected a command");
  const auto live = live_options(options);
  if (!live) return bad_input(live.error());
  const auto report = conformance::run_live(
      *live, [&](const std::vector<conformance::Question>& questions, conformance::Death death) {
        return conformance::ask(recorder, questions, death);
      });
  if (!report) return unfinished(report.error());
  if (!options.found.empty()) {
    std::string lines;
    for (const conformance::Disagreement& each : report->disagreements)
      lines += document::write_json(each.line) + "\n";
    if (auto problem = document::write_file(options.found, lines)) return unfinished(*problem);
  }
  return print_report(*report, *live);
}

}  // namespace

int conform(const Arguments& arguments) {
  ConformOptions options;
  Options line(
      "conform",
      "Compares the simulator with recorded behaviour of the real API server, or with a recorder; and "
      "policies "
      "with their tests.",
      "  fixpoint conform corpus/conformance/kubernetes/*.ndjson\n  fixpoint conform --diff admit.ndjson\n"
      "  fixpoint conform policies/\n"
      "  fixpoint conform webhooks/ --webhook 'inject.example.io=exec:./my-webhook --stdio' --junit "
      "tests.xml\n"
      "  fixpoint conform --live-recorder build/recorder/1.36.3 --kinds validate,admit --lines 20000");
  line.positionals("VECTORS", options.paths,
                   "NDJSON files of vectors, or folders of webhooks or policies with tests/ in kat's layout");
  line.flag("--update", options.updates, "write what came of the tests of webhooks as what they expect");
  line.value("--junit FILE", options.junit, "the tests of a folder of webhooks, as JUnit reads them");
  line.flag("--diff", options.shows_differences, "each line that does not agree, and how");
  line.value("--live-recorder CMD", options.live_recorder,
             "ask this program, split at blanks, about drawn requests (or those of VECTORS)");
  line.value("--kinds KINDS", options.kinds, "of drawn requests, joined by commas");
  line.value("--lines", options.lines, "drawn requests of each kind");
  line.value("--seed", options.seed, "of the drawn requests; random when absent, and printed");
  line.value("--version MINOR", options.version,
             "the Kubernetes minor of the recorder, " + cases::versions_in_words());
  line.value("--found FILE", options.found, "a file for the shrunk disagreements, as vectors");
  line.value("--seconds", options.seconds, "how long the recorder may take for one batch");
  add_external_options(line, options.outside);
  if (const auto code = line.parse(arguments)) return *code;
  return options.live_recorder.empty() ? conform_recorded(options) : conform_live(options);
}

}  // namespace fixpoint::cli
