#include "harness/api/internal/in_process.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <variant>

#include "generators/learn_calls.h"
#include "generators/subjects.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/external/manifests/chart_objects.h"
#include "harness/external/manifests/selected_kinds.h"
#include "harness/runner/clock.h"
#include "harness/runner/learning/learn.h"
#include "harness/webhooks/review.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"
#include "reports/text.h"

namespace fixpoint {

namespace {

using document::Error;
using document::Result;
using document::Value;

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

/// Gives the subject the objects of its manifest beside its configuration, and the kinds that are drawn for
/// it.
std::optional<Error> give_cluster(runner::Subject& subject, const std::vector<Value>& documents) {
  std::vector<Value> definitions;
  for (const Value& document : documents) external::add_definitions(document, definitions);
  external::ChartObjects objects(definitions);
  for (const Value& document : documents) {
    if (cases::is_webhook_configuration(document) || objects.take(document)) continue;
    return Error{"expected objects of the webhook's cluster beside its configuration, found " +
                 (document["kind"].text().empty() ? "something without a kind"
                                                  : std::string(document["kind"].text()))};
  }
  const std::vector<Value> rules = external::rules_of(subject.configuration);
  subject.kinds = external::selected_kinds(rules, definitions);
  if (subject.kinds.empty())
    return Error{
        "its rules select nothing of which objects can be drawn; give the CustomResourceDefinitions "
        "of its kinds in further documents",
        "/webhooks"};
  objects.add_to(subject);
  return std::nullopt;
}

Result<runner::Subject> subject_of(const std::string& text) {
  auto documents = document::read_stream(text, {}, document::Strictness::foreign);
  if (!documents) return std::move(documents).error();
  const auto is_configuration = [](const Value& one) { return cases::is_webhook_configuration(one); };
  if (std::ranges::count_if(*documents, is_configuration) != 1)
    return Error{"expected one MutatingWebhookConfiguration"};
  const Value& configuration = *std::ranges::find_if(*documents, is_configuration);
  runner::Subject subject{.name = std::string(configuration["metadata"]["name"].text()),
                          .configuration = configuration};
  if (subject.name.empty()) return Error{"expected the object's name", "/metadata/name"};
  Value backends = Value::empty_object();
  for (const Value& webhook : configuration["webhooks"].elements()) {
    const std::string key = subject.name + "/" + std::string(webhook["name"].text());
    subject.webhooks[key] = api::in_process();
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
  if (auto problem = give_cluster(subject, *documents)) return *std::move(problem);
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

Result<std::vector<runner::Subject>> one(Result<runner::Subject> subject) {
  if (!subject) return std::move(subject).error().within("configuration");
  return std::vector{*std::move(subject)};
}

webhooks::Resolve resolve_of(const Webhook::Hidden& webhook, const Limits& limits) {
  webhooks::Resolve resolve = injectors::bundled().resolve;
  if (!webhook.handler) return resolve;
  resolve.outside = [answer = handler_of(webhook.handler, limits)](
                        const cases::Backend& backend) -> Result<webhooks::Handler> {
    const auto* command = std::get_if<cases::Command>(&backend);
    if (command == nullptr || !(*command == api::in_process()))
      return Error{"calls nothing outside the program"};
    return answer;
  };
  return resolve;
}

}  // namespace

Webhook::Hidden::Hidden() : subjects(injectors::newest(injectors::Role::subject)) {}

Webhook::Hidden::Hidden(const std::string& injector) : subjects(one(injectors::find_subject(injector))) {}

Webhook::Hidden::Hidden(const std::string& manifest, ReviewHandler answers)
    : handler(std::move(answers)), subjects(one(subject_of(manifest))) {
  if (!handler) handler = [](const std::string&) -> std::string { throw std::bad_function_call(); };
}

const runner::RunOptions& Webhook::Hidden::run() const {
  std::call_once(is_prepared_, [&] {
    auto prepared = api::run_of(*this, {});
    if (!prepared) throw std::invalid_argument(prepared.error().text());
    run_ = std::move(prepared->options);
    draw_context_.emplace(std::move(prepared->draws));
  });
  return run_;
}

const generators::DrawContext& Webhook::Hidden::draw_context() const {
  run();
  return *draw_context_;
}

const runner::Subject* Webhook::Hidden::subject() const {
  if (!subjects) throw std::invalid_argument(subjects.error().text());
  return subjects->size() == 1 ? &subjects->front() : nullptr;
}

namespace api {

const cases::Command& in_process() {
  static const cases::Command command{{"in-process"}};
  return command;
}

Result<PreparedRun> run_of(const Webhook::Hidden& webhook, const CheckOptions& options) {
  if (!webhook.subjects) return webhook.subjects.error();
  auto peers = peers_of(options.peers);
  if (!peers) return std::move(peers).error().within("configuration");
  const Limits limits;
  const webhooks::Resolve resolve = resolve_of(webhook, limits);
  generators::Subjects subjects{.names_peers = !options.peers.empty()};
  subjects.chains = {.subjects = *webhook.subjects, .peers = *std::move(peers), .resolve = resolve};
  const double begin = runner::now(), bound = options.seconds_max;
  if (auto problem = generators::learn_from_calls(subjects, resolve, limits, options.seed,
                                                  bound * generators::kShareOfLearning))
    return std::move(*problem).within("configuration");
  runner::RunOptions run = generators::run_of(subjects, injectors::bundled(), resolve);
  run.drawing.seed = options.seed;
  run.effort.cases_max = options.cases;
  run.effort.seconds_max = bound > 0 ? std::max(bound - (runner::now() - begin), 1e-3) : 0;
  run.effort.jobs = std::max(options.jobs, 1);
  return PreparedRun{std::move(run), std::move(subjects.chains)};
}

CheckFinding finding_of(const cases::Finding& finding) {
  const std::string replay =
      "save the document; fixpoint::Fixes(FILE) in a test, or fixpoint replay FILE --webhook NAME=…";
  return {.property = finding.property,
          .severity = finding.severity,
          .verdict = finding.verdict,
          .webhook = finding.webhook,
          .path = finding.evidence.path,
          .reason = finding.evidence.reason,
          .fingerprint = finding.fingerprint,
          .text = reports::finding_text(finding, replay),
          .document = document::write_json_pretty(cases::write_finding(finding))};
}

cases::Case with_webhook(cases::Case value, const Webhook& webhook) {
  const runner::Subject* one = webhook.hidden().subject();
  if (one == nullptr) return value;
  const runner::Subject& subject = *one;
  if (cases::find_configuration(value.cluster, subject.name) == nullptr) {
    for (const std::string& other : cases::configured_webhooks(value.cluster)) {
      if (cases::webhook_ref(value, other).is_subject)
        value = cases::without_webhook(std::move(value), other);
    }
    value.cluster.objects.push_back(subject.configuration);
    for (const Value& object : subject.objects) value.cluster.add_missing(object);
    value.webhooks.insert(subject.webhooks.begin(), subject.webhooks.end());
  }
  for (const auto& [key, backend] : subject.webhooks) {
    if (const auto at = value.webhooks.find(key); at != value.webhooks.end()) at->second = backend;
  }
  return value;
}

}  // namespace api

}  // namespace fixpoint
