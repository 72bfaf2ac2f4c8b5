#include "harness/document/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

namespace fixpoint::document {

namespace {

using document::Error;
namespace files = std::filesystem;

constexpr int kLinksMax = 40;           ///< as many as the kernel follows
constexpr int kTemporaryNamesMax = 64;  ///< tries before giving up on the folder
constexpr mode_t kPermissions = 0777;

Error cannot(const std::string& path, int number) {
  return {std::string("cannot be written: ") + std::strerror(number), path};
}

/// A file descriptor that closes itself.
class OpenFile {
 public:
  explicit OpenFile(int number) : number_(number) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  /// Returns 0 or the errno.
  int close() { return ::close(std::exchange(number_, -1)) == 0 ? 0 : errno; }

 private:
  int number_;
};

/// Writes all of the text; returns 0 or the errno.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(file, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return 0;
}

/// Syncs a file or a folder to the disk. Pipes, devices and some file systems do not support it.
int sync(int file) {
  return fsync(file) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP ? 0 : errno;
}

/// The number of an open descriptor of this process in a path such as /dev/fd/63 or /proc/self/fd/1.
std::optional<int> descriptor_of(const std::string& path) {
  for (const std::string& folder : {std::string("/dev/fd/"), std::string("/proc/self/fd/"),
                                    "/proc/" + std::to_string(getpid()) + "/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* const end = path.data() + path.size();
    const auto read = std::from_chars(path.data() + folder.size(), end, number);
    if (read.ec == std::errc() && read.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

struct Target {
  std::string path;                    ///< with all symbolic links resolved
  std::optional<int> descriptor = {};  ///< set instead of a path: a descriptor of this process
  bool exists = false;
  struct stat status = {};
};

/// Returns true for a link or a file of somebody else in a folder like /tmp, where everybody may create files
/// and nobody may remove those of others: it may have been planted. The kernel can refuse both as well
/// (fs.protected_symlinks, fs.protected_regular).
bool is_trap(const files::path& name, const struct stat& status) {
  struct stat folder{};
  const files::path parent = name.has_parent_path() ? name.parent_path() : files::path(".");
  if (stat(parent.c_str(), &folder) != 0) return false;
  const bool is_shared = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  return is_shared && status.st_uid != geteuid() && status.st_uid != folder.st_uid;
}

/// Follows symbolic links at the end of the path. A link may name a file that does not exist yet.
document::Result<Target> resolve(const std::string& path) {
  files::path at = path;
  for (int links = 0; links <= kLinksMax; ++links) {
    if (const auto descriptor = descriptor_of(at.string())) return Target{at.string(), descriptor};
    Target target{.path = at.string()};
    if (lstat(at.c_str(), &target.status) != 0) {
      if (errno == ENOENT && at.has_filename()) return target;
      return cannot(path, errno == ENOENT ? EISDIR : errno);
    }
    target.exists = true;
    if (is_trap(at, target.status))
      return Error{"cannot be written: in a folder of everybody it belongs to another user", path};
    if (!S_ISLNK(target.status.st_mode)) return target;
    std::error_code problem;
    const files::path next = files::read_symlink(at, problem);
    if (problem) return Error{"cannot be written: " + problem.message(), path};
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return cannot(path, ELOOP);
}

/// Writes directly to a target that is neither a regular file nor a folder.
std::optional<Error> write_in_place(const std::string& path, const Target& target, std::string_view text) {
  // Flush earlier output first: the descriptor may be that of standard output.
  std::fflush(stdout);
  OpenFile file(target.descriptor ? fcntl(*target.descriptor, F_DUPFD_CLOEXEC, 3)
                                  : open(target.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (!file.is_open()) return cannot(path, errno);
  int problem = write_all(file.number(), text);
  if (problem == 0) problem = sync(file.number());
  const int closed = file.close();
  if (problem != 0 || closed != 0) return cannot(path, problem != 0 ? problem : closed);
  return std::nullopt;
}

std::string folder_of(const std::string& path) {
  const files::path folder = files::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

/// A temporary file in the target's folder; the destructor removes it unless it was renamed.
class Beside {
 public:
  Beside(const std::string& folder, mode_t mode) {
    std::random_device random;
    for (int tries = 0; tries < kTemporaryNamesMax; ++tries) {
      path_ = folder + "/.fixpoint-" + std::to_string(getpid()) + "-" + std::to_string(random()) + ".part";
      number_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
      if (number_ >= 0 || errno != EEXIST) break;
    }
    problem_ = number_ >= 0 ? 0 : errno;
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside() {
    if (number_ < 0) return;
    ::close(number_);
    if (!is_in_place_) unlink(path_.c_str());
  }

  /// Each returns 0 or the errno.
  int problem() const { return problem_; }
  int take_after(const struct stat& old) {
    // Only root can change a file's owner. Written by another user, it gets that user as its owner and no
    // access for the group.
    const bool is_given = fchown(number_, old.st_uid, old.st_gid) == 0;
    const mode_t mode = old.st_mode & (is_given ? kPermissions : kPermissions & ~mode_t{S_IRWXG});
    return fchmod(number_, mode) == 0 ? 0 : errno;
  }
  int fill(std::string_view text) {
    const int problem = write_all(number_, text);
    return problem != 0 ? problem : sync(number_);
  }
  int put_in_place(const std::string& path) {
    if (rename(path_.c_str(), path.c_str()) != 0) return errno;
    is_in_place_ = true;
    const OpenFile folder(open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return folder.is_open() ? sync(folder.number()) : 0;  // a folder may be writable but not readable
  }

 private:
  std::string path_;
  int number_ = -1, problem_ = 0;
  bool is_in_place_ = false;
};

/// The target if it is writable, as far as that is known without writing.
document::Result<Target> writable(const std::string& path) {
  auto target = resolve(path);
  if (!target || target->descriptor || !target->exists) return target;
  if (S_ISDIR(target->status.st_mode)) return Error{"cannot be written: it is a folder", path};
  if (faccessat(AT_FDCWD, target->path.c_str(), W_OK, AT_EACCESS) != 0) return cannot(path, errno);
  return target;
}

bool is_written_in_place(const Target& target) {
  return target.descriptor || (target.exists && !S_ISREG(target.status.st_mode));
}

}  // namespace

std::optional<Error> write_file(const std::string& path, std::string_view text, Readers readers) {
  const auto target = writable(path);
  if (!target) return target.error();
  if (is_written_in_place(*target)) return write_in_place(path, *target, text);
  Beside beside(folder_of(target->path), readers == Readers::owner ? 0600 : 0644);
  int problem = beside.problem();
  if (problem == 0 && target->exists) problem = beside.take_after(target->status);
  if (problem == 0) problem = beside.fill(text);
  if (problem == 0) problem = beside.put_in_place(target->path);
  if (problem != 0) return cannot(path, problem);
  return std::nullopt;
}

std::optional<Error> cannot_write(const std::string& path) {
  const auto target = writable(path);
  if (!target) return target.error();
  if (is_written_in_place(*target)) return std::nullopt;
  const Beside beside(folder_of(target->path), 0600);
  if (beside.problem() != 0) return cannot(path, beside.problem());
  return std::nullopt;
}

std::optional<Error> make_private_folder(const std::string& path) {
  std::error_code problem;
  const files::path parent = files::path(path).parent_path();
  if (!parent.empty()) files::create_directories(parent, problem);
  if (!problem && mkdir(path.c_str(), 0700) != 0) {
    if (errno != EEXIST) problem = {errno, std::generic_category()};
    if (!problem) files::permissions(path, files::perms::owner_all, problem);
  }
  if (problem) return Error{"cannot be made: " + problem.message(), path};
  return std::nullopt;
}

document::Result<GrowingFile> GrowingFile::open(const std::string& path, Writers writers) {
  const int alone = writers == Writers::one ? O_NOFOLLOW : 0;
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | alone, 0600);
  if (file < 0) return cannot(path, errno);
  return GrowingFile(path, file, writers);
}

GrowingFile::GrowingFile(GrowingFile&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), writers_(other.writers_) {}

GrowingFile::~GrowingFile() {
  if (file_ >= 0) close(file_);
}

Error GrowingFile::problem(int number) const { return cannot(path_, number); }

std::optional<Error> GrowingFile::cut(std::uint64_t bytes) {
  if (ftruncate(file_, static_cast<off_t>(bytes)) != 0) return problem(errno);
  return std::nullopt;
}

std::optional<Error> GrowingFile::append(std::string_view line) {
  if (writers_ == Writers::one) return append_now(line);
  while (flock(file_, LOCK_EX) != 0)
    if (errno != EINTR) return problem(errno);
  auto lost = append_now(line);
  flock(file_, LOCK_UN);
  return lost;
}

std::optional<Error> GrowingFile::append_now(std::string_view line) {
  const off_t size = lseek(file_, 0, SEEK_END);  // -1 for a pipe
  char last = '\n';
  if (writers_ == Writers::several && size > 0 && pread(file_, &last, 1, size - 1) != 1) last = '\n';
  int lost = last == '\n' ? 0 : write_all(file_, "\n");
  if (lost == 0) lost = write_all(file_, line);
  if (lost == 0) return std::nullopt;
  // Remove the partial line, which would be read as a broken one.
  if (size >= 0 && ftruncate(file_, size) != 0) return problem(errno);
  return problem(lost);
}

std::optional<Error> GrowingFile::flush() {
  if (const int lost = sync(file_); lost != 0) return problem(lost);
  return std::nullopt;
}

bool is_file_name(std::string_view name) {
  return !name.empty() && name.size() < 200 && name.front() != '.' &&
         std::all_of(
             name.begin(), name.end(),
             [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_' || c == '.' || c == '@';
             });
}

}  // namespace fixpoint::document
