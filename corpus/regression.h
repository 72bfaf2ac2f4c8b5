#pragma once

#include <string>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"

namespace fixpoint::corpus {

/// A stored regression: a Finding with the releases that show it and those that do not.
struct Regression {
  std::string file;
  cases::Finding finding;
  std::vector<std::string> shows;
  std::vector<std::string> silent;
  std::string published = {};  ///< owner/project#NUMBER, under which the project knows it; empty: unpublished
  std::string mended = {};     ///< the change that mended it, in the same form; empty: none did
};

/// Returns the name of its file, and behind a colon its public numbers: "token-in-clear: kserve/kserve#1,
/// mended by kserve/kserve#2".
std::string name_of(const Regression& regression);

/// Returns all regressions of the corpus, sorted by file name. A corpus without regressions gives an empty
/// list.
document::Result<std::vector<Regression>> read_regressions(const std::string& corpus,
                                                           const external::Bundled& bundled);

/// Returns the Case with this release of the injector in place of any other release of it, and with the rules
/// that the release is installed with.
cases::Case with_release(cases::Case value, const std::string& injector, const external::Bundled& bundled);
/// Does the same for the Case or Sequence of a Finding.
cases::Finding with_release(cases::Finding finding, const std::string& subject,
                            const external::Bundled& bundled);
cases::Sequence with_release(cases::Sequence value, const std::string& reconciler);
/// Returns true if the finding's Case or Sequence contains the subject, with its release.
bool concerns(const cases::Finding& finding, const std::string& subject);

}  // namespace fixpoint::corpus
