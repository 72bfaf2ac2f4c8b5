#include "harness/document/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

namespace fixpoint::document {

namespace {

constexpr std::chrono::milliseconds kBetweenTries{10};

}  // namespace

Error not_locked(const std::string& path) {
  return {std::string("cannot be locked: ") + std::strerror(errno), path};
}

bool is_still_there(int file, const std::string& path, bool follows_links) {
  struct stat open_one{}, named{};
  return fstat(file, &open_one) == 0 &&
         fstatat(AT_FDCWD, path.c_str(), &named, follows_links ? 0 : AT_SYMLINK_NOFOLLOW) == 0 &&
         open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino;
}

Result<FileLock> FileLock::take(const std::string& path, double seconds_max) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds_max);
  while (true) {
    FileLock lock(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (lock.file_ < 0) return not_locked(path);
    if (flock(lock.file_, LOCK_EX | LOCK_NB) == 0) {
      if (is_still_there(lock.file_, path)) return lock;
      continue;
    }
    if (errno != EWOULDBLOCK && errno != EINTR) return not_locked(path);
    if (std::chrono::steady_clock::now() >= end)
      return Error{"in use by another process: wait until it ends, and try again", path};
    std::this_thread::sleep_for(kBetweenTries);
  }
}

FileLock::FileLock(FileLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

FileLock::~FileLock() {
  if (file_ >= 0) close(file_);
}

}  // namespace fixpoint::document
