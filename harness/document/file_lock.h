#pragma once

#include <string>

#include "harness/document/result.h"

namespace fixpoint::document {

/// Returns the error of a file that cannot be locked; errno says why.
Error not_locked(const std::string& path);
/// Returns true if `path` still names the open file: another process may have replaced, moved or removed it
/// before the lock was taken.
bool is_still_there(int file, const std::string& path, bool follows_links = true);

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
