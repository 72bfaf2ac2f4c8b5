#pragma once

#include <string>
#include <variant>

#include "harness/document/result.h"

namespace fixpoint::campaign {

/// The file in a run's folder that names the process holding the folder.
inline constexpr const char* kLockName = "lock";

/// Keeps other runs out of a folder during its lifetime. The lock ends with the process, however that ends.
class FolderLock {
 public:
  /// Another process holds the folder; the error names that process.
  struct Held {
    document::Error error;
  };
  using Taken = std::variant<FolderLock, Held, document::Error>;

  /// Locks an existing folder.
  static Taken take(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  /// Removes the lock's file, too, wherever the folder was moved.
  ~FolderLock();

  /// Tells the lock that the folder was renamed.
  void moved_to(const std::string& folder);

 private:
  FolderLock(std::string path, int file) : path_(std::move(path)), file_(file) {}
  std::string path_;
  int file_ = -1;
};

}  // namespace fixpoint::campaign
