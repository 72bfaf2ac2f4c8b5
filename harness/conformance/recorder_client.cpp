#include "harness/conformance/recorder_client.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <sstream>

#include "harness/runner/clock.h"

extern char** environ;

namespace fixpoint::conformance {

namespace {

using document::Error;
using document::Result;

/// Only the last part of standard error, of this size, is kept.
constexpr std::size_t kComplaintBytesMax = 1u << 16;

/// A file descriptor that the destructor closes.
class Descriptor {
 public:
  Descriptor() = default;
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  void open(int number) { number_ = number; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read, write;
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read.open(ends[0]);
    write.open(ends[1]);
    return true;
  }
};

/// While this object exists, writing to a dead child is an error instead of a signal.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() { former_ = ::signal(SIGPIPE, SIG_IGN); }
  ~WithoutPipeSignal() { ::signal(SIGPIPE, former_); }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  void (*former_)(int);
};

/// A child in its own process group, which the destructor kills.
class Child {
 public:
  Child() = default;
  ~Child() {
    if (id_ > 0) kill_and_wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Returns 0 or the errno.
  int start(const std::vector<std::string>& argv) {
    if (!in_.open() || !out_.open() || !err_.open()) return errno;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in_.read.number(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out_.write.number(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err_.write.number(), STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    std::vector<char*> words;
    for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const int problem = ::posix_spawnp(&id_, words[0], &actions, &attributes, words.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0) id_ = -1;
    in_.read.close();
    out_.write.close();
    err_.write.close();
    ::fcntl(in_.write.number(), F_SETFL, O_NONBLOCK);
    return problem;
  }

  Descriptor& input() { return in_.write; }
  Descriptor& output() { return out_.read; }
  Descriptor& complaints() { return err_.read; }

  /// Waits for the child, kills it if it still runs after `deadline`, and returns the status of waitpid.
  int wait_until(double deadline) {
    int status = 0;
    while (::waitpid(id_, &status, WNOHANG) == 0) {
      if (runner::now() > deadline) return kill_and_wait();
      ::poll(nullptr, 0, 1);
    }
    id_ = -1;
    return status;
  }

  int kill_and_wait() {
    int status = 0;
    ::kill(-id_, SIGKILL);
    ::waitpid(id_, &status, 0);
    id_ = -1;
    return status;
  }

 private:
  Pipe in_, out_, err_;
  pid_t id_ = -1;
};

/// Reads the available output; returns true if more may come.
bool read_some(Descriptor& from, std::string& into) {
  std::array<char, 1u << 16> buffer;
  const auto got = ::read(from.number(), buffer.data(), buffer.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (got > 0) into.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

/// The output of one process.
struct Conversation {
  std::string output, complaints;
  int status = 0;
};

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of(" \n\r\t");
  if (end == std::string::npos) return "";
  const auto begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

Result<Conversation> converse(const Recorder& recorder, const std::string& input) {
  const WithoutPipeSignal quiet;
  Child child;
  const std::string name = recorder.argv.front();
  if (const int problem = child.start(recorder.argv); problem != 0) {
    return Error{"the recorder cannot be started: " + std::string(std::strerror(problem)), name};
  }
  const double deadline = runner::now() + recorder.seconds_max;
  Conversation said;
  std::size_t written = 0;
  while (child.output().is_open() || child.complaints().is_open()) {
    if (written == input.size()) child.input().close();
    std::array<pollfd, 3> fds{{{child.input().number(), POLLOUT, 0},
                               {child.output().number(), POLLIN, 0},
                               {child.complaints().number(), POLLIN, 0}}};
    const int ready = ::poll(fds.data(), fds.size(), 200);
    if (runner::now() > deadline) {
      return Error{"the recorder was killed: no end after " +
                       std::to_string(static_cast<long>(recorder.seconds_max)) + " s",
                   name};
    }
    if (ready <= 0) continue;
    if (fds[0].revents != 0) {
      const auto done = ::write(child.input().number(), input.data() + written, input.size() - written);
      if (done > 0) written += static_cast<std::size_t>(done);
      if (done < 0 && errno != EINTR && errno != EAGAIN) child.input().close(), written = input.size();
    }
    if (fds[1].revents != 0 && !read_some(child.output(), said.output)) child.output().close();
    if (fds[2].revents != 0 && !read_some(child.complaints(), said.complaints)) child.complaints().close();
    if (said.output.size() > recorder.answer_bytes_max)
      return Error{"the recorder was killed: too many bytes", name};
    if (said.complaints.size() > kComplaintBytesMax) {
      said.complaints.erase(0, said.complaints.size() - kComplaintBytesMax);
    }
  }
  said.status = child.wait_until(deadline);
  return said;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const auto to = std::min(text.find('\n', from), text.size());
    if (to > from) lines.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return lines;
}

std::string ending(int status) {
  if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

/// Adds the answers of one process to `answers`; an error if the process ended in a way that is no refusal.
std::optional<Error> take_answers(const Conversation& said, const Recorder& recorder,
                                  const std::vector<Question>& questions, Death death,
                                  std::vector<Answered>& answers) {
  const auto asked = questions.size() - answers.size();
  const auto lines = lines_of(said.output);
  const std::string counts =
      std::to_string(lines.size()) + " answers to " + std::to_string(asked) + " requests";
  const std::string complaint = last_line(said.complaints);
  if (lines.size() > asked) return Error{"the recorder gave " + counts, recorder.argv.front()};
  for (const std::string& line : lines) answers.push_back({.line = line});
  const bool is_good = WIFEXITED(said.status) && WEXITSTATUS(said.status) == 0;
  if (is_good && lines.size() == asked) return std::nullopt;
  if (is_good) return Error{"the recorder gave only " + counts, recorder.argv.front()};
  const auto bracketed = answers.size() < questions.size() ? "(" + questions[answers.size()].id + ")" : "";
  const bool refuses = death == Death::is_a_refusal || said.complaints.find(bracketed) != std::string::npos;
  if (!bracketed.empty() && refuses) {
    answers.push_back({.refusal = complaint.empty() ? ending(said.status) : complaint});
    return std::nullopt;
  }
  return Error{"the recorder " + ending(said.status) + " after " + counts +
                   (complaint.empty() ? "" : ": " + complaint),
               recorder.argv.front()};
}

}  // namespace

std::vector<std::string> split_command(const std::string& command) {
  std::istringstream stream(command);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Result<std::vector<Answered>> ask(const Recorder& recorder, const std::vector<Question>& questions,
                                  Death death) {
  std::vector<Answered> answers;
  while (answers.size() < questions.size()) {
    std::string input;
    for (const Question& question : std::span(questions).subspan(answers.size())) {
      input += question.line + "\n";
    }
    const auto said = converse(recorder, input);
    if (!said) return said.error();
    if (auto problem = take_answers(*said, recorder, questions, death, answers)) return *std::move(problem);
  }
  return answers;
}

}  // namespace fixpoint::conformance
