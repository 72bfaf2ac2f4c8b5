#pragma once

#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/cli/options.h"
#include "harness/document/result.h"
#include "harness/external/external_webhooks.h"

namespace fixpoint::cli {

/// The subjects of a command line, names of the catalog and files, among their neighbours; the newest of
/// every injector when it names none.
document::Result<generators::Subjects> find_subjects(const std::vector<std::string>& names,
                                                     const external::ExternalWebhooks& outside);

/// The flag --example.
void add_examples_option(Options& line, std::vector<std::string>& paths);

/// Finds subjects as find_subjects() does, with Pods to begin with: those of these files, of which every
/// subject learns what may make it act, and, `has_seeds`, the corpus' seeds that are about a subject. An
/// error when one of the files is none.
document::Result<generators::FindSubjects> find_with_examples(const std::vector<std::string>& paths,
                                                              bool has_seeds, const Limits& limits);

/// The run of a bundled subject among bundled neighbours.
document::Result<runner::RunOptions> bundled_run(const std::string& name);

}  // namespace fixpoint::cli
