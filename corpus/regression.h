#pragma once

#include <string>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/document/result.h"
#include "harness/external/external_webhooks.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::corpus {

/// A stored regression: a Finding with the releases that show it and those that do not.
struct Regression {
  std::string file;
  cases::Finding finding;
  std::vector<std::string> shows;
  std::vector<std::string> silent;
};

/// All regressions of the corpus, sorted by file name. A corpus without any is an empty list.
document::Result<std::vector<Regression>> read_regressions(const std::string& corpus,
                                                           const external::Bundled& bundled);

/// The same Case with another release of the injector put in wherever a release of it stands.
cases::Case with_release(cases::Case value, const std::string& injector);
/// The same for what a Finding is about, a Case or a Sequence, and for a Sequence.
cases::Finding with_release(cases::Finding finding, const std::string& subject);
cases::Sequence with_release(cases::Sequence value, const std::string& reconciler);
/// Whether the subject, with its release, stands in what the finding is about.
bool concerns(const cases::Finding& finding, const std::string& subject);

/// "still failing", "fixed", or "not runnable: …".
std::string replay_answer(const cases::Finding& finding, const webhooks::Resolve& resolve,
                          const external::Bundled& bundled, const Limits& limits = {});

}  // namespace fixpoint::corpus
