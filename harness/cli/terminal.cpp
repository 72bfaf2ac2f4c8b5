#include "harness/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace fixpoint::cli {

namespace {

constexpr double kSecondsBetween = 0.1;
constexpr std::size_t kColumns = 80;  ///< for a terminal that does not report its width

bool is_set(const char* name) {
  const char* said = std::getenv(name);
  return said != nullptr && *said != '\0';
}

std::size_t columns_of(int file) {
  winsize size{};
  return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kColumns;
}

}  // namespace

bool is_terminal(int file) {
  const char* kind = std::getenv("TERM");
  return isatty(file) != 0 && (kind == nullptr || std::string_view(kind) != "dumb");
}

bool has_color(int file) { return is_terminal(file) && !is_set("NO_COLOR"); }

std::string colored(std::string text) {
  for (const std::string_view word : {"FOUND", "GATE", "ERROR"}) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
      const bool is_first = at == 0 || text[at - 1] == '\n';
      const std::string red = is_first ? "\033[1;31m" + std::string(word) + "\033[0m" : std::string(word);
      text.replace(at, word.size(), red);
      at += red.size();
    }
  }
  return text;
}

ProgressLine::ProgressLine(bool is_wanted) : is_on_(is_wanted && is_terminal(STDERR_FILENO)) {}

void ProgressLine::show(std::string_view text, double now) {
  if (!is_on_ || now < next_) return;
  next_ = now + kSecondsBetween;
  // The last column stays free: some terminals wrap when it is written.
  const std::string line(text.substr(0, std::min(text.size(), columns_of(STDERR_FILENO) - 1)));
  std::fprintf(stderr, "\r%s\033[K", line.c_str());
  std::fflush(stderr);
  is_shown_ = true;
}

void ProgressLine::clear() {
  if (is_shown_) std::fputs("\r\033[K", stderr);
  is_shown_ = false;
}

}  // namespace fixpoint::cli
