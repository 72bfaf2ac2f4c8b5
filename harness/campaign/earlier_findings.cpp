#include "harness/campaign/earlier_findings.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "corpus/corpus_files.h"
#include "corpus/regression.h"
#include "harness/campaign/run_history.h"
#include "harness/runner/subject.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::campaign {

using document::Error;
using document::Result;

namespace {

/// Returns the release before the given one of a bundled injector, in the order of the catalog; empty for the
/// first.
std::string release_before(const std::string& subject) {
  const std::string name = runner::without_release(subject);
  for (const auto& injector : injectors::all()) {
    if (injector.name != name) continue;
    for (std::size_t i = 1; i < injector.releases.size(); ++i)
      if (subject == name + "@" + std::string(injector.releases[i]))
        return std::string(injector.releases[i - 1]);
  }
  return {};
}

}  // namespace

Result<StoredFindings> read_stored(const std::string& history_file, const reports::History& history,
                                   const generators::Subjects& subjects,
                                   const external::ExternalWebhooks& webhooks) {
  StoredFindings stored;
  const auto admit = [&](cases::Finding& finding, const std::string& file) -> std::optional<Error> {
    auto admitted = webhooks.admit(finding);
    if (!admitted) return std::move(admitted).error().within(file + ": finding " + finding.fingerprint);
    finding = *std::move(admitted);
    return std::nullopt;
  };
  stored.known = known_failures_of(history, subjects.names());
  for (cases::Finding& finding : stored.known)
    if (auto problem = admit(finding, history_file)) return *std::move(problem);
  // An external webhook is not a bundled release.
  if (subjects.calls_out) return stored;
  auto regressions = corpus::read_regressions(corpus::corpus_folder(), webhooks.bundled());
  if (!regressions) return std::move(regressions).error();
  for (const corpus::Regression& regression : *regressions) {
    for (const std::string& subject : subjects.names()) {
      cases::Finding finding = corpus::with_release(regression.finding, subject);
      if (!corpus::concerns(finding, subject)) continue;
      if (auto problem = admit(finding, regression.file)) return *std::move(problem);
      const std::string before = release_before(subject);
      const auto is_in = [&](const std::vector<std::string>& releases) {
        return std::find(releases.begin(), releases.end(), before) != releases.end();
      };
      stored.regressions.push_back({.file = regression.file,
                                    .subject = subject,
                                    .finding = std::move(finding),
                                    .before = before,
                                    .before_shows = is_in(regression.shows),
                                    .before_is_silent = is_in(regression.silent)});
    }
  }
  return stored;
}

std::map<std::string, std::string> known_in(const StoredFindings& stored) {
  std::map<std::string, std::string> known;
  for (const cases::Finding& finding : stored.known) known.emplace(finding.fingerprint, "an earlier run");
  for (const auto& one : stored.regressions)
    known[one.finding.fingerprint] = std::filesystem::path(one.file).stem().string();
  return known;
}

}  // namespace fixpoint::campaign
