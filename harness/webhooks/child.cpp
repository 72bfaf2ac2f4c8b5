#include "harness/webhooks/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <optional>
#include <utility>

namespace fixpoint::webhooks {

namespace {

using document::Error;

constexpr std::size_t kWordsMax = 4096;
/// A process whose input ended gets so long to leave by itself.
constexpr int kFarewellMilliseconds = 100;

struct Pipe {
  Descriptor read, write;
};

std::optional<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

void make_nonblocking(const Descriptor& descriptor) {
  fcntl(descriptor.get(), F_SETFL, fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

/// What the child does between fork and exec: system calls alone, since other threads may hold any lock.
struct Launch {
  static constexpr int kProblem = 3;  ///< where it says why it could not
  std::vector<char*> argv = {};
  rlim_t memory = 0;
  int in = -1, out = -1, errors = -1, problem = -1;

  [[noreturn]] void run() const {
    setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    std::signal(SIGPIPE, SIG_DFL);
    std::signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const bool is_placed = dup2(problem, kProblem) == kProblem && dup2(in, 0) == 0 && dup2(out, 1) == 1 &&
                           dup2(errors, 2) == 2 && fcntl(kProblem, F_SETFD, FD_CLOEXEC) == 0 &&
                           close_range(kProblem + 1, ~0U, 0) == 0;
    if (is_placed && bound_memory()) execvp(argv.front(), argv.data());
    const int why = errno;
    [[maybe_unused]] const auto written = write(is_placed ? kProblem : problem, &why, sizeof why);
    _exit(127);
  }

  bool bound_memory() const {
    const rlimit bound{memory, memory}, no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    return memory == 0 || setrlimit(RLIMIT_DATA, &bound) == 0;
  }
};

/// A write to a pipe that nobody reads raises SIGPIPE; here it is an error and nothing else. The signal is
/// held back in this thread, taken if it came, and let go again.
ssize_t write_without_signal(int descriptor, const char* data, std::size_t size) {
  sigset_t pipe, before, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  const ssize_t written = write(descriptor, data, size);
  const int why = errno;
  if (written < 0 && why == EPIPE && !was_pending) {
    const timespec now{0, 0};
    while (sigtimedwait(&pipe, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = why;
  return written;
}

/// A copy above the numbers that descriptors are moved to in the child.
Descriptor out_of_the_way(const Descriptor& end) { return Descriptor(fcntl(end.get(), F_DUPFD_CLOEXEC, 10)); }

std::string ending_of(int status) {
  if (WIFEXITED(status)) return "exit " + std::to_string(WEXITSTATUS(status));
  return "signal " + std::to_string(WTERMSIG(status));
}

}  // namespace

int Deadline::milliseconds_left() const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(at_ - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000'000));
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this == &other) return *this;
  close();
  number_ = std::exchange(other.number_, -1);
  return *this;
}
void Descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

document::Result<std::unique_ptr<Child>> Child::start(const std::vector<std::string>& argv,
                                                      const Limits& limits) {
  if (argv.empty()) return Error{"expected a command, found nothing"};
  const auto cannot = [&](int why) {
    return Error{"cannot start " + argv.front() + ": " + std::strerror(why)};
  };
  auto in = make_pipe(), out = make_pipe(), errors = make_pipe(), problem = make_pipe();
  if (!in || !out || !errors || !problem) return cannot(errno);
  Launch launch{.argv = {}, .memory = limits.process_memory_bytes_max};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  for (const std::string& word : argv) launch.argv.push_back(const_cast<char*>(word.c_str()));
  launch.argv.push_back(nullptr);
  pid_t pid = -1;
  {
    const Descriptor child_in = out_of_the_way(in->read), child_out = out_of_the_way(out->write),
                     child_errors = out_of_the_way(errors->write),
                     child_problem = out_of_the_way(problem->write);
    launch.in = child_in.get();
    launch.out = child_out.get();
    launch.errors = child_errors.get();
    launch.problem = child_problem.get();
    pid = fork();
    if (pid == 0) launch.run();
  }
  if (pid < 0) return cannot(errno);
  setpgid(pid, pid);  // here and there: whoever comes first
  for (Descriptor* end : {&in->read, &out->write, &errors->write, &problem->write}) end->close();
  for (const Descriptor* end : {&in->write, &out->read, &errors->read}) make_nonblocking(*end);
  std::unique_ptr<Child> child(new Child(pid, std::move(in->write), std::move(out->read),
                                         std::move(errors->read), limits.answer_bytes_max));
  int why = 0;
  ssize_t said = 0;
  do {
    said = read(problem->read.get(), &why, sizeof why);
  } while (said < 0 && errno == EINTR);
  if (said > 0) return cannot(why);
  return child;
}

Child::~Child() {
  in_.close();
  if (pid_ > 0 && ends_within(kFarewellMilliseconds)) hear_errors();
  kill();
}

bool Child::ends_within(int milliseconds) const {
  const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  pollfd end{.fd = process.get(), .events = POLLIN, .revents = 0};
  return process.is_open() && poll(&end, 1, milliseconds) > 0;
}

void Child::kill() {
  if (pid_ <= 0) return;
  hear_errors();
  ::kill(-pid_, SIGKILL);  // what is dead keeps its number until it is reaped
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  ending_ = ending_of(status);
}

Child::Meanwhile Child::meanwhile() {
  hear_errors();
  char byte = 0;
  const ssize_t size = read(out_.get(), &byte, 1);
  if (size > 0) return Meanwhile::talked;
  return size < 0 && (errno == EAGAIN || errno == EINTR) ? Meanwhile::silent : Meanwhile::ended;
}

void Child::hear_errors() {
  std::array<char, 4096> buffer;
  // As much as one pipe holds: a process that never stops writing must not keep us here.
  for (int i = 0; i < 16 && errors_.is_open(); ++i) {
    const ssize_t size = read(errors_.get(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return;
    if (size == 0) return errors_.close();
    words_.append(buffer.data(), static_cast<std::size_t>(size));
    if (words_.size() > kWordsMax) words_.erase(0, words_.size() - kWordsMax);
  }
}

void Child::send(std::string_view& pending) {
  const ssize_t size = write_without_signal(in_.get(), pending.data(), pending.size());
  if (size >= 0) return pending.remove_prefix(static_cast<std::size_t>(size));
  if (errno != EAGAIN && errno != EINTR) pending = {};  // it reads no more; what it says, its output tells
}

/// Whether the exchange is over.
bool Child::receive(Exchange& exchange) {
  using End = Exchange::End;
  std::array<char, 65536> buffer;
  const ssize_t size = read(out_.get(), buffer.data(), buffer.size());
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  const auto finish = [&](End end) {
    exchange.end = end;
    return true;
  };
  if (size <= 0) return finish(End::died);
  const std::string_view read(buffer.data(), static_cast<std::size_t>(size));
  const auto line_end = read.find('\n');
  exchange.text.append(read.substr(0, line_end));
  if (exchange.text.size() > answer_bytes_max_) return finish(End::too_long);
  if (line_end == std::string_view::npos) return false;
  return finish(line_end + 1 == read.size() ? End::answered : End::too_many);
}

Exchange Child::exchange(std::string_view line, const Deadline& deadline) {
  Exchange exchange;
  std::string_view pending = line;
  for (;;) {
    const int left = deadline.milliseconds_left();
    if (left == 0) {
      exchange.end = Exchange::End::too_late;
      return exchange;
    }
    // poll() passes over negative descriptors.
    std::array<pollfd, 3> streams{
        {{.fd = out_.get(), .events = POLLIN, .revents = 0},
         {.fd = errors_.get(), .events = POLLIN, .revents = 0},
         {.fd = pending.empty() ? -1 : in_.get(), .events = POLLOUT, .revents = 0}}};
    if (poll(streams.data(), streams.size(), left) <= 0) continue;
    if (streams[2].revents != 0) send(pending);
    if (streams[1].revents != 0) hear_errors();
    if (streams[0].revents != 0 && receive(exchange)) return exchange;
  }
}

}  // namespace fixpoint::webhooks
