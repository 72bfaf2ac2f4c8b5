#pragma once

#include "harness/cli/external_options.h"
#include "harness/cli/options.h"
#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"

namespace fixpoint::cli {

/// Adds the flags of the commands that call webhooks outside the process.
void add_external_options(Options& line, external::ExternalOptions& options);

/// Adds the flags that allow the Cases of a corpus to name commands and URLs.
void add_allowances(Options& line, external::ExternalOptions& options);

/// Makes the webhooks that these options name callable, together with the bundled ones.
document::Result<external::ExternalWebhooks> external_webhooks(const external::ExternalOptions& options);

}  // namespace fixpoint::cli
