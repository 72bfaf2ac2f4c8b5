#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

/// What a program and the supervisor of its processes say to one another, and the supervisor itself.
namespace fixpoint::webhooks {

/// One message to the supervisor; a launch has six descriptors with it: standard input, standard output,
/// standard error, a pipe for the errno of a failed launch, the working folder, and a file with the words of
/// the command and then the variables of its environment, each ended by NUL.
struct SupervisorOrder {
  enum class What : std::uint32_t { launch, end } what = What::end;
  pid_t process = 0;  ///< to end
  std::uint64_t memory_bytes_max = 0;
  std::uint32_t words = 0, variables = 0;
  std::uint64_t text_bytes = 0;
};
inline constexpr std::size_t kLaunchDescriptors = 6;

/// The answer to an order, and once, at the beginning, the supervisor's own process.
struct SupervisorReport {
  pid_t process = 0;                 ///< that was launched; 0 with `problem`
  int problem = 0;                   ///< errno
  int status = 0;                    ///< of the process that was ended, as of waitpid
  int strays = 0;                    ///< its descendants that had left its process group, and were killed
  std::array<char, 200> names = {};  ///< their command lines, separated by ", " and cut
};

/// Runs orders from `socket` until the other side closes it or the process behind `owner`, a pidfd, ends;
/// then kills every process that it launched with all descendants, and leaves. For a fork of a program with
/// threads: only system calls are made.
[[noreturn]] void supervise(int socket, int owner);

}  // namespace fixpoint::webhooks
