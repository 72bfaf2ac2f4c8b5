#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/limits.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {

/// How the problem of a call ends whose process writes a log where its answers are expected.
inline constexpr std::string_view kStandardOutput =
    "standard output, where answers are expected: write logs to standard error";

/// How the processes of one command fared. Shared between threads.
struct ProcessTally {
  std::atomic<std::uint64_t> started{0};
  std::atomic<std::uint64_t> died{0};    ///< of themselves, in a call or between two
  std::atomic<std::uint64_t> killed{0};  ///< for an answer that was too late, too long or one too many

  std::atomic<std::uint64_t> strays{0};  ///< descendants that had left their process group; they were killed

  /// The end of what a process that died or was killed had written to its standard error.
  void keep_last_words(std::string_view words);
  std::string last_words() const;
  /// The command lines of the first strays.
  void keep_stray_names(std::string_view names);
  std::string stray_names() const;
  /// That the program writes something else than answers to its standard output: no process is started any
  /// more, and each call has this for a problem. Empty while it is not so.
  void keep_talk(std::string_view sentence);
  std::string talk() const;
  /// Ends the processes that wait for a call, so that the figures are those of all that ran.
  void end_idle_processes() const;
  std::function<void()> end_idle = {};  ///< set by process()

 private:
  mutable std::mutex mutex_;
  std::string last_words_ = {}, stray_names_ = {}, talk_ = {};
};

/// `exec:CMD` is split at blanks, without a shell.
std::vector<std::string> split_at_blanks(std::string_view command);

/// The handler of a command: a process that reads an AdmissionReview a line on its standard input and answers
/// each with one on a line of its standard output. Calls that come at the same time get a process each, up to
/// Limits::processes_max, and a process serves one call after another. One that dies fails the call it was
/// in; the next call gets a new one. One that answers later than the webhook's timeoutSeconds (at most
/// call_milliseconds_max), longer than answer_bytes_max or unasked is killed, and its descendants with it.
/// One that writes lines of a log among its answers is the last: each call fails from then on, and says why.
/// Its data are bounded by process_memory_bytes_max. The processes end with the last copy of the handler, and
/// with this program (supervisor.h).
Handler process(std::vector<std::string> argv, const Limits& limits = {},
                std::shared_ptr<ProcessTally> tally = {});

}  // namespace fixpoint::webhooks
