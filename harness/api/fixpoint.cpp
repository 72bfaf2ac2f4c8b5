#include "harness/api/fixpoint.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>

#include "generators/draw.h"
#include "generators/reduce.h"
#include "generators/subjects.h"
#include "harness/cases/case.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/document_stream.h"
#include "harness/runner/clock.h"
#include "harness/runner/learn.h"
#include "harness/runner/run.h"
#include "harness/runner/trigger.h"
#include "harness/webhooks/review.h"
#include "injectors/bundled.h"
#include "injectors/catalog.h"
#include "reports/text.h"

namespace fixpoint {

namespace {

using document::Error;
using document::Result;
using document::Value;

/// Cases that are drawn to learn what the webhook looks for, and calls that are enough (decisions.md,
/// Vocabulary).
constexpr std::uint64_t kLearningDraws = 256;
constexpr std::size_t kLearningCalls = 64;

/// Stands in the Cases for the handler; only `check` can call it.
const cases::Command kInProcess{{"in-process"}};

webhooks::Handler handler_of(const ReviewHandler& handler, const Limits& limits) {
  return [handler, limits](const webhooks::Call& call) {
    std::string answer;
    try {
      answer = handler(webhooks::write_review(call, call.uid));
    } catch (const std::exception& problem) {
      return webhooks::fail(std::string("an exception: ") + problem.what());
    } catch (...) {
      return webhooks::fail("an exception");
    }
    if (answer.size() > limits.answer_bytes_max)
      return webhooks::fail("an answer longer than answer_bytes_max");
    return webhooks::read_review(answer, call.uid, limits);
  };
}

Result<runner::Subject> subject_of(const std::string& text) {
  auto documents = document::read_stream(text, {}, document::Strictness::foreign);
  if (!documents) return std::move(documents).error();
  if (documents->size() != 1 || !cases::is_webhook_configuration(documents->front()))
    return Error{"expected one MutatingWebhookConfiguration"};
  const Value& configuration = documents->front();
  runner::Subject subject{.name = std::string(configuration["metadata"]["name"].text()),
                          .configuration = configuration};
  if (subject.name.empty()) return Error{"expected the object's name", "/metadata/name"};
  Value backends = Value::empty_object();
  for (const Value& webhook : configuration["webhooks"].elements()) {
    const std::string key = subject.name + "/" + std::string(webhook["name"].text());
    subject.webhooks[key] = kInProcess;
    backends.set(key, {{"script", Value::empty_list()}});
  }
  if (subject.webhooks.empty()) return Error{"expected a webhook", "/webhooks"};
  // The reader of Cases says what is wrong with a configuration.
  const auto read = cases::read_case({{"apiVersion", cases::kApiVersion},
                                      {"kind", "Case"},
                                      {"request", {{"object", Value::empty_object()}}},
                                      {"cluster", {{"objects", Value::list({configuration})}}},
                                      {"webhooks", backends}});
  if (!read) return read.error();
  runner::learn_from_configuration(subject.vocabulary, configuration);
  return subject;
}

void learn_from_calls(runner::Subject& subject, const webhooks::Resolve& resolve, std::uint64_t seed) {
  const generators::Repertoire repertoire({.subjects = {subject}, .has_faults = false});
  std::size_t calls = 0;
  for (std::uint64_t i = 0; i < kLearningDraws && calls < kLearningCalls; ++i) {
    runner::Choices choices(~seed, i);
    const auto prepared =
        runner::prepare(generators::draw(choices, repertoire), resolve, {}, runner::kJudging);
    if (!prepared) continue;
    for (const apiserver::CallEvent& event : prepared->admission.calls) {
      const auto& key = prepared->admission.webhooks[static_cast<std::size_t>(event.index)].key;
      if (!subject.webhooks.contains(key)) continue;
      ++calls;
      if (event.hop.answer.patch) runner::learn_from_patch(subject.vocabulary, *event.hop.answer.patch);
    }
  }
  runner::complete(subject.vocabulary);
}

Result<std::vector<runner::Subject>> peers_of(const std::vector<std::string>& names) {
  if (names.empty()) return injectors::newest(injectors::Role::peer);
  std::vector<runner::Subject> peers;
  for (const std::string& name : names) {
    auto peer = injectors::find_subject(name);
    if (!peer) return std::move(peer).error().within("peers");
    peers.push_back(*std::move(peer));
  }
  return peers;
}

CheckFinding finding_of(const cases::Finding& finding) {
  return {
      .property = finding.property,
      .severity = finding.severity,
      .verdict = finding.verdict,
      .webhook = finding.webhook,
      .path = finding.evidence.path,
      .because = finding.evidence.because,
      .fingerprint = finding.fingerprint,
      .text = reports::finding_text(finding, "save the document, then fixpoint replay FILE --webhook NAME=…"),
      .document = document::write_json_pretty(cases::write_finding(finding))};
}

CheckReport report_of(const runner::RunSummary& summary) {
  CheckReport report{.cases = summary.cases};
  for (const cases::Finding& finding : summary.findings) {
    report.findings.push_back(finding_of(finding));
    report.text += report.findings.back().text + "\n";
  }
  for (const runner::Gate& gate : summary.gates) {
    if (gate.judged && !gate.held) report.failed_gates.push_back(gate.name);
  }
  report.text += reports::summary_text(summary);
  return report;
}

Result<runner::RunOptions> run_of(const ReviewHandler& handler, const std::string& configuration,
                                  const CheckOptions& options) {
  auto subject = subject_of(configuration);
  if (!subject) return std::move(subject).error();
  auto peers = peers_of(options.peers);
  if (!peers) return std::move(peers).error();
  runner::RunOptions run{.seed = options.seed,
                         .cases_max = options.cases,
                         .seconds_max = options.seconds_max,
                         .jobs = std::max(options.jobs, 1)};
  run.resolve = injectors::bundled().resolve;
  run.resolve.outside =
      [answer = handler_of(handler, run.limits)](const cases::Backend& backend) -> Result<webhooks::Handler> {
    const auto* command = std::get_if<cases::Command>(&backend);
    if (command == nullptr || !(*command == kInProcess)) return Error{"calls nothing outside the program"};
    return answer;
  };
  learn_from_calls(*subject, run.resolve, options.seed);
  const properties::Tested tested{subject->name, subject->configuration};
  run.catalog = injectors::bundled().catalog.applicable_to({&tested, 1});
  run.subject_names = {subject->name};
  run.judged_configurations = {subject->name};
  generators::DrawOptions chains{.subjects = {*std::move(subject)}, .peers = *std::move(peers)};
  chains.resolve = run.resolve;
  run.draw = [repertoire = generators::Repertoire(std::move(chains))](
                 runner::Choices& choices, std::span<const runner::Steering> steering) -> runner::Drawn {
    return generators::draw(choices, repertoire, steering);
  };
  run.reduce = generators::reduce;
  run.clock = runner::now;
  return run;
}

}  // namespace

CheckReport check(const ReviewHandler& handler, const std::string& configuration,
                  const CheckOptions& options) {
  const auto run = run_of(handler, configuration, options);
  if (!run) {
    const std::string problem = Error(run.error()).within("configuration").text();
    return {.problem = problem, .text = problem + "\n"};
  }
  runner::Listener nobody;
  return report_of(runner::run(*run, nobody));
}

std::string version() { return FIXPOINT_VERSION; }

}  // namespace fixpoint
