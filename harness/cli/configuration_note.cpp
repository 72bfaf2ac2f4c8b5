#include "harness/cli/configuration_note.h"

#include <filesystem>
#include <set>
#include <vector>

#include "harness/campaign/policy.h"
#include "harness/campaign/run_reader.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/document_stream.h"
#include "harness/document/output_file.h"
#include "harness/runner/todays_configuration.h"

namespace fixpoint::cli {

namespace {

namespace files = std::filesystem;
using document::Value;

/// Returns the path of a stored Case's file, without the number of the document.
files::path file_of(const external::StoredCase& stored) {
  return stored.place.substr(0, stored.place.rfind(": document "));
}

/// Returns the files of subjects that the run's first event names: RUN/events.ndjson beside RUN/findings.
std::vector<std::string> files_of_run(const files::path& run) {
  const auto text = document::read_text_file((run / "events.ndjson").string());
  if (!text) return {};
  std::size_t offset = 0;
  const auto start = document::read_json_at(*text, offset, {}, document::Strictness::foreign);
  std::set<std::string> names;
  if (start)
    for (const auto& member : (*start)["files"].members()) names.emplace(member.value.text());
  return {names.begin(), names.end()};
}

/// Returns the subjects of a policy in the folder that are files.
std::vector<std::string> files_of_policy(const files::path& folder) {
  std::error_code problem;
  const files::path policy = folder / "fixpoint.yaml";
  if (!files::exists(policy, problem)) return {};
  const auto documents = document::read_file(policy.string());
  std::vector<std::string> names;
  if (documents && documents->size() == 1)
    for (const Value& subject : documents->front()["subjects"].elements()) {
      const files::path file = folder / std::string(subject.text());
      if (files::is_regular_file(file, problem)) names.push_back(file.string());
    }
  return names;
}

std::vector<Value> configurations_in(const std::string& file) {
  const auto documents = document::read_documents(file, document::Strictness::foreign);
  std::vector<Value> all;
  if (!documents) return all;
  for (const Value& one : *documents) {
    for (const Value& item : one["items"].elements())
      if (cases::is_of_webhooks(item)) all.push_back(item);
    if (cases::is_of_webhooks(one)) all.push_back(one);
    if (cases::is_of_webhooks(one["configuration"])) all.push_back(one["configuration"]);
  }
  return all;
}

}  // namespace

std::string configuration_note(const external::StoredCase& stored) {
  if (stored.sequence || !stored.finding) return {};
  const files::path folder = file_of(stored).parent_path().parent_path();
  std::vector<std::string> names = files_of_run(folder);
  if (names.empty()) names = files_of_policy(folder);
  for (const std::string& name : names) {
    const cases::Case today = runner::with_configurations(stored.value, configurations_in(name));
    std::string members;
    for (const auto& member : runner::changed_members(stored.value, today, stored.finding->webhook))
      members.append(members.empty() ? "" : ", ").append(member.name);
    if (members.empty()) continue;
    return stored.place + ": the Case has another configuration than " + name + " now: " + members +
           "; replay uses the Case's, fixpoint gate the file's";
  }
  return {};
}

}  // namespace fixpoint::cli
