#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/cases/problem.h"
#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"
#include "harness/runner/replay_answer.h"

namespace fixpoint::campaign {

/// The release that a gate compares new problems with (docs/formats.md#policy): a bundled release (0.19.0 or
/// kserve/agent@0.19.0), an older build of the webhook (NAME=exec:CMD or NAME=URL), or the folder of a run.
class OlderRelease {
 public:
  /// Returns an error for a release that no subject has, a webhook that no subject has, or a folder without a
  /// run.
  static document::Result<OlderRelease> of(const std::string& text,
                                           const std::vector<generators::Subjects>& subjects,
                                           const external::ExternalOptions& options,
                                           const external::Bundled& bundled);

  /// The answers for the findings of one problem.
  struct Answers {
    std::size_t older = 0;                         ///< the older release shows them, too
    std::vector<cases::Finding> fresh = {};        ///< it does not show them
    std::vector<std::string> cannot_compare = {};  ///< why it could not be asked, each reason once
    bool is_unknown = false;  ///< a run does not show the problem: other seeds may, so this proves nothing
  };
  /// Asks the older release for each finding of a problem.
  Answers ask(const cases::Problem& problem, std::span<const cases::Finding> findings) const;
  /// Returns true if the older release fails on this finding as well, as it does on a problem that it has.
  bool shows(const cases::Finding& finding) const;
  /// Returns the name as the user wrote it.
  const std::string& name() const { return name_; }

 private:
  Answers ask_run(const cases::Problem& problem, std::span<const cases::Finding> findings) const;
  runner::Answer answer_of(const cases::Finding& finding) const;
  /// Puts the older release into the finding's Case; returns false if the Case has no place for it.
  bool put_in(cases::Finding& finding) const;

  std::string name_ = {};
  std::vector<std::string> releases_ = {};  ///< names of the bundled injectors and reconcilers
  std::string webhook_ = {};                ///< <configuration>/<webhook> that has another backend
  std::shared_ptr<external::ExternalWebhooks> outside_ = {};  ///< none if the release is a run
  std::set<std::string> of_run_ = {};  ///< ids of the run's problems, and fingerprints of its findings
};

}  // namespace fixpoint::campaign
