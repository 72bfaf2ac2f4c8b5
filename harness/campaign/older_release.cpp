#include "harness/campaign/older_release.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "corpus/regression.h"
#include "harness/campaign/run_reader.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/fields.h"
#include "harness/external/backends/stored_case.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::campaign {

using document::Error;
using document::Result;

namespace {

/// Returns the injectors and reconcilers that are behind the subjects, without their releases.
std::set<std::string> bundled_names(const std::vector<generators::Subjects>& subjects) {
  std::set<std::string> names;
  for (const generators::Subjects& each : subjects) {
    for (const std::string& reconciler : each.reconcilers) names.insert(runner::without_release(reconciler));
    for (const runner::Subject& subject : each.chains.subjects)
      for (const auto& [webhook, backend] : subject.webhooks)
        if (const auto* injector = std::get_if<cases::InjectorName>(&backend))
          names.insert(runner::without_release(injector->name));
  }
  return names;
}

/// Returns the injectors and reconcilers of the subjects in the release that the text names.
Result<std::vector<std::string>> releases_named(const std::string& text,
                                                const std::vector<generators::Subjects>& subjects,
                                                const external::Bundled& bundled) {
  const auto at = text.rfind('@');
  const std::string wanted = at == std::string::npos ? "" : text.substr(0, at);
  const std::string release = text.substr(at == std::string::npos ? 0 : at + 1);
  std::vector<std::string> found;
  for (const std::string& name : bundled_names(subjects)) {
    if (!wanted.empty() && wanted != name) continue;
    const std::string full = name + "@" + release;
    if (!bundled.known_injectors()(full) || !bundled.known_reconcilers()(full)) found.push_back(full);
  }
  if (!found.empty()) return found;
  return Error{"no subject of the policy has the release \"" + text +
                   "\": expected a release of `fixpoint list`, NAME=exec:CMD, NAME=URL, or a run's folder",
               "--since"};
}

/// Returns the one webhook of the subjects, <configuration>/<webhook>, that the name means: as a whole, or
/// without its configuration.
Result<std::string> webhook_named(const std::string& name,
                                  const std::vector<generators::Subjects>& subjects) {
  std::set<std::string> meant;
  for (const generators::Subjects& each : subjects)
    for (const runner::Subject& subject : each.chains.subjects)
      for (const auto& [webhook, backend] : subject.webhooks)
        if (cases::is_meant(name, webhook)) meant.insert(webhook);
  if (meant.empty()) return Error{"no subject of the policy has a webhook \"" + name + "\"", "--since"};
  if (meant.size() > 1)
    return Error{"\"" + name + "\" means " + *meant.begin() + " and " + *std::next(meant.begin()) +
                     ": name one of them as a whole",
                 "--since"};
  return *meant.begin();
}

}  // namespace

Result<OlderRelease> OlderRelease::of(const std::string& text,
                                      const std::vector<generators::Subjects>& subjects,
                                      const external::ExternalOptions& options,
                                      const external::Bundled& bundled) {
  OlderRelease older;
  older.name_ = text;
  if (std::filesystem::is_directory(text)) {
    const auto record = read_run(text, {.shows_values = true});
    if (!record) return record.error();
    for (const cases::Problem& problem : reports::problems_of(*record))
      older.of_run_.insert(problem.ids.begin(), problem.ids.end());
    for (const auto& recorded : record->findings) older.of_run_.insert(recorded.finding.fingerprint);
    return older;
  }
  external::ExternalOptions behind = options;
  if (const auto equals = text.find('='); equals != std::string::npos) {
    auto webhook = webhook_named(text.substr(0, equals), subjects);
    if (!webhook) return std::move(webhook).error();
    older.webhook_ = *std::move(webhook);
    behind.webhooks.push_back(older.webhook_ + text.substr(equals));
  } else {
    auto releases = releases_named(text, subjects, bundled);
    if (!releases) return std::move(releases).error();
    older.releases_ = *std::move(releases);
  }
  auto outside = external::ExternalWebhooks::of(behind, bundled);
  if (!outside) return std::move(outside).error();
  older.outside_ = std::make_shared<external::ExternalWebhooks>(*std::move(outside));
  return older;
}

bool OlderRelease::put_in(cases::Finding& finding) const {
  for (const std::string& release : releases_)
    finding = corpus::with_release(std::move(finding), release, outside_->bundled());
  if (webhook_.empty())
    return std::any_of(releases_.begin(), releases_.end(),
                       [&](const std::string& release) { return corpus::concerns(finding, release); });
  const auto backend = outside_->named(webhook_);
  const auto put = [&](cases::Case& value) {
    // The configuration in a smallest Case may have another name.
    const auto there = std::find_if(value.webhooks.begin(), value.webhooks.end(), [&](const auto& one) {
      if (one.first == webhook_) return true;
      const cases::WebhookRef webhook = cases::webhook_ref(value, one.first);
      return webhook.is_subject && cases::is_meant(webhook.name, webhook_);
    });
    if (there == value.webhooks.end() || !backend) return false;
    there->second = *backend;
    return true;
  };
  for (cases::Case& earlier : finding.before) put(earlier);
  return put(finding.value);
}

runner::Answer OlderRelease::answer_of(const cases::Finding& finding) const {
  auto older = outside_->admit(finding);
  if (!older) return {runner::Answer::Kind::not_run, older.error().text()};
  if (!put_in(*older))
    return {runner::Answer::Kind::not_run, "the Case of " + finding.fingerprint + " does not contain it"};
  return runner::answer_of(*older, external::replay_with(*outside_));
}

bool OlderRelease::shows(const cases::Finding& finding) const {
  if (outside_ == nullptr) return of_run_.contains(finding.fingerprint);
  return answer_of(finding).kind == runner::Answer::Kind::still_failing;
}

OlderRelease::Answers OlderRelease::ask_run(const cases::Problem& problem,
                                            std::span<const cases::Finding> findings) const {
  const auto is_there = [&](const std::string& print) { return of_run_.contains(print); };
  if (std::any_of(problem.ids.begin(), problem.ids.end(), is_there) ||
      std::any_of(problem.findings.begin(), problem.findings.end(), is_there))
    return {.older = findings.size()};
  return {.is_unknown = true};
}

OlderRelease::Answers OlderRelease::ask(const cases::Problem& problem,
                                        std::span<const cases::Finding> findings) const {
  if (outside_ == nullptr) return ask_run(problem, findings);
  Answers answers;
  for (const cases::Finding& finding : findings) {
    const runner::Answer answer = answer_of(finding);
    if (answer.kind == runner::Answer::Kind::still_failing) {
      ++answers.older;
      continue;
    }
    if (answer.kind != runner::Answer::Kind::not_run) {
      answers.fresh.push_back(finding);
      continue;
    }
    auto& reasons = answers.cannot_compare;
    if (std::find(reasons.begin(), reasons.end(), answer.why) == reasons.end()) reasons.push_back(answer.why);
  }
  return answers;
}

}  // namespace fixpoint::campaign
