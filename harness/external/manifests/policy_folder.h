#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/document/result.h"

namespace fixpoint::external {

/// The files of one test of a policy.
struct TestFiles {
  std::string name = {};  ///< POLICY.TEST, with .allow or .deny if the files have it
  /// By content: object, oldObject, request, params, namespaceObject, authorizer, gold, message, and others
  /// that only validating policies have.
  std::map<std::string, std::string> paths = {};
  /// Returns the path of the file with this content; empty if there is none.
  std::string path_of(const std::string& content) const;
};

/// A folder in kat's layout (docs/policies.md#tests): policies and bindings, and their tests in tests/.
struct PolicyFolder {
  std::string path = {};
  std::vector<std::string> policy_files = {};  ///< sorted; those of bindings are among them
  std::vector<TestFiles> tests = {};           ///< by name
  std::vector<std::string> unread = {};        ///< files in tests/ that belong to no test
};

/// Returns the tests in a folder, by name, and the files in it that belong to none.
PolicyFolder tests_in(const std::string& folder);

/// Returns true if the path is a folder with a file of policies in it or below.
bool is_policy_folder(const std::string& path);

/// Finds the folders at and below `path` that have policies; the folder tests/ of one stands for that one. An
/// error if there is none.
document::Result<std::vector<PolicyFolder>> find_policy_folders(const std::string& path);

}  // namespace fixpoint::external
