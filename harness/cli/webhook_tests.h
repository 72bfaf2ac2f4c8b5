#pragma once

#include <string>
#include <vector>

#include "harness/conformance/vectors.h"
#include "harness/document/result.h"
#include "harness/external/backends/external_webhooks.h"

namespace fixpoint::cli {

/// A test of a webhook and how it went.
struct TestedWebhook {
  std::string name = {};  ///< FOLDER/tests/NAME
  conformance::Compared compared = {};
};

/// Returns true for a folder of manifests with tests/ and no policies of kat's layout.
bool is_webhook_test_folder(const std::string& path);

/// Runs the tests of a folder (docs/formats.md#tests): each object goes through the webhooks of the folder's
/// manifests as the API server sends it, and what comes is compared with the expected object, patch, denial
/// and warnings. With `updates`, what came is written as what is expected. An error for files that cannot be
/// meant.
document::Result<std::vector<TestedWebhook>> check_webhook_tests(const std::string& folder,
                                                                 const external::ExternalWebhooks& outside,
                                                                 bool updates);

/// Returns the tests as JUnit's XML.
std::string junit_of_tests(const std::vector<TestedWebhook>& tests);

}  // namespace fixpoint::cli
