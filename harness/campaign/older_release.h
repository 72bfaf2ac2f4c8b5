#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/cases/problem.h"
#include "harness/document/result.h"
#include "harness/external/external_webhooks.h"

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

  /// The answer is unknown if a run does not show a problem: that proves nothing, because other seeds may
  /// show it.
  enum class Answer { has_it, lacks_it, unknown };
  /// Replays each finding of a problem on the older release, and answers whether that release has the
  /// problem.
  Answer ask(const cases::Problem& problem, std::span<const cases::Finding> findings) const;
  /// Returns the name as the user wrote it.
  const std::string& name() const { return name_; }

 private:
  Answer ask_run(const cases::Problem& problem) const;
  bool shows(const cases::Finding& finding, bool& was_replayed) const;

  std::string name_ = {};
  std::vector<std::string> releases_ = {};  ///< names of the bundled injectors and reconcilers
  std::shared_ptr<external::ExternalWebhooks> outside_ = {};  ///< none if the release is a run
  std::set<std::string> of_run_ = {};  ///< ids of the run's problems, and fingerprints of its findings
};

}  // namespace fixpoint::campaign
