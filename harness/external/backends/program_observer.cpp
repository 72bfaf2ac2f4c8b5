#include "harness/external/backends/program_observer.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace fixpoint::external {

using document::Result;

namespace {

constexpr const char *kLines = "lines", *kNode = "observer.js";

/// Returns NAME=VALUE, with the variable's own value behind the separator.
std::string before_own(const std::string& name, const std::string& value, char separator) {
  const char* own = std::getenv(name.c_str());
  const bool has_own = own != nullptr && *own != '\0';
  return name + "=" + value + (has_own ? std::string(1, separator) + own : std::string());
}

}  // namespace

Result<std::shared_ptr<ProgramObserver>> ProgramObserver::make() {
  auto folder = PrivateFolder::make();
  if (!folder) return std::move(folder).error();
  for (const auto& [name, text] :
       {std::pair(std::string("sitecustomize.py"), python_observer()), {kNode, node_observer()}}) {
    if (const auto written = (*folder)->write(name, std::string(text)); !written) return written.error();
  }
  return std::make_shared<ProgramObserver>(*std::move(folder));
}

std::vector<std::string> ProgramObserver::environment() const {
  return {"FIXPOINT_OBSERVED=" + folder_->path() + "/" + kLines,
          before_own("PYTHONPATH", folder_->path(), ':'),
          before_own("NODE_OPTIONS", "--require " + folder_->path() + "/" + kNode, ' ')};
}

std::string ProgramObserver::take_lines() {
  std::ifstream file(folder_->path() + "/" + kLines, std::ios::binary);
  if (!file.seekg(static_cast<std::streamoff>(read_))) return "";
  std::string lines{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto end = lines.rfind('\n');
  lines.resize(end == std::string::npos ? 0 : end + 1);
  read_ += lines.size();
  return lines;
}

}  // namespace fixpoint::external
