#include "harness/cli/running_model.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>

namespace fixpoint::cli {

namespace {

constexpr auto kPatience = std::chrono::seconds(60);

[[noreturn]] void become(const std::vector<std::string>& argv, int in, int out) {
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  std::vector<char*> words;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words.front(), words.data());
  _exit(127);
}

}  // namespace

Running::Running(const std::vector<std::string>& argv, const std::string& ready) {
  std::array<int, 2> in{}, out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) return;
  pid_ = fork();
  if (pid_ == 0) become(argv, in[0], out[1]);
  close(in[0]);
  close(out[1]);
  in_ = in[1];
  from_ = out[0];
  const auto end = std::chrono::steady_clock::now() + kPatience;
  std::array<char, 65536> buffer{};
  while (std::chrono::steady_clock::now() < end) {
    pollfd waiting{.fd = from_, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, 100) <= 0) continue;
    const ssize_t size = read(from_, buffer.data(), buffer.size());
    if (size <= 0) return;
    out_.append(buffer.data(), static_cast<std::size_t>(size));
    if (!ready.empty() && out_.find(ready) != std::string::npos) return;
  }
}

int Running::stop(int signal) {
  if (pid_ <= 0) return -1;
  kill(pid_, signal);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  close(in_);
  close(from_);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Running::~Running() { stop(SIGKILL); }

}  // namespace fixpoint::cli
