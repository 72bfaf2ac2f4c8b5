#pragma once

#include <optional>
#include <string>

#include "harness/document/result.h"
#include "reports/scoreboard.h"

namespace fixpoint::measure {

/// Returns the path of corpus/scoreboard.json.
std::string scores_path();

/// Reads the scoreboard in a file; an error names the file.
document::Result<reports::Scoreboard> read_scores(const std::string& path);

/// Writes corpus/scoreboard.json and corpus/scoreboard.md.
std::optional<document::Error> save_scores(const reports::Scoreboard& board);

}  // namespace fixpoint::measure
