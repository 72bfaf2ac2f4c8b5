#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cases/sequence.h"
#include "harness/conformance/live_objects.h"
#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/webhooks/rest.h"

/// Sequences on a real API server (live_cluster.h): the modelled reconciler reads from and writes to it.
namespace fixpoint::conformance {

/// A Sequence as it runs on a real server.
struct LiveSequence {
  cases::Sequence value = {};
  Spaces spaces = {};                  ///< each is made for this run
  std::vector<StoredKind> kinds = {};  ///< of the objects that the simulated run has
};

/// Gives a Sequence namespaces on the server whose names begin with `space`. An error that says why, if it
/// cannot run there.
document::Result<LiveSequence> as_run(cases::Sequence value, const std::string& space);

/// Where it runs.
struct SequencePlace {
  webhooks::Rest& rest;
  std::string prefix;  ///< of foreign groups: server_version()
};

/// Runs it there, after storing its `initial` object, in namespaces that are there. Returns the line of kind
/// live-sequence (docs/formats.md#vectors) with the Sequence as it was run. An error if the server refuses
/// the initial object; `failure` is set if it could not be reached. Nothing that it stored is left.
document::Result<document::Value> run_there(LiveSequence sequence, const SequencePlace& place,
                                            std::optional<document::Error>& failure);

}  // namespace fixpoint::conformance
