#include "harness/webhooks/supervisor_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <ctime>
#include <string_view>

#include "harness/webhooks/pod_files.h"

// In a fork of a program with threads, another thread may have held any lock. Therefore nothing here
// allocates memory, and buffers larger than a page are mapped separately.

namespace fixpoint::webhooks {

namespace {

constexpr int kSocket = 3, kOwner = 4;
constexpr int kProblem = 3;  ///< receives the errno of a launched process
constexpr std::size_t kLeadersMax = 4096;
constexpr int kPassesMax = 2000;  ///< over the processes that survive; one pass takes a millisecond
constexpr std::string_view kMark = "FIXPOINT_PROCESS=";

/// A launched process that has not ended yet; its id is also that of its group.
struct Leader {
  pid_t process = 0;
  std::uint64_t serial = 0;  ///< written to its environment, which its descendants inherit
  SupervisorFolder folder = {};
};

struct State {
  std::array<Leader, kLeadersMax> leaders = {};
  std::size_t leaders_count = 0;
  std::uint64_t serials = 0;
  std::array<char, 1u << 16> text = {};  ///< the content of a file below /proc
};

void nap() {
  const timespec moment{.tv_sec = 0, .tv_nsec = 1'000'000};
  nanosleep(&moment, nullptr);
}

/// Appends to `at`, which must have enough room, and returns the new end.
char* append(char* at, std::string_view text) { return std::copy(text.begin(), text.end(), at); }
char* append(char* at, std::uint64_t number) { return std::to_chars(at, at + 20, number).ptr; }

/// Returns the beginning of /proc/PROCESS/NAME; empty if it cannot be read.
std::string_view read_proc(State& state, std::string_view process, std::string_view name) {
  std::array<char, 64> path{};
  *append(append(append(append(path.data(), "/proc/"), process), "/"), name) = '\0';
  const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::size_t size = 0;
  for (;;) {
    const ssize_t more = read(file, state.text.data() + size, state.text.size() - size);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) break;
    size += static_cast<std::size_t>(more);
  }
  close(file);
  return {state.text.data(), size};
}
std::string_view read_proc(State& state, pid_t process, std::string_view name) {
  std::array<char, 24> number{};
  const char* end = append(number.data(), static_cast<std::uint64_t>(process));
  return read_proc(state, {number.data(), static_cast<std::size_t>(end - number.data())}, name);
}

/// The arguments and environment of an order in the form of exec, in separately mapped memory.
struct Command {
  char** argv = nullptr;
  char** environment = nullptr;
};
Command command_of(const SupervisorOrder& order, int file, char* mark) {
  const auto map = [](std::size_t bytes, int flags, int from) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | flags, from, 0);
  };
  const std::size_t pointers = order.words + order.variables + 3U;
  void* text = map(order.text_bytes, 0, file);
  void* list = map(pointers * sizeof(char*), MAP_ANONYMOUS, -1);
  if (text == MAP_FAILED || list == MAP_FAILED) return {};
  char* at = static_cast<char*>(text);
  char** all = static_cast<char**>(list);
  Command command{.argv = all, .environment = all + order.words + 1};
  const auto fill = [&](char** into, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      into[i] = at;
      at += std::strlen(at) + 1;
    }
  };
  fill(command.argv, order.words);
  fill(command.environment, order.variables);
  command.environment[order.variables] = mark;
  return command;
}

bool bound_memory(rlim_t memory) {
  const rlimit bound{memory, memory}, no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  return memory == 0 || setrlimit(RLIMIT_DATA, &bound) == 0;
}

using LaunchDescriptors = std::array<int, kLaunchDescriptors>;

/// Runs in the child and executes the command.
[[noreturn]] void become(const SupervisorOrder& order, const LaunchDescriptors& with, std::uint64_t serial) {
  const auto [in, out, errors, problem, folder, text] = with;
  if (order.folder[0] != '\0') place_pod_files(order.folder.data());
  // The parent is the only thread of the supervisor; if that thread ends, this process must end, too.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ}) std::signal(number, SIG_DFL);
  std::array<char, 64> mark{};
  *append(append(mark.data(), kMark), serial) = '\0';
  const Command command = command_of(order, text, mark.data());
  const bool is_placed = command.argv != nullptr && fchdir(folder) == 0 &&
                         dup2(problem, kProblem) == kProblem && dup2(in, 0) == 0 && dup2(out, 1) == 1 &&
                         dup2(errors, 2) == 2 && fcntl(kProblem, F_SETFD, FD_CLOEXEC) == 0 &&
                         close_range(kProblem + 1, ~0U, 0) == 0;
  if (is_placed && bound_memory(order.memory_bytes_max)) {
    environ = command.environment;
    execvp(command.argv[0], command.argv);
  }
  const int why = errno;
  [[maybe_unused]] const auto written = write(is_placed ? kProblem : problem, &why, sizeof why);
  _exit(127);
}

