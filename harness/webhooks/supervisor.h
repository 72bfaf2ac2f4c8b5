#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/document/result.h"

/// The processes of webhooks end with this program, however it ends. A small process of its own, the
/// supervisor, launches them, each in a process group of its own, and ends them all with their descendants as
/// soon as this program is gone. It is started with the first process, from any thread, and again when it was
/// killed; then the processes that it had launched are killed, too.
namespace fixpoint::webhooks {

struct LaunchOrder {
  const std::vector<std::string>& argv;
  std::size_t memory_bytes_max = 0;  ///< of its data, 0 for no bound
  int in = -1, out = -1, errors = -1;
  int problem = -1;  ///< where errno is written when the command cannot be executed
};
/// Launches a process with the environment and the working folder that this program has now.
document::Result<pid_t> launch_process(const LaunchOrder& order);

struct EndedProcess {
  bool is_known = false;  ///< else its supervisor was killed, and the process with it
  int status = 0;         ///< as of waitpid
  int strays = 0;         ///< descendants that had left its process group; they were killed
  std::string stray_names = {};
};
/// Kills a launched process with its group, and what had left that group; it may have died already.
EndedProcess end_process(pid_t process);

/// Starts the supervisor when it does not run; best before a program is large, since it is a fork of it.
void start_supervisor();
/// Its process; 0 when none was started.
pid_t supervisor_process();
/// How often it was found dead.
std::uint64_t supervisors_lost();

}  // namespace fixpoint::webhooks
