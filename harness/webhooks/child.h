#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/document/limits.h"
#include "harness/document/result.h"
#include "harness/webhooks/descriptor.h"

namespace fixpoint::webhooks {

/// A moment on the clock that only goes forward.
class Deadline {
 public:
  static Deadline in(int milliseconds) {
    return Deadline(std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds));
  }
  /// What is left, rounded up to whole milliseconds; 0 when it is over.
  int milliseconds_left() const;

 private:
  explicit Deadline(std::chrono::steady_clock::time_point at) : at_(at) {}
  std::chrono::steady_clock::time_point at_;
};

/// What came of one line written and one line read.
struct Exchange {
  enum class End { answered, died, too_late, too_long, too_many } end = End::died;
  std::string text = {};  ///< the answer without its line end, or as much of it as came
};

/// A child process with pipes to its three standard streams, in a process group of its own. Nothing else of
/// ours is open in it. It is reaped at the latest when this ends.
class Child {
 public:
  static document::Result<std::unique_ptr<Child>> start(const std::vector<std::string>& argv,
                                                        const Limits& limits);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Writes the line and reads one, both at once, so that neither side waits for the other's pipe.
  Exchange exchange(std::string_view line, const Deadline& deadline);
  /// What it has done since its last answer: nothing, ended, or written more.
  enum class Meanwhile { silent, ended, talked };
  Meanwhile meanwhile();
  /// Ends its process group and reaps it; it may have died already.
  void kill();
  /// How it ended, once it was killed: "exit 3", "signal 9".
  const std::string& ending() const { return ending_; }
  /// The end of what it wrote to standard error.
  const std::string& words() const { return words_; }

 private:
  Child(pid_t pid, Descriptor in, Descriptor out, Descriptor errors, std::size_t answer_bytes_max)
      : pid_(pid),
        in_(std::move(in)),
        out_(std::move(out)),
        errors_(std::move(errors)),
        answer_bytes_max_(answer_bytes_max) {}
  void send(std::string_view& pending);
  void hear_errors();
  bool receive(Exchange& exchange);
  bool ends_within(int milliseconds) const;

  pid_t pid_;
  Descriptor in_, out_, errors_;
  std::size_t answer_bytes_max_;
  std::string words_ = {};
  std::string ending_ = {};
};

}  // namespace fixpoint::webhooks
