#include "harness/webhooks/child.h"

#include <fcntl.h>
#include <poll.h>
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

#include "harness/webhooks/supervisor.h"

namespace fixpoint::webhooks {

namespace {

using document::Error;

constexpr std::size_t kWordsMax = 4096, kLoggedMax = 100;
/// The time to wait for an answer after a line that is none. If none follows, that line was the answer.
constexpr int kAnswerAfterLogMilliseconds = 2000;
/// The time that a process has to exit after its input ends.
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

/// Writes to a pipe. A pipe without a reader gives an error instead of SIGPIPE: the signal is blocked in this
/// thread, consumed if it was raised, and unblocked again.
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

std::string ending_of(const EndedProcess& ended) {
  if (!ended.is_known) return "its supervisor was killed";
  const int status = ended.status;
  if (WIFEXITED(status)) return "exit " + std::to_string(WEXITSTATUS(status));
  return "signal " + std::to_string(WTERMSIG(status));
}

}  // namespace

bool may_be_answer(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return true;
  if (line[begin] != '{') return false;
  const bool is_log = line.find("\"response\"") == line.npos && line.find("\"kind\"") == line.npos &&
                      line.find("\"msg\"") != line.npos;
  return !is_log;
}

int Deadline::milliseconds_left() const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(at_ - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000'000));
}

document::Result<std::unique_ptr<Child>> Child::start(const std::vector<std::string>& argv,
                                                      const Limits& limits, const ChildContext& context) {
  if (argv.empty()) return Error{"expected a command, found nothing"};
  const auto cannot = [&](int why) {
    return Error{"cannot start " + argv.front() + ": " + std::strerror(why)};
  };
  auto in = make_pipe(), out = make_pipe(), errors = make_pipe(), problem = make_pipe();
  if (!in || !out || !errors || !problem) return cannot(errno);
  const auto pid = launch_process({.argv = argv,
                                   .environment = context.environment,
                                   .inherits_environment = context.inherits_environment,
                                   .folder = context.folder,
                                   .memory_bytes_max = limits.process_memory_bytes_max,
                                   .in = in->read.get(),
                                   .out = out->write.get(),
                                   .errors = errors->write.get(),
                                   .problem = problem->write.get()});
  if (!pid) return Error{"cannot start " + argv.front() + ": " + pid.error().message};
  for (Descriptor* end : {&in->read, &out->write, &errors->write, &problem->write}) end->close();
  for (const Descriptor* end : {&in->write, &out->read, &errors->read}) make_nonblocking(*end);
  std::unique_ptr<Child> child(new Child(*pid, std::move(in->write), std::move(out->read),
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
  leave();
  kill();
}

void Child::leave() {
  in_.close();
  if (pid_ > 0 && ends_within(kFarewellMilliseconds)) hear_errors();
}

Descriptor Child::process_descriptor(pid_t pid) {
  return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

bool Child::ends_within(int milliseconds) const {
  pollfd end{.fd = process_.get(), .events = POLLIN, .revents = 0};
  return process_.is_open() && poll(&end, 1, milliseconds) > 0;
}

void Child::kill() {
  if (pid_ <= 0) return;
  hear_errors();
  EndedProcess ended = end_process(pid_);
  pid_ = -1;
  ending_ = ending_of(ended);
  was_lost_ = !ended.is_known;
  strays_ = ended.strays;
  stray_names_ = std::move(ended.stray_names);
}

Child::Meanwhile Child::meanwhile() {
  hear_errors();
  std::array<char, 65536> buffer;
  // One pipe's capacity at most: a process that never stops writing must not block us.
  for (int i = 0; i < 2; ++i) {
    const ssize_t size = read(out_.get(), buffer.data(), buffer.size());
    if (size < 0) return errno == EAGAIN || errno == EINTR ? Meanwhile::silent : Meanwhile::ended;
    if (size == 0) return Meanwhile::ended;
    if (!skip_log({buffer.data(), static_cast<std::size_t>(size)}).empty()) return Meanwhile::talked;
  }
  return Meanwhile::talked;
}

void Child::skip(std::string_view line) {
  if (logged_.empty()) logged_ = line.substr(0, kLoggedMax);
  last_log_ = line.substr(0, kWordsMax);
}

std::string_view Child::skip_log(std::string_view text) {
  while (!text.empty()) {
    const auto line_end = text.find('\n');
    const std::string_view line = text.substr(0, line_end);
    if (!is_in_log_ && may_be_answer(line)) break;
    if (!is_in_log_) skip(line);
    is_in_log_ = line_end == std::string_view::npos;
    text.remove_prefix(is_in_log_ ? text.size() : line_end + 1);
  }
  return text;
}

void Child::hear_errors() {
  std::array<char, 4096> buffer;
  // Read at most one pipe's capacity: a process that never stops writing must not block us.
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
  if (errno != EAGAIN && errno != EINTR) pending = {};  // the process stopped reading; its output decides
}

/// Reads some output; returns true once the exchange is complete.
bool Child::receive(Exchange& exchange) {
  std::array<char, 65536> buffer;
  const ssize_t size = read(out_.get(), buffer.data(), buffer.size());
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (size > 0) return take({buffer.data(), static_cast<std::size_t>(size)}, exchange);
  exchange.end = Exchange::End::died;
  return true;
}

/// Takes some output: whole lines of a log are skipped, the answer ends the exchange.
bool Child::take(std::string_view read, Exchange& exchange) {
  using End = Exchange::End;
  while (!read.empty()) {
    const auto line_end = read.find('\n');
    exchange.text.append(read.substr(0, line_end));
    if (exchange.text.size() > answer_bytes_max_) {
      exchange.end = End::too_long;
      return true;
    }
    if (line_end == std::string_view::npos) return false;
    read.remove_prefix(line_end + 1);
    if (!is_in_log_ && may_be_answer(exchange.text)) {
      exchange.rest = skip_log(read);
      exchange.end = exchange.rest.empty() ? End::answered : End::too_many;
      return true;
    }
    if (!is_in_log_) skip(exchange.text);
    is_in_log_ = false;
    exchange.text.clear();
  }
  return false;
}

Exchange Child::exchange(std::string_view line, const Deadline& deadline) {
  Exchange exchange;
  std::string_view pending = line;
  last_log_.clear();
  std::optional<Deadline> patience;
  for (;;) {
    int left = deadline.milliseconds_left();
    if (left == 0) {
      exchange.end = Exchange::End::too_late;
      return exchange;
    }
    if (patience && exchange.text.empty()) {
      if (patience->milliseconds_left() == 0) return {.end = Exchange::End::answered, .text = last_log_};
      left = std::min(left, patience->milliseconds_left());
    }
    // poll() skips negative descriptors.
    std::array<pollfd, 3> streams{
        {{.fd = out_.get(), .events = POLLIN, .revents = 0},
         {.fd = errors_.get(), .events = POLLIN, .revents = 0},
         {.fd = pending.empty() ? -1 : in_.get(), .events = POLLOUT, .revents = 0}}};
    if (poll(streams.data(), streams.size(), left) <= 0) continue;
    if (streams[2].revents != 0) send(pending);
    if (streams[1].revents != 0) hear_errors();
    if (streams[0].revents == 0) continue;
    if (receive(exchange)) return exchange;
    if (!last_log_.empty()) patience = Deadline::in(kAnswerAfterLogMilliseconds);
  }
}

}  // namespace fixpoint::webhooks
