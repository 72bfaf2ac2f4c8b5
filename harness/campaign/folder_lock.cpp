#include "harness/campaign/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "harness/document/file_lock.h"

namespace fixpoint::campaign {

namespace {

using document::Error;
using document::not_locked;

/// The limit on tries; a try fails when the run that held the lock ends in the meantime.
constexpr int kLockTriesMax = 64;

/// Returns the process that holds the lock. It writes its number after it has locked the file, so the number
/// may be missing for a moment.
std::string holder_of(int file) {
  char text[32] = {};
  const ssize_t size = pread(file, text, sizeof text - 1, 0);
  std::string_view number(text, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  number = number.substr(0, number.find_first_not_of("0123456789"));
  return number.empty() ? "another process" : "process " + std::string(number);
}

bool write_holder(int file) {
  const std::string text = std::to_string(getpid()) + "\n";
  return ftruncate(file, 0) == 0 && pwrite(file, text.data(), text.size(), 0) > 0;
}

}  // namespace

FolderLock::Taken FolderLock::take(const std::string& folder) {
  const std::string path = folder + "/" + kLockName;
  for (int tries = 0; tries < kLockTriesMax; ++tries) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return not_locked(path);
    FolderLock lock(path, file);
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      const bool is_held = errno == EWOULDBLOCK;
      const Error problem = is_held ? Error{"in use by the run of " + holder_of(file) +
                                                ": wait until it ends, or name another folder",
                                            folder}
                                    : not_locked(path);
      close(std::exchange(lock.file_, -1));
      if (is_held) return Held{problem};
      return problem;
    }
    if (document::is_still_there(file, path, false)) {
      if (!write_holder(file)) return not_locked(path);
      return lock;
    }
    close(std::exchange(lock.file_, -1));
  }
  return Held{{"other runs come and go in it: name another folder", folder}};
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  return *this;
}

FolderLock::~FolderLock() {
  if (file_ < 0) return;
  if (document::is_still_there(file_, path_, false)) unlink(path_.c_str());
  close(file_);
}

void FolderLock::moved_to(const std::string& folder) { path_ = folder + "/" + kLockName; }

}  // namespace fixpoint::campaign
