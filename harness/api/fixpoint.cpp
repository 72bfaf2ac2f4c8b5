#include "harness/api/fixpoint.h"

#include <algorithm>
#include <exception>

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
#include "injectors/injector_catalog.h"
#include "reports/text.h"

namespace fixpoint {

namespace {

using document::Error;
using document::Result;
using document::Value;

/// Represents the handler in Cases; only `check` can call it.
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
  // The reader of Cases reports the errors of a configuration.
  const auto read = cases::read_case({{"apiVersion", cases::kApiVersion},
                                      {"kind", "Case"},
                                      {"request", {{"object", Value::empty_object()}}},
                                      {"cluster", {{"objects", Value::list({configuration})}}},
                                      {"webhooks", backends}});
  if (!read) return read.error();
  runner::learn_from_configuration(subject.vocabulary, configuration);
  return subject;
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
  for (const auto& [subject, counts] : summary.acted) report.acted += counts.acted;
  for (const cases::Finding& finding : summary.findings) {
    report.findings.push_back(finding_of(finding));
    report.text += report.findings.back().text + "\n";
  }
  for (const runner::VacuityCheck& vacuity_check : summary.vacuity_checks) {
    if (vacuity_check.judged && !vacuity_check.held) report.failed_gates.push_back(vacuity_check.name);
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
  const external::Bundled& bundled = injectors::bundled();
  const Limits limits;
  webhooks::Resolve resolve = bundled.resolve;
  resolve.outside =
      [answer = handler_of(handler, limits)](const cases::Backend& backend) -> Result<webhooks::Handler> {
    const auto* command = std::get_if<cases::Command>(&backend);
    if (command == nullptr || !(*command == kInProcess)) return Error{"calls nothing outside the program"};
    return answer;
  };
  generators::Subjects subjects{.names_peers = !options.peers.empty()};
  subjects.chains = {.subjects = {*std::move(subject)}, .peers = *std::move(peers), .resolve = resolve};
  const double begin = runner::now(), bound = options.seconds_max;
  if (auto problem = generators::learn_from_calls(subjects, resolve, limits, options.seed,
                                                  bound * generators::kShareOfLearning))
    return *std::move(problem);
  runner::RunOptions run = generators::run_of(subjects, bundled, resolve);
  run.seed = options.seed;
  run.cases_max = options.cases;
  run.seconds_max = bound > 0 ? std::max(bound - (runner::now() - begin), 1e-3) : 0;
  run.jobs = std::max(options.jobs, 1);
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
