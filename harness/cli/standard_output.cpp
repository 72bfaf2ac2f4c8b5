#include "harness/cli/standard_output.h"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "harness/cli/options.h"

namespace fixpoint::cli {

namespace {

/// The errno of the first write that failed. stdio remembers only that there was one.
std::atomic<int> output_error{0};

ssize_t write_output(void*, const char* data, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t wrote = write(STDOUT_FILENO, data + done, size - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) {
      int none = 0;
      output_error.compare_exchange_strong(none, errno);
      return 0;
    }
    done += static_cast<std::size_t>(wrote);
  }
  return static_cast<ssize_t>(size);
}

/// Opens /dev/null in the place of each closed standard descriptor; otherwise the next file that is opened
/// would get its number, and printed text would land in that file. /dev/null is opened for the opposite
/// direction, so that reading and writing still fail.
void fill_closed_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) != -1 || errno != EBADF) continue;
    const int filler = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (filler >= 0 && filler != number) {
      dup2(filler, number);
      close(filler);
    }
  }
}

}  // namespace

void watch_standard_output() {
  fill_closed_descriptors();
  std::signal(SIGXFSZ, SIG_IGN);
  std::FILE* const watched = fopencookie(nullptr, "w", {nullptr, write_output, nullptr, nullptr});
  if (watched == nullptr) return;
  if (isatty(STDOUT_FILENO) != 0) std::setvbuf(watched, nullptr, _IOLBF, BUFSIZ);
  stdout = watched;  // in glibc stdout is a variable; std::cout would still use the old stream
}

void print_now(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

bool is_output_lost() { return output_error != 0; }

int finish_output(int code) {
  std::fflush(stdout);
  if (!is_output_lost() || code == kBadInput) return code;
  if (output_error != EPIPE) {
    std::fprintf(stderr, "fixpoint: standard output cannot be written: %s\n", std::strerror(output_error));
  }
  return kUnfinished;
}

bool end_standard_output() {
  std::fflush(stdout);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
  }
  return !is_output_lost();
}

}  // namespace fixpoint::cli
