#pragma once

#include <string>
#include <variant>

#include "harness/document/result.h"

namespace fixpoint::campaign {

/// The file in a run's folder that names the process which holds it.
inline constexpr const char* kLockName = "lock";

/// Keeps other runs out of a folder while it lives. The lock goes with the process, however that ends.
class FolderLock {
 public:
  /// Another process has the folder; the error names it.
  struct Held {
    document::Error error;
  };
  using Taken = std::variant<FolderLock, Held, document::Error>;

  /// Locks a folder that exists.
  static Taken take(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  /// Removes the file, too, wherever the folder moved to.
  ~FolderLock();

  /// The folder was renamed.
  void moved_to(const std::string& folder);

 private:
  FolderLock(std::string path, int file) : path_(std::move(path)), file_(file) {}
  std::string path_;
  int file_ = -1;
};

}  // namespace fixpoint::campaign
