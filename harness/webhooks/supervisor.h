#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/document/result.h"

/// Guarantees that the processes of webhooks end with this program, however it ends. A separate small
/// process, the supervisor, launches them, each in its own process group, and kills them and all their
/// descendants as soon as this program is gone. It is started with the first process, from any thread. If it
/// is killed, the processes that it launched are killed, too, and a new supervisor is started.
namespace fixpoint::webhooks {

struct LaunchOrder {
  const std::vector<std::string>& argv;
  const std::vector<std::string>& environment;  ///< NAME=VALUE: replaces this program's own variable
  bool inherits_environment = true;             ///< false: PATH is all that it has of this program
  const std::string& folder;                    ///< removed if this program is killed; may be empty
  std::size_t memory_bytes_max = 0;             ///< the limit on its data; 0: none
  int in = -1, out = -1, errors = -1;
  int problem = -1;  ///< receives errno if the command cannot be executed
};
/// Launches a process with this program's current environment, as the order changes it, and working folder.
document::Result<pid_t> launch_process(const LaunchOrder& order);

struct EndedProcess {
  bool is_known = false;  ///< false: the process was killed together with its supervisor
  int status = 0;         ///< as returned by waitpid
  int strays = 0;         ///< killed descendants that had left its process group
  std::string stray_names = {};
};
/// Kills a launched process, its group, and descendants that left the group. The process may already be dead.
EndedProcess end_process(pid_t process);

/// Starts the supervisor if it is not running. Best called while the program is small, because it forks.
void start_supervisor();
/// Returns its process id; 0 if none was started.
pid_t supervisor_process();
/// Returns the number of times that it was found dead.
std::uint64_t supervisors_lost();

}  // namespace fixpoint::webhooks
