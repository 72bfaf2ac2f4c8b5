#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/limits.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {

/// How the processes of one command fared. Shared between threads.
struct ProcessTally {
  std::atomic<std::uint64_t> started{0};
  std::atomic<std::uint64_t> died{0};    ///< of themselves, in a call or between two
  std::atomic<std::uint64_t> killed{0};  ///< for an answer that was too late, too long or one too many

  /// The end of what a process that died or was killed had written to its standard error.
  void keep_last_words(std::string_view words);
  std::string last_words() const;

 private:
  mutable std::mutex mutex_;
  std::string last_words_ = {};
};

/// `exec:CMD` is split at blanks, without a shell.
std::vector<std::string> split_at_blanks(std::string_view command);

/// The handler of a command: a process that reads an AdmissionReview a line on its standard input and answers
/// each with one on a line of its standard output. Calls that come at the same time get a process each, up to
/// Limits::processes_max, and a process serves one call after another. One that dies fails the call it was
/// in; the next call gets a new one. One that answers later than the webhook's timeoutSeconds (at most
/// call_milliseconds_max), longer than answer_bytes_max or unasked is killed, and its process group with it.
/// Its data are bounded by process_memory_bytes_max. The processes end with the last copy of the handler.
Handler process(std::vector<std::string> argv, const Limits& limits = {},
                std::shared_ptr<ProcessTally> tally = {});

}  // namespace fixpoint::webhooks
