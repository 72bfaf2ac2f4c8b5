#include "harness/api/stored_findings.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <variant>

#include "harness/api/internal/in_process.h"
#include "harness/campaign/policy.h"
#include "harness/document/document_stream.h"
#include "harness/external/backends/stored_case.h"
#include "injectors/bundled.h"
#include "reports/text.h"

namespace fixpoint {

namespace {

namespace files = std::filesystem;
using document::Value;

cases::Finding valid_finding(const Value& document) {
  cases::SequenceReader reader = injectors::bundled().sequence_reader();
  reader.known_subject = {};  // it may be the caller's own
  auto finding = cases::read_finding(document, {}, reader);
  if (!finding) throw std::invalid_argument(finding.error().text());
  return *std::move(finding);
}

Value one_document(const std::string& text) {
  auto documents = document::read_stream(text);
  if (!documents) throw std::invalid_argument(documents.error().text());
  if (documents->size() != 1) throw std::invalid_argument("expected one document");
  return documents->front();
}

external::StoredCase stored_of(const std::string& text) {
  const Value document = one_document(text);
  external::StoredCase stored;
  if (document["kind"].text() == "Finding") {
    stored.finding = valid_finding(document);
    stored.value = stored.finding->value;
    stored.sequence = stored.finding->sequence;
    return stored;
  }
  auto value = cases::read_case(document);
  if (!value) throw std::invalid_argument(value.error().text());
  stored.value = *std::move(value);
  return stored;
}

bool is_finding_file(const files::path& path) {
  const std::string extension = path.extension().string();
  if (extension != ".json" && extension != ".yaml" && extension != ".yml") return false;
  const auto documents = document::read_file(path.string());
  return documents && documents->size() == 1 && documents->front()["kind"].text() == "Finding" &&
         documents->front()["apiVersion"].text() == cases::kApiVersion;
}

}  // namespace

std::vector<std::string> finding_files(const std::string& folder) {
  std::error_code problem;
  std::vector<std::string> found;
  for (const auto& entry : files::recursive_directory_iterator(folder, problem))
    if (entry.is_regular_file() && is_finding_file(entry.path())) found.push_back(entry.path().string());
  if (problem) throw std::invalid_argument(folder + ": " + problem.message());
  std::sort(found.begin(), found.end());
  return found;
}

CheckFinding read_finding(const std::string& text) {
  return api::finding_of(valid_finding(one_document(text)));
}

Replayed replay(const std::string& document, const Webhook& webhook) {
  external::StoredCase stored = stored_of(document);
  stored.value = api::with_webhook(std::move(stored.value), webhook);
  if (stored.finding) {
    stored.finding->value = stored.value;
    for (cases::Case& before : stored.finding->before) before = api::with_webhook(std::move(before), webhook);
  }
  const runner::RunOptions& run = webhook.hidden().run();
  runner::ReplayWith with = external::replay_with(injectors::bundled());
  with.resolve = run.subjects.resolve;
  with.limits = run.effort.limits;
  const runner::Answer now = external::answers_of(stored, "", with).front();
  Replayed replayed{.answer = std::string(word(now.kind)), .detail = now.why};
  replayed.text = replayed.answer + (now.why.empty() ? "" : ": " + now.why) + "\n";
  cases::Finding trace;
  trace.evidence.calls = now.calls;
  if (!now.calls.empty()) replayed.text += reports::calls_text(trace);
  return replayed;
}

struct AcceptedFindings::Hidden {
  std::vector<std::string> fingerprints = {};
  std::vector<campaign::AcceptedProblem> problems = {};
};

AcceptedFindings::AcceptedFindings(std::vector<std::string> fingerprints)
    : hidden_(std::make_shared<const Hidden>(Hidden{.fingerprints = std::move(fingerprints)})) {}

AcceptedFindings AcceptedFindings::read(const std::string& policy_file) {
  auto read = campaign::read_policy(policy_file);
  if (const auto* mistakes = std::get_if<std::vector<document::Error>>(&read))
    throw std::invalid_argument(mistakes->front().text());
  auto& policy = std::get<campaign::Policy>(read);
  Hidden hidden{.problems = std::move(policy.accepted)};
  const std::string today = campaign::today();
  std::erase_if(hidden.problems, [&](const auto& accepted) { return accepted.until < today; });
  AcceptedFindings accepted;
  accepted.hidden_ = std::make_shared<const Hidden>(std::move(hidden));
  return accepted;
}

bool AcceptedFindings::covers(const CheckFinding& finding) const {
  if (!hidden_) return false;
  const auto& prints = hidden_->fingerprints;
  if (std::find(prints.begin(), prints.end(), finding.fingerprint) != prints.end()) return true;
  if (hidden_->problems.empty()) return false;
  const cases::Finding whole = valid_finding(one_document(finding.document));
  return std::any_of(hidden_->problems.begin(), hidden_->problems.end(),
                     [&](const campaign::AcceptedProblem& problem) { return problem.covers(whole); });
}

}  // namespace fixpoint
