#include "harness/campaign/run_history.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <random>

#include "corpus/regression.h"
#include "harness/campaign/run_reader.h"
#include "harness/document/cut.h"
#include "harness/document/document_stream.h"
#include "harness/document/output_file.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::campaign {

using document::Error;
using document::Result;

namespace {

namespace files = std::filesystem;

constexpr int kRetries = 3;

/// Converts a path relative to the current folder to one relative to the folder of the history.
std::string path_from(const std::string& history, const std::string& path) {
  std::error_code problem;
  const files::path here = files::current_path(problem);
  const files::path folder = (here / history).lexically_normal().parent_path();
  const files::path from_there = (here / path).lexically_normal().lexically_relative(folder);
  return problem || from_there.empty() ? path : from_there.generic_string();
}
/// Converts a path relative to the folder of the history to one relative to the current folder.
std::string path_to(const std::string& history, const std::string& path) {
  return path.empty() ? "" : (files::path(history).parent_path() / path).lexically_normal().generic_string();
}

/// Returns true if the finding is about the subject, under its own name or as a webhook of a file.
bool is_of(const cases::Finding& finding, const std::string& subject) {
  if (corpus::concerns(finding, subject)) return true;
  const std::string blamed = reports::subject_of(finding);
  return blamed == subject || cases::belongs_to(blamed, subject);
}

std::string retry_one(const cases::Finding& finding, const runner::ReplayWith& with) {
  const runner::Answer first = answer_in_time(finding, with);
  const std::string answer = text_of(first);
  for (int i = 1; i < kRetries && first.kind != runner::Answer::Kind::not_run; ++i) {
    const runner::Answer again = answer_in_time(finding, with);
    if (again.kind != runner::Answer::Kind::not_run && text_of(again) != answer) return "flaky";
  }
  return answer;
}

}  // namespace

Result<reports::History> read_history_file(const std::string& path) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) return reports::History{};
  const auto text = document::read_text_file(path);
  if (!text) return text.error();
  auto history = reports::read_history(*text);
  if (!history) return std::move(history).error().within(path);
  for (reports::HistoryRun& run : history->runs) {
    run.folder = path_to(path, run.folder);
    run.report = path_to(path, run.report);
  }
  return history;
}

std::optional<Error> append_history(const std::string& path, const reports::HistoryRun& run) {
  auto file = document::GrowingFile::open(path, document::GrowingFile::Writers::several);
  if (!file) return file.error();
  if (auto problem = file->append(reports::history_line(run))) return problem;
  return file->flush();
}

std::string new_run_id() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::random_device random;
  std::string id(32, '0');
  for (char& digit : id) digit = kDigits[random() % kDigits.size()];
  return id;
}

std::optional<Error> append_run(const std::string& path, const std::string& folder, const std::string& id,
                                const std::vector<ReportOrder>& orders) {
  const auto record = read_run(folder, {.shows_values = true});
  if (!record) return record.error();
  reports::HistoryRun run = reports::history_run(*record, timestamp());
  run.id = id;
  run.folder = path_from(path, folder);
  const auto page = std::find_if(orders.begin(), orders.end(),
                                 [](const ReportOrder& order) { return order.format == "html"; });
  if (page != orders.end()) run.report = path_from(path, page->file);
  return append_history(path, run);
}

std::string timestamp() {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::vector<cases::Finding> known_failures_of(const reports::History& history,
                                              const std::vector<std::string>& subjects,
                                              const external::Bundled& bundled) {
  std::vector<cases::Finding> all;
  for (const cases::Finding& known : reports::known_failures(history)) {
    for (const std::string& subject : subjects) {
      cases::Finding finding = corpus::with_release(known, subject, bundled);
      if (!is_of(finding, subject)) continue;
      all.push_back(std::move(finding));
      break;
    }
  }
  return all;
}

runner::Answer answer_in_time(const cases::Finding& finding, const runner::ReplayWith& with) {
  try {
    document::heed_end();
    return runner::answer_of(finding, with);
  } catch (const document::Cut&) {
    return {runner::Answer::Kind::not_run, "the time of the run is over"};
  }
}

std::vector<reports::RetryAnswer> retry(const std::vector<cases::Finding>& known,
                                        const runner::ReplayWith& with) {
  std::vector<reports::RetryAnswer> answers;
  for (const cases::Finding& finding : known) answers.push_back({finding, retry_one(finding, with)});
  return answers;
}

}  // namespace fixpoint::campaign