SupervisorReport launch(State& state, const SupervisorOrder& order, const LaunchDescriptors& with) {
  if (state.leaders_count == kLeadersMax) return {.problem = EAGAIN};
  const std::uint64_t serial = ++state.serials;
  const pid_t process = fork();
  if (process == 0) become(order, with, serial);
  if (process < 0) return {.problem = errno};
  setpgid(process, process);  // in parent and child, whichever runs first
  state.leaders[state.leaders_count++] = {.process = process, .serial = serial, .folder = order.folder};
  return {.process = process};
}

Leader* leader_of(State& state, pid_t process) {
  Leader* end = state.leaders.data() + state.leaders_count;
  Leader* found =
      std::find_if(state.leaders.data(), end, [&](const Leader& one) { return one.process == process; });
  return found == end ? nullptr : found;
}

/// Returns the serial in the environment of a process; 0 if it has none.
std::uint64_t serial_of(State& state, pid_t process) {
  const std::string_view all = read_proc(state, process, "environ");
  for (std::size_t at = 0; at < all.size();) {
    const std::string_view variable = all.substr(at, all.find('\0', at) - at);
    at += variable.size() + 1;
    std::uint64_t serial = 0;
    if (!variable.starts_with(kMark)) continue;
    std::from_chars(variable.data() + kMark.size(), variable.data() + variable.size(), serial);
    return serial;
  }
  return 0;
}

void add_name(State& state, pid_t process, SupervisorReport& report) {
  const std::string_view words = read_proc(state, process, "cmdline");
  char* begin = report.names.data();
  char* at = begin + std::strlen(begin);
  char* const end = begin + report.names.size() - 1;
  const auto put = [&](char c) {
    if (at != end) *at++ = c;
  };
  if (at != begin) {
    put(',');
    put(' ');
  }
  for (const char c : words.substr(0, words.find_last_not_of('\0') + 1)) put(c == '\0' ? ' ' : c);
}

/// Calls `each` with every child of the supervisor that is not a leader, and reaps those that have ended.
/// Returns true if a call returned true.
template <class Each>
bool for_each_orphan(State& state, const Each& each) {
  std::array<pid_t, 1024> orphans{};
  std::size_t count = 0;
  const std::string_view all = read_proc(state, std::string_view("thread-self"), "children");
  for (const char* at = all.data(); at < all.data() + all.size() && count < orphans.size();) {
    pid_t process = 0;
    const auto [after, bad] = std::from_chars(at, all.data() + all.size(), process);
    if (bad != std::errc()) break;
    at = after + 1;
    if (leader_of(state, process) == nullptr) orphans[count++] = process;
  }
  bool effect = false;
  for (std::size_t i = 0; i < count; ++i) {
    if (waitpid(orphans[i], nullptr, WNOHANG) == orphans[i]) continue;
    effect = each(orphans[i]) || effect;
  }
  return effect;
}

/// Kills the descendants of an ended process that had left its group. Orphans of processes that are still
/// running are spared.
void end_strays(State& state, std::uint64_t serial, SupervisorReport& report) {
  const auto belongs_to_another = [&](pid_t orphan) {
    if (leader_of(state, getpgid(orphan)) != nullptr) return true;
    const std::uint64_t its = serial_of(state, orphan);
    if (its == serial) return false;
    return std::any_of(state.leaders.data(), state.leaders.data() + state.leaders_count,
                       [&](const Leader& one) { return one.serial == its; });
  };
  const auto end_one = [&](pid_t orphan) {
    if (belongs_to_another(orphan)) return false;
    ++report.strays;
    add_name(state, orphan, report);
    kill(orphan, SIGKILL);
    waitpid(orphan, nullptr, 0);
    return true;
  };
  // Children of a killed process become ours. A list of children that changes while it is read may miss one
  // (proc(5)), so it is read until it is empty twice.
  for (int pass = 0, quiet = 0; pass < kPassesMax && quiet < 2; ++pass)
    quiet = for_each_orphan(state, end_one) ? 0 : quiet + 1;
}

/// Kills a process group, and reaps those members that are our children.
void end_group(pid_t leader, int& status) {
  kill(-leader, SIGKILL);
  while (waitpid(leader, &status, 0) < 0 && errno == EINTR) continue;
  for (int pass = 0; pass < kPassesMax && kill(-leader, SIGKILL) == 0; ++pass) {
    while (waitpid(-leader, nullptr, WNOHANG) > 0) continue;
    nap();
  }
}

