#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/conformance/vectors.h"
#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/external/manifests/policy_tests.h"

namespace fixpoint::conformance {

/// Runs a test's request through its policy alone, in the server's two passes, without other plugins and
/// without validation, and compares the Pod, or the refusal, with what the test expects. Pods are compared as
/// the server has them, with their defaults.
Compared check_policy_test(const external::PolicyTest& test, const Limits& limits = {});

/// The tests of a folder by result, and those that cannot be run, with the reasons.
struct FolderCounts {
  std::string path = {};
  Counts counts = {};
  std::vector<std::string> not_run = {};
};

/// Runs the tests of the folders at and below `path`, and calls `each` for every one. An error for files that
/// cannot be meant, and for policies that no server stores.
document::Result<std::vector<FolderCounts>> check_policy_folders(
    const std::string& path,
    const std::function<void(const external::PolicyTest& test, const Compared&)>& each);

}  // namespace fixpoint::conformance
