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

/// The problem of a call whose process ended begins so.
inline constexpr std::string_view kProcessEnded = "the process ended";

/// Statistics of the processes of one command. Shared between threads.
struct ProcessTally {
  std::atomic<std::uint64_t> started{0};
  std::atomic<std::uint64_t> died{0};  ///< those that died by themselves, during a call or between two calls
  std::atomic<std::uint64_t> killed{0};  ///< for an answer that was late, too long or unsolicited

  std::atomic<std::uint64_t> strays{0};  ///< killed descendants that had left their process group

  /// Keeps the end of the standard error of a process that died or was killed.
  void keep_last_words(std::string_view words);
  std::string last_words() const;
  /// Keeps the command lines of the first strays.
  void keep_stray_names(std::string_view names);
  std::string stray_names() const;
  /// Keeps the first line of a log that the program wrote to its standard output.
  void keep_logged(std::string_view line);
  std::string logged() const;
  /// Ends the idle processes, so that the statistics cover all processes.
  void end_idle_processes() const;
  std::function<void()> end_idle = {};  ///< set by process()

 private:
  mutable std::mutex mutex_;
  std::string last_words_ = {}, stray_names_ = {}, logged_ = {};
};

/// The cluster that one process reads through an API of its own. An empty function does nothing.
struct ProcessCluster {
  std::vector<std::string> environment = {};  ///< NAME=VALUE, such as KUBECONFIG
  bool inherits_environment = true;  ///< false: of this program's variables the process has PATH alone
  std::string folder = {};           ///< a folder with secrets that is removed if this program is killed
  /// Shows the cluster of a call. The process is called when this returns.
  std::function<void(const Call& call)> show = {};
  /// Returns the requests of the process to the API since show().
  std::function<std::vector<cases::ApiAccess>()> take_accesses = {};
};
/// Makes the cluster of a new process.
using MakeProcessCluster = std::function<document::Result<ProcessCluster>()>;

/// Splits a command at blanks, as in `exec:CMD`, without a shell.
std::vector<std::string> split_at_blanks(std::string_view command);

/// Returns the handler of a command: a process that reads one AdmissionReview per line on its standard input
/// and answers each with one line on its standard output. Each concurrent call has its own process, up to
/// Limits::processes_max, and a process serves one call after another. If it dies, its call fails, and the
/// next call gets a new process. It is killed with its descendants if its answer is later than the webhook's
/// timeoutSeconds (at most call_milliseconds_max), longer than answer_bytes_max, or unsolicited. Log lines
/// among its answers are skipped. Its data are limited by
/// process_memory_bytes_max. The processes end with the last copy of the handler, and with this program
/// (supervisor.h). With `make_cluster`, each process has a cluster, which shows that of its call.
Handler process(std::vector<std::string> argv, const Limits& limits = {},
                std::shared_ptr<ProcessTally> tally = {}, MakeProcessCluster make_cluster = {});

}  // namespace fixpoint::webhooks
