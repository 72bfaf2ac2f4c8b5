#include "harness/document/document_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <optional>
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

/// Returns true if the place is inside a quoted text that began on its line.
bool is_quoted(std::string_view text, std::size_t at) {
  const auto begin = text.rfind('\n', at) + 1;  // 0 on the first line
  char quote = 0;
  for (std::size_t i = begin; i < at; ++i) {
    if (quote == 0 && (text[i] == '"' || text[i] == '\''))
      quote = text[i];
    else if (text[i] == quote)
      quote = 0;
  }
  return quote != 0;
}

/// Returns the number of the first line with an action of a Helm template, such as `{{ .Values.image }}` or
/// `{{- if`; nothing if there is none. A flow mapping in a flow mapping, `{{a: b}: c}`, is not one.
std::optional<std::size_t> line_of_template_action(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  for (std::size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at + 2)) {
    std::size_t first = at + 2;
    if (first < text.size() && text[first] == '-') ++first;
    first = text.find_first_not_of(kBlanks, first);
    if (first == std::string_view::npos) return std::nullopt;
    if (is_quoted(text, at)) continue;
    std::size_t end = first;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    const std::string_view word = text.substr(first, end - first);
    constexpr std::array<std::string_view, 13> kWords{"if",     "else",     "end",      "range", "with",
                                                      "define", "include",  "template", "block", "toYaml",
                                                      "tpl",    "required", "default"};
    const bool is_action = std::string_view(".$/(").find(text[first]) != std::string_view::npos ||
                           std::find(kWords.begin(), kWords.end(), word) != kWords.end();
    if (is_action)
      return 1 + static_cast<std::size_t>(
                     std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }
  return std::nullopt;
}

/// Reads the documents of a text whose errors begin with its name. An unrendered template is named as one,
/// because the reader of YAML stops at its braces.
Result<std::vector<Value>> read_named(const std::string& name, std::string_view text, const Limits& limits,
                                      Strictness strictness) {
  auto documents = read_stream(text, limits, strictness);
  if (documents) return documents;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json =
      first != std::string_view::npos && text[first] == '{' && !text.substr(first).starts_with("{{");
  if (const auto line = is_json ? std::nullopt : line_of_template_action(text)) {
    return Error{
        "this is a Helm template, not YAML; render it first: helm template RELEASE CHART > rendered.yaml",
        name + ":" + std::to_string(*line)};
  }
  return std::move(documents).error().within(name);
}

}  // namespace

Result<std::vector<Value>> read_stream(std::string_view text, const Limits& limits, Strictness strictness) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const char begin = first == std::string_view::npos ? '\0' : text[first];
  if (begin != '{' && begin != '[') return read_yaml_stream(text, limits);
  // YAML may begin so, too: [a, b], {a: b}, or JSON with a YAML document behind it. JSON is tried first,
  // because the YAML reader would lose how numbers are written.
  auto documents = read_json_stream(text, limits, strictness);
  if (documents) return documents;
  if (begin == '{' && strictness == Strictness::ours) return documents;
  auto as_yaml = read_yaml_stream(text, limits);
  return as_yaml || begin == '[' ? std::move(as_yaml) : std::move(documents);
}

Result<std::string> read_text_file(const std::string& path, const Limits& limits) {
  // Without O_NONBLOCK a named pipe would wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) return system_error(path);
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) return system_error(path);
  if (S_ISDIR(status.st_mode)) return Error{"expected a file, found a folder", path};
  if (!S_ISREG(status.st_mode)) return Error{"not a regular file", path};
  return read_all(file.number(), path, limits.file_bytes_max);
}

Result<std::vector<Value>> read_file(const std::string& path, const Limits& limits, Strictness strictness) {
  const auto text = read_text_file(path, limits);
  if (!text) return text.error();
  return read_named(path, *text, limits, strictness);
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
  return read_named("standard input", text, limits, strictness);
}

}  // namespace fixpoint::document
