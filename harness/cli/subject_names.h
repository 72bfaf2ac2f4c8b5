#pragma once

#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/document/result.h"
#include "harness/external/external_webhooks.h"

namespace fixpoint::cli {

/// The subjects of a command line, names of the catalog and files, among their neighbours; the newest of
/// every injector when it names none.
document::Result<generators::Subjects> find_subjects(const std::vector<std::string>& names,
                                                     const external::ExternalWebhooks& outside);

/// The run of a bundled subject among bundled neighbours.
document::Result<runner::RunOptions> bundled_run(const std::string& name);

}  // namespace fixpoint::cli
