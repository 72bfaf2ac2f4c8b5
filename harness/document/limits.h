#pragma once

#include <cstddef>
#include <cstdint>

namespace fixpoint {

/// The bounds of all loops over foreign data; names end in their qualifier. A property is a function of
/// (Case, Limits), so a run prints the limits that differ from the defaults.
struct Limits {
  // Documents.
  std::size_t depth_max = 512;                ///< nesting of one JSON or YAML document
  std::size_t document_bytes_max = 8u << 20;  ///< one document, as text
  std::size_t file_bytes_max = 1u << 30;      ///< one file of documents
  std::size_t aliases_max = 10'000;           ///< YAML aliases, after expansion of nested ones
  std::size_t values_max = 2'000'000;         ///< values of one document, after expansion of aliases
  // Patches. The API server bounds only the total size of `copy` (3 MiB); the other limits stop a hostile
  // webhook.
  std::size_t copy_bytes_max = 3u << 20;
  std::size_t operations_max = 1'000'000;
  std::size_t patch_steps_max = 1'000'000'000;  ///< members visited, elements moved, values compared
  std::size_t patched_depth_max = 10'000;       ///< Go's encoding/json refuses deeper documents
  // Chains and properties.
  std::size_t webhooks_max = 1'000;      ///< webhooks of one Case
  int repeats_max = 8;                   ///< calls made to distinguish settling from growing
  std::size_t orders_max = 24;           ///< orders tried for a chain of more than four
  std::size_t warning_runes_max = 4096;  ///< total of one request, before each warning is cut
  // External webhooks, called over HTTPS or as a process.
  std::size_t answer_bytes_max = 8u << 20;  ///< one answer, after decompression
  int call_milliseconds_max = 30'000;       ///< one call, whatever timeout its webhook has
  int retries_max = 10;                     ///< after a Retry-After, as the API server does
  std::size_t process_memory_bytes_max = std::size_t{4} << 30;  ///< data of one process, 0 for no bound
  std::size_t processes_max = 64;                               ///< of one command at a time
  // Clients of `serve`, and of the servers that `live` opens.
  std::size_t connections_max = 256;         ///< open at a time
  std::size_t header_bytes_max = 64u << 10;  ///< the line and the headers of one request
  std::size_t bodies_bytes_max = 64u << 20;  ///< the bodies of all requests held at a time
  int request_milliseconds_max = 10'000;     ///< one request, from its first byte to its last
  int idle_milliseconds_max = 90'000;        ///< between two requests of one connection
  std::size_t answers_max = 64;              ///< computed at a time
  // The Kubernetes API that webhooks read (docs/cluster-api.md).
  int cluster_settle_milliseconds = 20;             ///< a client's time to take in the events of a change
  int cluster_still_milliseconds = 250;             ///< the same before a finding is confirmed
  int cluster_timeout_milliseconds = 500;  ///< a read whose fault is a timeout ends after this time
  std::size_t cluster_watches_max = 512;            ///< open at a time, of all clients
  std::size_t cluster_unsent_bytes_max = 8u << 20;  ///< events of one watch that its client has not read
  std::size_t cluster_log_max = 10'000;             ///< events kept for watches from an older version
  std::size_t cluster_accesses_max = 1'000;         ///< reads and writes that are kept, of each
  std::size_t cluster_leases_max = 100;             ///< leases that one client's cluster remembers
  // Shrinking.
  std::size_t shrink_tries_max = 20'000;
};

}  // namespace fixpoint
