#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

/// The protocol between a program and the supervisor of its processes, and the supervisor itself.
namespace fixpoint::webhooks {

/// The path of a folder; empty: none.
using SupervisorFolder = std::array<char, 256>;

/// A message to the supervisor. A launch carries six descriptors: standard input, standard output, standard
/// error, a pipe for the errno of a failed launch, the working folder, and a file with the words of the
/// command and the variables of its environment, each terminated by NUL.
struct SupervisorOrder {
  enum class What : std::uint32_t { launch, end } what = What::end;
  pid_t process = 0;  ///< the process to end
  std::uint64_t memory_bytes_max = 0;
  std::uint32_t words = 0, variables = 0;
  std::uint64_t text_bytes = 0;
  SupervisorFolder folder = {};  ///< to be removed with all that it holds if the program is killed
};
inline constexpr std::size_t kLaunchDescriptors = 6;

/// The answer to an order. The first one, sent at the start, reports the supervisor's own process.
struct SupervisorReport {
  pid_t process = 0;                 ///< the launched process; 0 if there is a `problem`
  int problem = 0;                   ///< errno
  int status = 0;                    ///< the waitpid status of the process that was ended
  int strays = 0;                    ///< killed descendants that had left its process group
  std::array<char, 200> names = {};  ///< their command lines, separated by ", " and truncated
};

/// Executes orders from `socket` until the other side closes it or the process of the pidfd `owner` ends.
/// Then kills all processes that it launched, with their descendants, and exits. Makes only system calls,
/// because it runs in a fork of a program with threads.
[[noreturn]] void supervise(int socket, int owner);

}  // namespace fixpoint::webhooks
