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
  std::string rest = {};  ///< what came behind it (too_many)
};

/// A process with pipes to its three standard streams, in a process group of its own. Nothing else of ours is
/// open in it. It ends at the latest when this does, and with this program, however that ends (supervisor.h).
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
  /// Waits for more to be written than the answer; what, talk() says.
  bool talks_within(int milliseconds);
  /// The beginning of what it wrote, unasked, to standard output.
  const std::string& talk() const { return talk_; }
  /// Ends its standard input, and gives it a moment to end by itself.
  void leave();
  /// Ends its process group, and its descendants that had left that; it may have died already.
  void kill();
  /// How it ended, once it was killed: "exit 3", "signal 9".
  const std::string& ending() const { return ending_; }
  /// Returns true when its supervisor was killed, and it with that.
  bool was_lost() const { return was_lost_; }
  /// Descendants that had left its process group, once it was killed, and their command lines.
  int strays() const { return strays_; }
  const std::string& stray_names() const { return stray_names_; }
  /// The end of what it wrote to standard error.
  const std::string& words() const { return words_; }

 private:
  Child(pid_t pid, Descriptor in, Descriptor out, Descriptor errors, std::size_t answer_bytes_max)
      : pid_(pid),
        in_(std::move(in)),
        out_(std::move(out)),
        errors_(std::move(errors)),
        process_(process_descriptor(pid)),
        answer_bytes_max_(answer_bytes_max) {}
  static Descriptor process_descriptor(pid_t pid);
  void send(std::string_view& pending);
  void hear_errors();
  bool receive(Exchange& exchange);
  bool ends_within(int milliseconds) const;

  pid_t pid_;
  Descriptor in_, out_, errors_;
  Descriptor process_;  ///< readable when it has ended
  std::size_t answer_bytes_max_;
  std::string words_ = {};
  std::string talk_ = {};
  std::string ending_ = {};
  bool was_lost_ = false;
  int strays_ = 0;
  std::string stray_names_ = {};
};

}  // namespace fixpoint::webhooks
