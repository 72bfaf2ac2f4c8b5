#include "harness/webhooks/supervisor.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>

#include "harness/webhooks/descriptor.h"
#include "harness/webhooks/supervisor_process.h"

namespace fixpoint::webhooks {

namespace {

using document::Error;

/// Returns an anonymous file with the given text.
Descriptor file_of(const std::string& text) {
  Descriptor file(memfd_create("fixpoint", MFD_CLOEXEC));
  std::size_t written = 0;
  while (file.is_open() && written < text.size()) {
    const ssize_t more = write(file.get(), text.data() + written, text.size() - written);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return {};
    written += static_cast<std::size_t>(more);
  }
  return file;
}

/// The supervisor of this program. Its closed socket reports its death.
class Supervised {
 public:
  void start() {
    const std::lock_guard lock(mutex_);
    ensure();
  }

  /// Sends an order and returns the report; nothing if the supervisor died in the meantime.
  std::optional<SupervisorReport> carry_out(const SupervisorOrder& order,
                                            const std::array<int, kLaunchDescriptors>* descriptors) {
    const std::lock_guard lock(mutex_);
    if (!is_ours()) return std::nullopt;
    SupervisorReport report;
    if (send(order, descriptors) && hear(report)) return report;
    socket_.close();
    ++lost_;
    return std::nullopt;
  }
  /// Does the same, but restarts a supervisor that died.
  std::optional<SupervisorReport> launch(const SupervisorOrder& order,
                                         const std::array<int, kLaunchDescriptors>& descriptors) {
    for (int tries = 0; tries < 2; ++tries) {
      start();
      if (auto report = carry_out(order, &descriptors)) return report;
    }
    return std::nullopt;
  }

  pid_t process() const {
    const std::lock_guard lock(mutex_);
    return is_ours() ? process_ : 0;
  }
  std::uint64_t lost() const {
    const std::lock_guard lock(mutex_);
    return lost_;
  }

 private:
  /// Returns false in a fork of this program, which has no supervisor yet.
  bool is_ours() const { return socket_.is_open() && owner_ == getpid(); }

  void ensure() {
    if (is_ours()) return;
    std::array<int, 2> ends{};
    const Descriptor owner(static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0)));
    if (!owner.is_open() || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
    Descriptor here(ends[0]);
    Descriptor there(ends[1]);
    // Fork twice: a program that uses this as a library and waits for its own children must not see this one.
    const pid_t between = fork();
    if (between == 0) {
      if (fork() == 0) supervise(there.get(), owner.get());
      _exit(0);
    }
    if (between < 0) return;
    while (waitpid(between, nullptr, 0) < 0 && errno == EINTR) continue;
    socket_ = std::move(here);
    there.close();
    SupervisorReport hello;
    if (!hear(hello)) return socket_.close();
    process_ = hello.process;
    owner_ = getpid();
  }

  bool send(const SupervisorOrder& order, const std::array<int, kLaunchDescriptors>* descriptors) {
    SupervisorOrder copy = order;
    iovec bytes{.iov_base = &copy, .iov_len = sizeof copy};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof *descriptors)> control{};
    if (descriptors != nullptr) {
      message.msg_control = control.data();
      message.msg_controllen = control.size();
      cmsghdr* with = CMSG_FIRSTHDR(&message);
      with->cmsg_level = SOL_SOCKET;
      with->cmsg_type = SCM_RIGHTS;
      with->cmsg_len = CMSG_LEN(sizeof *descriptors);
      std::memcpy(CMSG_DATA(with), descriptors->data(), sizeof *descriptors);
    }
    ssize_t sent = 0;
    do {
      sent = sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(sizeof copy);
  }

  bool hear(SupervisorReport& report) {
    ssize_t size = 0;
    do {
      size = recv(socket_.get(), &report, sizeof report, 0);
    } while (size < 0 && errno == EINTR);
    return size == static_cast<ssize_t>(sizeof report);
  }

  mutable std::mutex mutex_;
  Descriptor socket_;
  pid_t owner_ = 0, process_ = 0;
  std::uint64_t lost_ = 0;
};

Supervised& supervised() {
  static Supervised one;
  return one;
}

/// Returns true if one of `by` sets the variable that `variable`, NAME=VALUE, sets.
bool is_replaced(std::string_view variable, const std::vector<std::string>& by) {
  const std::string_view name = variable.substr(0, variable.find('=') + 1);
  return std::any_of(by.begin(), by.end(), [&](const std::string& one) { return one.starts_with(name); });
}

}  // namespace

document::Result<pid_t> launch_process(const LaunchOrder& order) {
  std::string text;
  SupervisorOrder message{.what = SupervisorOrder::What::launch, .memory_bytes_max = order.memory_bytes_max};
  for (const std::string& word : order.argv) {
    text.append(word.c_str()).push_back('\0');
    ++message.words;
  }
  const auto set = [&](const char* variable) {
    text.append(variable).push_back('\0');
    ++message.variables;
  };
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const bool is_given = order.inherits_environment || std::string_view(*variable).starts_with("PATH=");
    if (is_given && !is_replaced(*variable, order.environment)) set(*variable);
  }
  for (const std::string& variable : order.environment) set(variable.c_str());
  if (order.folder.size() < message.folder.size())
    std::copy(order.folder.begin(), order.folder.end(), message.folder.begin());
  message.text_bytes = text.size();
  const Descriptor file = file_of(text), folder(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!file.is_open() || !folder.is_open()) return Error{std::strerror(errno)};
  const auto report = supervised().launch(
      message, {order.in, order.out, order.errors, order.problem, folder.get(), file.get()});
  if (!report) return Error{"the supervisor of the processes cannot be started, or was killed"};
  if (report->problem != 0) return Error{std::strerror(report->problem)};
  return report->process;
}

EndedProcess end_process(pid_t process) {
  const auto report =
      supervised().carry_out({.what = SupervisorOrder::What::end, .process = process}, nullptr);
  if (!report || report->problem != 0) return {};
  return {.is_known = true,
          .status = report->status,
          .strays = report->strays,
          .stray_names = std::string(report->names.data())};
}

void start_supervisor() { supervised().start(); }
pid_t supervisor_process() { return supervised().process(); }
std::uint64_t supervisors_lost() { return supervised().lost(); }

}  // namespace fixpoint::webhooks
