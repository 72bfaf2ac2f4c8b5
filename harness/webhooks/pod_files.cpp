#include "harness/webhooks/pod_files.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace fixpoint::webhooks {

namespace {

constexpr std::array kParents{"/var/run/secrets", "/var/run/secrets/kubernetes.io",
                              "/var/run/secrets/kubernetes.io/serviceaccount"};
constexpr const char *kRun = "/var/run", *kPlace = kParents.back();

/// A text of bounded size that is made without memory of the heap.
class StackText {
 public:
  explicit StackText(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
      const std::size_t size = std::min(part.size(), all_.size() - 1 - size_);
      std::copy_n(part.begin(), size, all_.begin() + static_cast<std::ptrdiff_t>(size_));
      size_ += size;
    }
  }
  const char* c_str() const { return all_.data(); }
  std::string_view view() const { return {all_.data(), size_}; }

 private:
  std::array<char, 1024> all_ = {};
  std::size_t size_ = 0;
};

bool write_once(const char* path, std::string_view text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  return is_written;
}

/// Maps an id of the new namespace to itself, so that the process stays who it was.
bool map_id(const char* path, unsigned id) {
  std::array<char, 16> digits{};
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), id).ptr;
  const std::string_view number(digits.data(), static_cast<std::size_t>(end - digits.data()));
  return write_once(path, StackText({number, " ", number, " 1"}).view());
}

/// Gives the process mounts of its own; where only root may mount, in a namespace of users of its own.
bool unshare_mounts() {
  if (unshare(CLONE_NEWNS) != 0) {
    const unsigned user = geteuid(), group = getegid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    const bool is_mapped = map_id("/proc/self/uid_map", user) && write_once("/proc/self/setgroups", "deny") &&
                           map_id("/proc/self/gid_map", group);
    if (!is_mapped) return false;
  }
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

/// Makes /var/run one in which folders can be made, with what it holds if the kernel can lay one over it.
bool cover_run(std::string_view folder) {
  const StackText own({folder, "/run"}), upper({own.view(), "/upper"}), work({own.view(), "/work"});
  mkdir(own.c_str(), 0700);
  if (mount("tmpfs", own.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") != 0) return false;
  mkdir(upper.c_str(), 0755);
  mkdir(work.c_str(), 0755);
  const StackText options({"lowerdir=", kRun, ",upperdir=", upper.view(), ",workdir=", work.view()});
  return mount("overlay", kRun, "overlay", 0, options.c_str()) == 0 ||
         mount("tmpfs", kRun, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") == 0;
}

}  // namespace

void place_pod_files(const char* folder) {
  const StackText files({folder, "/serviceaccount"});
  if (access(files.c_str(), F_OK) != 0 || access(kPlace, F_OK) == 0) return;
  if (!unshare_mounts() || !cover_run(folder)) return;
  for (const char* parent : kParents) mkdir(parent, 0755);
  mount(files.c_str(), kPlace, nullptr, MS_BIND, nullptr);
}

}  // namespace fixpoint::webhooks
