#pragma once

#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::conformance {

/// Returns the object as a run of `live` creates it: with a label for `live` and for this run, and an
/// annotation that names the process that made it.
document::Value marked(document::Value object, const std::string& run);

/// Returns the owner that this process writes into objects: the machine, its process namespace, and the
/// process id with its start time, since a later process may have the same id.
std::string owner_of_run();
/// Returns true if the owner is a process of this machine that has ended.
bool is_gone(const std::string& owner);

/// Which marked objects are removed.
enum class Clean {
  what_is_left,  ///< of processes of this machine that have ended, and of others after an hour
  everything,
};
/// Removes objects that runs of `live` created and left in a cluster, webhook configurations first. Returns
/// their paths; an error if the server cannot be reached.
document::Result<std::vector<std::string>> clean_cluster(const webhooks::RestOptions& server, Clean which);

/// Removes all objects of a collection in a namespace, those that wait for finalizers, too. What cannot be
/// removed is left.
void remove_all(webhooks::Rest& rest, const std::string& collection);

/// The collection of CustomResourceDefinitions.
inline constexpr std::string_view kTypesPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

}  // namespace fixpoint::conformance
