#pragma once

#include <memory>
#include <string>

#include "harness/document/result.h"

namespace fixpoint::external {

/// A folder that only this user can read, removed with this object.
class PrivateFolder {
 public:
  /// Makes one among the temporary files.
  static document::Result<std::shared_ptr<PrivateFolder>> make();
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  /// Writes a file below the folder and returns its path.
  document::Result<std::string> write(const std::string& name, const std::string& text) const;
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

}  // namespace fixpoint::external