SupervisorReport end(State& state, pid_t process) {
  Leader* leader = leader_of(state, process);
  if (leader == nullptr) return {.problem = ESRCH};
  SupervisorReport report{.process = process};
  const std::uint64_t serial = leader->serial;
  end_group(process, report.status);
  *leader = state.leaders[--state.leaders_count];
  end_strays(state, serial, report);
  return report;
}

/// Removes what a folder holds, and folders in it down to some depth.
void empty_folder(int folder, int depth) {
  alignas(dirent64) std::array<char, 2048> entries{};
  for (;;) {
    const long size = syscall(SYS_getdents64, folder, entries.data(), entries.size());
    if (size <= 0) return;
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      at += entry->d_reclen;
      const std::string_view name(entry->d_name);
      if (name == "." || name == ".." || unlinkat(folder, entry->d_name, 0) == 0 || depth == 0) continue;
      const int below = openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (below < 0) continue;
      empty_folder(below, depth - 1);
      close(below);
      unlinkat(folder, entry->d_name, AT_REMOVEDIR);
    }
  }
}

void remove_folder(const SupervisorFolder& path) {
  constexpr int kDepth = 4;
  const int folder =
      path[0] == '\0' ? -1 : open(path.data(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  empty_folder(folder, kDepth);
  close(folder);
  rmdir(path.data());
}

/// Kills all launched processes with all descendants.
void end_all(State& state) {
  const std::size_t leaders_count = state.leaders_count;
  for (std::size_t i = 0; i < state.leaders_count; ++i) kill(-state.leaders[i].process, SIGKILL);
  state.leaders_count = 0;
  for (int pass = 0; pass < kPassesMax; ++pass) {
    for_each_orphan(state, [](pid_t orphan) { return kill(orphan, SIGKILL) == 0; });
    pid_t reaped = 0;
    do {
      reaped = waitpid(-1, nullptr, WNOHANG);
    } while (reaped > 0);
    if (reaped < 0 && errno == ECHILD) break;
    nap();
  }
  for (std::size_t i = 0; i < leaders_count; ++i) remove_folder(state.leaders[i].folder);
}

/// Detaches from the program: closes its descriptors, and ignores the signals of its terminal or operator.
bool stand_apart(int socket, int owner) {
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGCHLD, SIG_DFL);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(number, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, "fixpoint-exec");
  const int socket_away = fcntl(socket, F_DUPFD_CLOEXEC, 10), owner_away = fcntl(owner, F_DUPFD_CLOEXEC, 10);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {0, 1, 2}) dup2(nothing, stream);
  return dup3(socket_away, kSocket, O_CLOEXEC) == kSocket && dup3(owner_away, kOwner, O_CLOEXEC) == kOwner &&
         close_range(kOwner + 1, ~0U, 0) == 0;
}

/// Receives an order; returns false if no more orders will come.
bool receive(SupervisorOrder& order, LaunchDescriptors& descriptors) {
  descriptors.fill(-1);
  std::array<pollfd, 2> sources{
      {{.fd = kSocket, .events = POLLIN, .revents = 0}, {.fd = kOwner, .events = POLLIN, .revents = 0}}};
  while (poll(sources.data(), sources.size(), -1) < 0) {
    if (errno != EINTR) return false;
  }
  if (sources[1].revents != 0) return false;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(LaunchDescriptors))> control{};
  iovec bytes{.iov_base = &order, .iov_len = sizeof order};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size = recvmsg(kSocket, &message, MSG_CMSG_CLOEXEC);
  if (size != static_cast<ssize_t>(sizeof order)) return false;
  const cmsghdr* with = CMSG_FIRSTHDR(&message);
  if (with != nullptr && with->cmsg_len == CMSG_LEN(sizeof descriptors))
    std::memcpy(descriptors.data(), CMSG_DATA(with), sizeof descriptors);
  return true;
}

}  // namespace

void supervise(int socket, int owner) {
  void* memory = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || !stand_apart(socket, owner)) _exit(1);
  State& state = *new (memory) State;
  SupervisorReport report{.process = getpid()};
  SupervisorOrder order;
  LaunchDescriptors descriptors{};
  while (send(kSocket, &report, sizeof report, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof report) &&
         receive(order, descriptors)) {
    const bool launches = order.what == SupervisorOrder::What::launch;
    report = launches ? launch(state, order, descriptors) : end(state, order.process);
    for (const int descriptor : descriptors) {
      if (descriptor >= 0) close(descriptor);
    }
  }
  end_all(state);
  _exit(0);
}

}  // namespace fixpoint::webhooks
