#include "harness/campaign/older_release.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "corpus/regression.h"
#include "harness/campaign/run_reader.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/fields.h"
#include "harness/runner/subject.h"

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

bool has_webhook(const std::vector<generators::Subjects>& subjects, std::string_view name) {
  for (const generators::Subjects& each : subjects)
    for (const runner::Subject& subject : each.chains.subjects)
      for (const auto& [webhook, backend] : subject.webhooks)
        if (webhook == name || cases::own_name_of(webhook) == name) return true;
  return false;
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
    if (!has_webhook(subjects, std::string_view(text).substr(0, equals)))
      return Error{"no subject of the policy has a webhook \"" + text.substr(0, equals) + "\"", "--since"};
    behind.webhooks.push_back(text);
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

bool OlderRelease::shows(const cases::Finding& finding, bool& was_replayed) const {
  auto older = outside_->admit(finding);
  if (!older) return false;
  for (const std::string& release : releases_) older = corpus::with_release(*std::move(older), release);
  const std::string answer =
      corpus::replay_answer(*older, outside_->resolve(), outside_->bundled(), outside_->limits());
  was_replayed = answer == "still failing" || answer == "fixed";
  return answer == "still failing";
}

OlderRelease::Answer OlderRelease::ask_run(const cases::Problem& problem) const {
  const auto is_there = [&](const std::string& print) { return of_run_.contains(print); };
  const bool has = std::any_of(problem.ids.begin(), problem.ids.end(), is_there) ||
                   std::any_of(problem.findings.begin(), problem.findings.end(), is_there);
  return has ? Answer::has_it : Answer::unknown;
}

OlderRelease::Answer OlderRelease::ask(const cases::Problem& problem,
                                       std::span<const cases::Finding> findings) const {
  if (outside_ == nullptr) return ask_run(problem);
  bool were_replayed = true;
  for (const cases::Finding& finding : findings) {
    bool was_replayed = false;
    if (shows(finding, was_replayed)) return Answer::has_it;
    were_replayed = were_replayed && was_replayed;
  }
  return were_replayed ? Answer::lacks_it : Answer::unknown;
}

}  // namespace fixpoint::campaign
