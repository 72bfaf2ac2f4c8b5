#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "reports/scoreboard.h"

namespace fixpoint::program {

/// A line of recorded behaviour, as text: every reading of it is a new document, on which no rule has left a
/// mark.
struct Evidence {
  std::string file;
  std::string text;
};

/// All lines of recorded behaviour under the corpus, but those of KServe's reconciler, which no rule of the
/// simulator touches.
document::Result<std::vector<Evidence>> read_evidence(const std::string& corpus);

/// Switches off every rule that speaks on some line, one by one, until a line disagrees. Rules that stand in
/// the sources and never speak count as not noticed; `sources` is the top of the repository. Scores are
/// sorted by part. `is_over` is asked before each rule: when it holds, the parts are left out that were not
/// scored to their end.
document::Result<std::vector<reports::MutationScore>> switch_off_rules(
    const std::vector<Evidence>& evidence, const std::string& sources,
    const std::function<bool()>& is_over = {});

}  // namespace fixpoint::program
