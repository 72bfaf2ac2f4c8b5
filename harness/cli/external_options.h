#pragma once

#include "harness/cli/external_options.h"
#include "harness/cli/options.h"
#include "harness/document/result.h"
#include "harness/external/external_webhooks.h"

namespace fixpoint::cli {

/// The flags of commands that call webhooks outside the process.
void add_external_options(Options& line, external::ExternalOptions& options);

/// The flags by which the Cases of a corpus may name commands and URLs.
void add_allowances(Options& line, external::ExternalOptions& options);

/// Reaches those webhooks, and the bundled ones.
document::Result<external::ExternalWebhooks> external_webhooks(const external::ExternalOptions& options);

}  // namespace fixpoint::cli
