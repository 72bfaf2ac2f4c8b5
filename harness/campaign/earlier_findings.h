#pragma once

#include <map>
#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/cases/finding.h"
#include "harness/document/result.h"
#include "harness/external/external_webhooks.h"
#include "reports/history_page.h"

namespace fixpoint::campaign {

/// The findings that are replayed before the first Case is drawn: those of the subjects, with the releases
/// under test inserted and without external backends that no flag allows.
struct StoredFindings {
  struct OfCorpus {
    std::string file, subject;
    cases::Finding finding;
    std::string before = {};  ///< the subject's release before this one
    bool before_shows = false, before_is_silent = false;
  };
  std::vector<cases::Finding> known = {};  ///< the failures of the history
  std::vector<OfCorpus> regressions = {};  ///< the regressions of the corpus
};

/// Reads the stored findings of the subjects: those of a history that was read from `history_file`, and of
/// the corpus.
document::Result<StoredFindings> read_stored(const std::string& history_file, const reports::History& history,
                                             const generators::Subjects& subjects,
                                             const external::ExternalWebhooks& webhooks);

/// Returns the known fingerprints, each with its origin.
std::map<std::string, std::string> known_in(const StoredFindings& stored);

}  // namespace fixpoint::campaign
