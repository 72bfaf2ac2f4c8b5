#include "harness/external/backends/private_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "harness/document/output_file.h"

namespace fixpoint::external {

namespace files = std::filesystem;
using document::Error;
using document::Result;

Result<std::shared_ptr<PrivateFolder>> PrivateFolder::make() {
  std::error_code problem;
  const files::path place = files::temp_directory_path(problem);
  std::string path = (problem ? files::path("/tmp") : place) / "fixpoint-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return Error{std::strerror(errno), path};
  return std::make_shared<PrivateFolder>(path);
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  files::remove_all(path_, ignored);
}

Result<std::string> PrivateFolder::write(const std::string& name, const std::string& text) const {
  const files::path path = files::path(path_) / name;
  std::error_code problem;
  files::create_directories(path.parent_path(), problem);
  if (problem) return Error{problem.message(), path.parent_path().string()};
  if (auto failed = document::write_file(path.string(), text, document::Readers::owner))
    return *std::move(failed);
  return path.string();
}

}  // namespace fixpoint::external
