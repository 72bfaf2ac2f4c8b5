#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generators/subjects.h"
#include "harness/compare/chain_advice.h"
#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"

namespace fixpoint::compare {

/// Returns the chain of these subjects or, if the only name is a file with one Case, the configurations and
/// objects of that Case. First learns the vocabulary of subjects from files. An error for a reconciler, which
/// no API server calls, and for a Case without a webhook configuration.
document::Result<Chain> read_chain(const std::vector<std::string>& names, std::uint64_t seed,
                                   const external::ExternalWebhooks& outside,
                                   const generators::FindSubjects& find_subjects);

}  // namespace fixpoint::compare
