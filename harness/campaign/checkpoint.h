#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/document/result.h"
#include "harness/document/value.h"
#include "harness/runner/loop/run.h"

namespace fixpoint::campaign {

/// The contents of RUN/checkpoint.json. With them and the run's events up to `events_bytes`, a run that was
/// interrupted at any moment continues as if it had never stopped.
struct Checkpoint {
  std::string id = {};                      ///< the run's, by which a history knows it
  std::vector<std::string> arguments = {};  ///< the command line's arguments, with the seed
  std::uint64_t events_bytes = 0;           ///< the size of events.ndjson; 0: the run starts over
  runner::RunState state = {};
  document::Value start = {};     ///< the run's first event
  bool regression_fails = false;  ///< a regression fails in the run's events
};

/// Writes the checkpoint without its findings and notes, which the events contain.
document::Value write_checkpoint(const Checkpoint& checkpoint);
/// Reads the checkpoint in a run's folder, and adds the findings and answers of the events up to that point.
document::Result<Checkpoint> read_checkpoint(const std::string& folder);

/// The share of a run that one of several processes does: `index` of `count`.
struct Shard {
  std::uint64_t index = 0, count = 1;
};
/// Reads "2/8": the index, counted from 0, and the count. Returns nothing for any other text.
std::optional<Shard> parse_shard(const std::string& text);

}  // namespace fixpoint::campaign
