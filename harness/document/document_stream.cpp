#include "harness/document/document_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <utility>

#include "harness/document/yaml.h"

namespace fixpoint::document {

namespace {

/// An open file, closed in the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

Error system_error(const std::string& path) { return {std::strerror(errno), path}; }

/// Reads to the end, or one byte more than `bytes_max`: a file may grow, and files of the kernel report no
/// size.
Result<std::string> read_all(int descriptor, const std::string& path, std::size_t bytes_max) {
  std::string text;
  constexpr std::size_t kStep = 64u << 10;
  while (text.size() <= bytes_max) {
    const std::size_t begin = text.size();
    text.resize(begin + std::min(kStep, bytes_max + 1 - begin));
    const ssize_t got = ::read(descriptor, text.data() + begin, text.size() - begin);
    text.resize(begin + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno != EINTR) return system_error(path);
    if (got == 0) return text;
  }
  return Error{"the file is longer than file_bytes_max = " + std::to_string(bytes_max), path};
}

}  // namespace

Result<std::vector<Value>> read_stream(std::string_view text, const Limits& limits, Strictness strictness) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const char begin = first == std::string_view::npos ? '\0' : text[first];
  if (begin == '{') return read_json_stream(text, limits, strictness);
  if (begin == '[') {
    // A YAML list may begin with `[` too: [a, b]. JSON is tried first, because the YAML reader would lose how
    // numbers are written.
    auto documents = read_json_stream(text, limits, strictness);
    if (documents) return documents;
  }
  return read_yaml_stream(text, limits);
}

Result<std::string> read_text_file(const std::string& path, const Limits& limits) {
  // Without O_NONBLOCK a named pipe would wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) return system_error(path);
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) return system_error(path);
  if (!S_ISREG(status.st_mode)) return Error{"not a regular file", path};
  return read_all(file.number(), path, limits.file_bytes_max);
}

Result<std::vector<Value>> read_file(const std::string& path, const Limits& limits, Strictness strictness) {
  const auto text = read_text_file(path, limits);
  if (!text) return text.error();
  auto documents = read_stream(*text, limits, strictness);
  if (!documents) return std::move(documents).error().within(path);
  return documents;
}

Result<std::vector<Value>> read_documents(const std::string& path, Strictness strictness,
                                          const Limits& limits) {
  if (path != "-") return read_file(path, limits, strictness);
  std::string text;
  char buffer[65536];
  while (std::cin.read(buffer, sizeof buffer) || std::cin.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(std::cin.gcount()));
    if (text.size() > limits.file_bytes_max) {
      return Error{"longer than file_bytes_max = " + std::to_string(limits.file_bytes_max), "standard input"};
    }
  }
  auto documents = read_stream(text, limits, strictness);
  if (!documents) return std::move(documents).error().within("standard input");
  return documents;
}

}  // namespace fixpoint::document
