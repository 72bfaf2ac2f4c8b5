#include "harness/campaign/known_findings.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "corpus/corpus_files.h"
#include "corpus/regression.h"
#include "harness/campaign/run_history.h"
#include "harness/campaign/run_reader.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/runner/diagnosis/problems.h"
#include "harness/runner/learning/subject.h"
#include "injectors/reconcilers.h"

namespace fixpoint::campaign {

using document::Error;
using document::Result;

namespace {

constexpr std::size_t kOfLastRunMax = 100;

/// Returns the releases before the given one of a bundled subject, in the order of the catalog.
std::vector<std::string> releases_before(const std::string& subject) {
  std::vector<std::string> before;
  const std::string name = runner::without_release(subject);
  for (const auto& [known, releases] : injectors::all_releases()) {
    if (known != name) continue;
    for (const std::string_view release : releases) {
      if (subject == name + "@" + std::string(release)) return before;
      before.emplace_back(release);
    }
  }
  return {};
}

/// Adds a regression under its cause: of what is composed of the part, and of the same webhook behind a URL.
void take_cause(const corpus::Regression& regression, std::map<std::string, std::string>& causes) {
  const auto& cause = regression.finding.cause;
  if (!cause) return;
  const std::string name = corpus::name_of(regression);
  const std::string webhook = regression.finding.blamed().name;
  for (const std::string& who : {cause->part, webhook})
    if (!who.empty())
      causes.emplace(cases::cause_key(who, cause->place, cause->symptom,
                                      cause->change.substr(0, cause->change.find("; "))),
                     name);
}

/// Returns what the last run in the folder found, and what it retried, if it was a run of the same subjects.
/// A Case whose backend this command line does not allow is left out.
std::vector<KnownFindings::OfLastRun> findings_of_run(const std::string& folder,
                                                      const generators::Subjects& subjects,
                                                      const external::ExternalWebhooks& webhooks) {
  const auto record = read_run(folder, {.shows_values = true});
  if (!record || !record->complete || record->subjects != subjects.names()) return {};
  std::vector<KnownFindings::OfLastRun> all;
  std::set<std::string> seen;
  const auto add = [&](const cases::Finding& finding, bool was_fixed) {
    if (all.size() >= kOfLastRunMax || !seen.insert(finding.fingerprint).second) return;
    if (auto admitted = webhooks.admit(finding)) all.push_back({*std::move(admitted), was_fixed});
  };
  for (const auto& recorded : record->findings) add(recorded.finding, false);
  for (const reports::RetryAnswer& retry : record->retries)
    add(retry.finding, runner::is_fixed(retry.answer));
  return all;
}

}  // namespace

Result<KnownFindings> read_known(const std::string& history_file, const reports::History& history,
                                 const std::string& last_run, const generators::Subjects& subjects,
                                 const external::ExternalWebhooks& webhooks) {
  KnownFindings stored;
  const auto admit = [&](cases::Finding& finding, const std::string& file) -> std::optional<Error> {
    auto admitted = webhooks.admit(finding);
    if (!admitted) return std::move(admitted).error().within(file + ": finding " + finding.fingerprint);
    finding = *std::move(admitted);
    return std::nullopt;
  };
  stored.known = known_failures_of(history, subjects.names(), webhooks.bundled());
  for (cases::Finding& finding : stored.known)
    if (auto problem = admit(finding, history_file)) return *std::move(problem);
  if (!last_run.empty()) stored.of_last_run = findings_of_run(last_run, subjects, webhooks);
  auto regressions = corpus::read_regressions(corpus::corpus_folder(), webhooks.bundled());
  if (!regressions) return std::move(regressions).error();
  for (const corpus::Regression& regression : *regressions) {
    take_cause(regression, stored.causes);
    // An external webhook is not a bundled release.
    if (subjects.calls_out) continue;
    for (const std::string& subject : subjects.names()) {
      cases::Finding finding = corpus::with_release(regression.finding, subject, webhooks.bundled());
      if (!corpus::concerns(finding, subject)) continue;
      if (auto problem = admit(finding, regression.file)) return *std::move(problem);
      const std::vector<std::string> earlier = releases_before(subject);
      const std::string before = earlier.empty() ? "" : earlier.back();
      const auto is_in = [](const std::vector<std::string>& releases, const std::string& release) {
        return std::find(releases.begin(), releases.end(), release) != releases.end();
      };
      // A finding that no earlier release shows was never repaired: it cannot come back.
      const bool was_shown = std::ranges::any_of(
          earlier, [&](const std::string& release) { return is_in(regression.shows, release); });
      stored.regressions.push_back({.file = regression.file,
                                    .subject = subject,
                                    .name = corpus::name_of(regression),
                                    .finding = std::move(finding),
                                    .before = before,
                                    .before_shows = is_in(regression.shows, before),
                                    .before_is_silent = was_shown && is_in(regression.silent, before)});
    }
  }
  return stored;
}

std::map<std::string, std::string> KnownFindings::names() const {
  std::map<std::string, std::string> names = causes;
  for (const cases::Finding& finding : known) names.emplace(finding.fingerprint, cases::kStill);
  for (const OfLastRun& one : of_last_run)
    names.emplace(one.finding.fingerprint, one.was_fixed ? cases::kReopened : cases::kStill);
  for (const auto& one : regressions) names[one.finding.fingerprint] = one.name;
  return names;
}

std::vector<document::Value> configurations_of(const generators::Subjects& subjects) {
  std::vector<document::Value> all;
  for (const runner::Subject& subject : subjects.chains.subjects) {
    all.push_back(subject.configuration);
    for (const document::Value& object : subject.objects)
      if (cases::is_of_policies(object) || cases::is_of_webhooks(object)) all.push_back(object);
  }
  return all;
}

std::vector<reports::EarlierProblem> earlier_problems(const KnownFindings& known,
                                                      const std::vector<reports::RetryAnswer>& answers,
                                                      const std::vector<cases::Problem>& found) {
  std::set<std::string> were_fixed, wanted;
  for (const auto& one : known.of_last_run) {
    (one.was_fixed ? were_fixed : wanted).insert(one.finding.fingerprint);
  }
  std::vector<reports::RetryAnswer> news;  // a problem that was fixed before and still is, is none
  for (const reports::RetryAnswer& one : answers) {
    const std::string& print = one.finding.fingerprint;
    const bool is_back = were_fixed.contains(print) && !runner::is_fixed(one.answer);
    if (is_back || wanted.contains(print)) news.push_back(one);
  }
  return reports::earlier_problems_of(news, found, were_fixed);
}

}  // namespace fixpoint::campaign
