#pragma once

#include <string>

#include "harness/document/result.h"

namespace fixpoint::document {

/// Keeps other processes that take the same lock from changing a file between its reading and its writing.
/// The lock is on the file itself, ends with the process, and leaves nothing behind. The holder may replace
/// the file with write_file().
class FileLock {
 public:
  /// Locks an existing file; waits at most `seconds_max` for the process that holds it.
  static Result<FileLock> take(const std::string& path, double seconds_max);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int file) : file_(file) {}
  int file_;
};

}  // namespace fixpoint::document
