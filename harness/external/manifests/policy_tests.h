#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/external/manifests/policy_folder.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::external {

/// A document, and the file where it stands.
struct PlacedDocument {
  std::string place;
  document::Value document;
  std::size_t number = 0;  ///< in its file, from 0
};

/// One test of a policy, as its files say.
struct PolicyTest {
  std::string name = {};
  std::string policy = {};   ///< the name of the policy that it tests
  std::string not_run = {};  ///< why it cannot be run; empty if it can
  cases::Case value = {};    ///< the request, and the objects of its cluster without policies
  std::vector<document::Value> policies = {};  ///< the policy and its bindings
  bool expects_denial = false;
  std::optional<std::string> message = {};  ///< of the denial, without the server's words in front
  document::Value gold = {};                ///< the expected Pod; null for one that stays as it is
  std::string gold_path = {};
};

struct PolicyTests {
  /// Of the policy files; also a definition of each custom resource that is a param, and a binding for it.
  std::vector<PlacedDocument> documents = {};
  std::vector<PolicyTest> tests = {};
};

/// Reads the policies and tests of a folder. An error, with its file, for what cannot be meant: two objects,
/// an operation that the files contradict, a test of no policy, a Pod that does not decode.
document::Result<PolicyTests> read_policy_tests(const PolicyFolder& folder, const Limits& limits);

/// Reads all policies at and below a path with their tests.
document::Result<PolicyTests> read_tested_policies(const std::string& path, const Limits& limits);

/// Gives the subjects of a folder's manifests the objects of the tests in FOLDER/tests, each to those that
/// draw its kind. An error for an object that cannot be read.
std::optional<document::Error> give_objects_of_tests(const std::string& folder, const Limits& limits,
                                                     std::vector<runner::Subject>& subjects);

/// Gives each policy the Pods of its tests as examples, and the cluster of its tests.
void give_tests(const PolicyTests& folder, std::vector<runner::Subject>& subjects,
                std::vector<std::string>& notes);

}  // namespace fixpoint::external
