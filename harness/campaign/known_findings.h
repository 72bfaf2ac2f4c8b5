#pragma once

#include <map>
#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/cases/problem.h"
#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/replay_answer.h"
#include "reports/earlier_problem.h"
#include "reports/history_page.h"

namespace fixpoint::campaign {

/// The findings that are replayed before the first Case is drawn: those of the subjects, with the releases
/// under test inserted and without external backends that no flag allows.
struct KnownFindings {
  struct OfCorpus {
    std::string file, subject;
    std::string name = {};  ///< corpus::name_of
    cases::Finding finding;
    std::string before = {};  ///< the subject's release before this one
    bool before_shows = false, before_is_silent = false;
  };
  struct OfLastRun {
    cases::Finding finding;
    bool was_fixed = false;  ///< in the last run, which had retried it
  };
  std::vector<cases::Finding> known = {};          ///< the failures of the history
  std::vector<OfCorpus> regressions = {};          ///< the regressions of the corpus
  std::map<std::string, std::string> causes = {};  ///< the names of all regressions, by cases::cause_key
  std::vector<OfLastRun> of_last_run = {};         ///< what the last run in the same folder left

  /// Returns the names of what is known, by fingerprint or cause: of a regression, or a state.
  std::map<std::string, std::string> names() const;
};

/// Reads the known findings of the subjects: the failures of a history, those of the last run in a folder
/// (empty: none is read), and the regressions of the corpus.
document::Result<KnownFindings> read_known(const std::string& history_file, const reports::History& history,
                                           const std::string& last_run, const generators::Subjects& subjects,
                                           const external::ExternalWebhooks& webhooks);

/// Returns the webhook configurations, policies and bindings of the subjects as they are today.
std::vector<document::Value> configurations_of(const generators::Subjects& subjects);

/// Returns the problems of the last run that this run did not find, each with its state. One that was fixed
/// in the last run and still is, is left out.
std::vector<reports::EarlierProblem> earlier_problems(const KnownFindings& known,
                                                      const std::vector<reports::RetryAnswer>& answers,
                                                      const std::vector<cases::Problem>& found);

}  // namespace fixpoint::campaign
