#include "harness/external/backends/first_question.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "harness/apiserver/dispatch/dispatch.h"
#include "harness/cases/kind.h"
#include "harness/cases/redaction.h"
#include "harness/cases/secrets.h"
#include "harness/document/printable.h"
#include "harness/runner/diagnosis/cause.h"
#include "harness/runner/lone_call.h"

namespace fixpoint::external {

namespace {

using cases::Case;
using document::Value;

constexpr int kSecondsMax = 1;           ///< for an answer; one that is later is judged in the run
constexpr std::size_t kWordsMax = 2000;  ///< bytes of standard error that are shown: its end

/// Returns the requests to ask: the first example, then plain objects, then further ones.
std::vector<Case> requests_for(const runner::Subject& subject, const FirstQuestions::Further& further) {
  std::vector<Case> all;
  const cases::Cluster known{.objects = subject.objects};
  std::optional<cases::Kind> first_kind;
  if (!subject.kinds.empty())
    first_kind = cases::find_kind(subject.kinds.front().api_version, subject.kinds.front().name, known);
  const cases::Kind kind = first_kind.value_or(cases::pod_kind());
  if (!subject.examples.empty()) all.push_back(subject.examples.front());
  while (all.size() < 3) {
    Case value;
    value.request = runner::harmless_request("default", kind);
    if (all.size() == 2) value.request.object.edit("metadata").edit("labels").set("app", "harmless");
    all.push_back(std::move(value));
  }
  for (const Value& object : further(subject, kind))
    all.emplace_back().request = {.namespace_name = "default", .object = object};
  for (Case& value : all) {
    value.cluster.objects.push_back(subject.configuration);
    for (const Value& object : subject.objects) value.cluster.objects.push_back(object);
  }
  return all;
}

/// Asks with a timeout of kSecondsMax; nothing if the request does not reach the webhook.
std::optional<apiserver::CallResult> answer_to(const std::string& webhook, const webhooks::Handler& handler,
                                               const Case& value, const Limits& limits) {
  const auto configured = apiserver::read_configurations(value);
  if (!configured) return std::nullopt;
  const auto found = std::find_if(configured->begin(), configured->end(),
                                  [&](const auto& one) { return one.key == webhook; });
  if (found == configured->end()) return std::nullopt;
  apiserver::ConfiguredWebhook impatient = *found;
  impatient.timeout_seconds = std::min(impatient.timeout_seconds, kSecondsMax);
  auto result = runner::call_alone(impatient, handler, value.request, value.cluster, limits);
  if (!result) return std::nullopt;
  return *std::move(result);
}

/// Returns the reason why the webhook did not answer; nothing if it did.
std::optional<std::string> silence_of(const std::string& webhook, const webhooks::Handler& handler,
                                      const Case& value, const Limits& limits) {
  const auto result = answer_to(webhook, handler, value, limits);
  if (!result) return std::nullopt;
  const webhooks::Answer& answer = result->answer;
  // An answer that began is one, and so is one beyond a limit: these are findings.
  const bool has_begun = answer.problem.find("of its answer") != std::string::npos ||
                         answer.problem.starts_with("the answer is longer");
  if (answer.timed_out || has_begun || runner::is_review(answer)) return std::nullopt;
  return answer.problem.empty() ? result->problem : answer.problem;
}

/// Returns the end of a program's standard error for a terminal: its lines, without secrets.
std::string shown_words(std::string words) {
  if (words.size() > kWordsMax) words.erase(0, words.find('\n', words.size() - kWordsMax) + 1);
  std::string text;
  for (std::size_t at = 0; at < words.size();) {
    const auto end = std::min(words.find('\n', at), words.size());
    const std::string line = words.substr(at, end - at);
    const auto secrets = cases::secrets_in(line, cases::TextKind::command);
    text += "  " + document::printable(cases::without(line, secrets, cases::kHiddenValue)) + "\n";
    at = end + 1;
  }
  return text;
}

std::string shown_backend(const cases::Backend& backend) {
  if (const auto* url = std::get_if<cases::Url>(&backend)) return url->url;
  std::string text;
  for (const std::string& word : std::get<cases::Command>(backend).argv)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The advice for a webhook that does not answer, by a part of what it did instead.
struct Advice {
  bool is_of_commands;
  std::string_view problem, advice;
};
constexpr auto kAdvice = std::to_array<Advice>({
    {true, "cannot start", "name a program that can be run from this folder"},
    {true, "",
     "try it by hand: it reads one AdmissionReview a line on standard input and answers with one line"},
    {false, "self-signed", "name what signed its certificate with --ca FILE"},
    {false, "issuer", "name what signed its certificate with --ca FILE"},
    {false, "subject name",
     "its certificate is for another host: --service NAMESPACE/NAME=https://… calls it by its service's "
     "name"},
    {false, "connection refused", "see that it is up, and listens on this port"},
    {false, "", "see that the URL's path is the webhook's"},
});

std::string_view advice_for(const cases::Backend& backend, const std::string& problem) {
  const bool is_command = std::holds_alternative<cases::Command>(backend);
  return std::find_if(kAdvice.begin(), kAdvice.end(),
                      [&](const Advice& row) {
                        return row.is_of_commands == is_command && problem.find(row.problem) != problem.npos;
                      })
      ->advice;
}

std::optional<NotWorking> ask(const std::string& webhook, const cases::Backend& backend,
                              const std::vector<Case>& questions, const ExternalWebhooks& outside) {
  const auto tally = std::make_shared<webhooks::ProcessTally>();
  const auto handler = outside.apart(backend, tally);
  if (!handler) return NotWorking{handler.error()};
  std::string first;
  for (const Case& value : questions) {
    const auto problem = silence_of(webhook, *handler, value, outside.limits());
    if (!problem) return std::nullopt;
    if (!first.empty() && runner::without_digits(*problem) != runner::without_digits(first))
      return std::nullopt;
    first = *problem;
  }
  tally->end_idle_processes();
  return NotWorking{{document::printable(webhook + " does not work: " + shown_backend(backend) +
                                         " answers no request: " + first + "; ")
                         .append(advice_for(backend, first))},
                    shown_words(tally->last_words())};
}

bool serves_one_connection(const std::string& webhook, const cases::Url& url, const Case& question,
                           const ExternalWebhooks& outside) {
  // The run's own client has had an answer and keeps its connection open.
  const auto one = outside.apart(url, std::make_shared<webhooks::ProcessTally>()),
             other = outside.over_another_connection(url);
  if (!one || !other) return false;
  const auto is_late = [&](const webhooks::Handler& handler) {
    const auto result = answer_to(webhook, handler, question, outside.limits());
    return !result || result->answer.timed_out;
  };
  return !is_late(*one) && is_late(*other) && !is_late(*one);
}

}  // namespace

FirstQuestions::FirstQuestions(std::span<const runner::Subject> subjects, const ExternalWebhooks& outside,
                               const Further& further)
    : outside_(outside) {
  for (const runner::Subject& subject : subjects) {
    for (const auto& [webhook, backend] : subject.webhooks)
      if (is_external(backend)) questions_.push_back({webhook, backend, requests_.size()});
    requests_.push_back(requests_for(subject, further));
  }
}

std::optional<std::string> FirstQuestions::server_of_one_connection() const {
  if (outside_.options().connections > 0) return std::nullopt;
  for (const auto& [webhook, backend, index] : questions_) {
    const auto* url = std::get_if<cases::Url>(&backend);
    if (url != nullptr && serves_one_connection(webhook, *url, requests_[index].front(), outside_))
      return url->url;
  }
  return std::nullopt;
}

std::optional<NotWorking> FirstQuestions::ask() const {
  for (const auto& [webhook, backend, index] : questions_)
    if (auto dead = external::ask(webhook, backend, requests_[index], outside_)) return dead;
  return std::nullopt;
}

}  // namespace fixpoint::external
