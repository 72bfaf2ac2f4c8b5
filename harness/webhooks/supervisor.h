#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/document/result.h"

/// Guarantees that the processes of webhooks end with this program, however it ends. A separate small
/// process, the supervisor, launches them, each in its own process group, and kills them and all their
/// descendants as soon as this program is gone. It is started with the first process, from any thread, and
/// restarted if it was killed; the processes that it had launched are then killed too.
namespace fixpoint::webhooks {

struct LaunchOrder {
  const std::vector<std::string>& argv;
  std::size_t memory_bytes_max = 0;  ///< bound of its data, 0 for none
  int in = -1, out = -1, errors = -1;
  int problem = -1;  ///< receives errno if the command cannot be executed
};
/// Launches a process with this program's current environment and working folder.
document::Result<pid_t> launch_process(const LaunchOrder& order);

struct EndedProcess {
  bool is_known = false;  ///< false: its supervisor was killed, and the process with it
  int status = 0;         ///< as of waitpid
  int strays = 0;         ///< killed descendants that had left its process group
  std::string stray_names = {};
};
/// Kills a launched process, its group, and descendants that left the group. The process may already be dead.
EndedProcess end_process(pid_t process);

/// Starts the supervisor if it is not running; best called while the program is small, since it forks.
void start_supervisor();
/// Its process id; 0 if none was started.
pid_t supervisor_process();
/// The number of times that it was found dead.
std::uint64_t supervisors_lost();

}  // namespace fixpoint::webhooks
