#pragma once

#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/webhooks/rest.h"

namespace fixpoint::conformance {

/// The object as a run of `live` creates it: labelled as one of ours and of this run, with an annotation that
/// says which process made it.
document::Value marked(document::Value object, const std::string& run);

/// Says who made an object: the machine, its process namespace, and the process with its time of birth. So
/// that one process is not taken for another one with its number.
std::string owner_of_run();
/// Returns true when the owner is a process of this machine that is gone.
bool is_gone(const std::string& owner);

/// Which marked objects are removed.
enum class Clean {
  what_is_left,  ///< of processes of this machine that are gone, and of others after an hour
  everything,
};
/// Removes objects that runs of `live` created and left in a cluster, webhook configurations first. Returns
/// their paths; an error when the server cannot be asked.
document::Result<std::vector<std::string>> clean_cluster(const webhooks::RestOptions& server, Clean which);

}  // namespace fixpoint::conformance
