#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/runner/run.h"

namespace fixpoint::campaign {

/// The contents of RUN/checkpoint.json: with it and the run's events up to `events_bytes`, a run that was cut
/// off at any moment continues as if it had never stopped.
struct Checkpoint {
  std::vector<std::string> arguments = {};  ///< of the command line, with the seed
  std::uint64_t events_bytes = 0;           ///< of events.ndjson; 0: the run starts over
  runner::RunState state = {};
  document::Value start = {};     ///< the run's first event
  bool regression_fails = false;  ///< by the run's events
};

/// The findings and the notes are not written: the events contain them.
document::Value write_checkpoint(const Checkpoint& checkpoint);
/// Returns the checkpoint of a run's folder, with the results of its events up to that point.
document::Result<Checkpoint> read_checkpoint(const std::string& folder);

/// A run's share of the work of several: `index` of `count`.
struct Shard {
  std::uint64_t index = 0, count = 1;
};
/// Reads "2/8": the index from 0, and the count. Nothing for any other text.
std::optional<Shard> parse_shard(const std::string& text);

}  // namespace fixpoint::campaign
