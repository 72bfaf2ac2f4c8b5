#pragma once

#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/cli/options.h"
#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"

namespace fixpoint::cli {

/// Finds the subjects of a command line, which are names of the catalog and files, and their neighbours;
/// without names, the newest release of every injector.
document::Result<generators::Subjects> find_subjects(const std::vector<std::string>& names,
                                                     const external::ExternalWebhooks& outside);

/// Adds the flag --example.
void add_examples_option(Options& line, std::vector<std::string>& paths);

/// Finds subjects as find_subjects() does, with Pods to begin with: those of the files at `paths`, from which
/// every subject learns triggers, and, with `has_seeds`, the seeds of the corpus that fit a subject. An error
/// if one of the files is not an example.
document::Result<generators::FindSubjects> find_with_examples(const std::vector<std::string>& paths,
                                                              bool has_seeds, const Limits& limits);

/// Returns the options of a run of one bundled subject among bundled neighbours.
document::Result<runner::RunOptions> bundled_run(const std::string& name);

}  // namespace fixpoint::cli
