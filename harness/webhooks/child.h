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

/// A point in time on the steady clock.
class Deadline {
 public:
  static Deadline in(int milliseconds) {
    return Deadline(std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds));
  }
  /// Returns the remaining time, rounded up to whole milliseconds; 0 once the deadline has passed.
  int milliseconds_left() const;

 private:
  explicit Deadline(std::chrono::steady_clock::time_point at) : at_(at) {}
  std::chrono::steady_clock::time_point at_;
};

/// Returns true for a line that may be an answer: it begins like a JSON object, and names a response or a
/// kind; a line of a log, plain or JSON, does not.
bool may_be_answer(std::string_view line);

/// The result of writing one line and reading another one.
struct Exchange {
  enum class End { answered, died, too_late, too_long, too_many } end = End::died;
  std::string text = {};  ///< the answer without its line end, or the part that was received
  std::string rest = {};  ///< the output after the answer (too_many)
};

/// The environment, folder and limits of a process.
struct ChildContext {
  std::vector<std::string> environment = {};  ///< NAME=VALUE, in the place of this program's own
  bool inherits_environment = true;           ///< false: of this program's variables it has PATH alone
  std::string folder = {};                    ///< removed if this program is killed before the process ends
};

/// A process with pipes to its three standard streams, in its own process group. It inherits no other
/// descriptors. It ends with this object at the latest, and also with this program, however that ends
/// (supervisor.h).
class Child {
 public:
  static document::Result<std::unique_ptr<Child>> start(const std::vector<std::string>& argv,
                                                        const Limits& limits,
                                                        const ChildContext& context = {});
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Writes the line and reads an answer at the same time, so that neither side blocks on a full pipe. Lines
  /// of a log before and behind the answer are skipped; one that no answer follows is the answer.
  Exchange exchange(std::string_view line, const Deadline& deadline);
  /// The activity of the process since its last answer: nothing but log lines, ended, or another answer.
  enum class Meanwhile { silent, ended, talked };
  Meanwhile meanwhile();
  /// Returns the first line that it logged to its standard output; empty if there is none.
  const std::string& logged() const { return logged_; }
  /// Closes its standard input, and gives it some time to exit.
  void leave();
  /// Kills its process group, and descendants that left the group; the process may already be dead.
  void kill();
  /// Returns how it ended, "exit 3" or "signal 9"; available after kill().
  const std::string& ending() const { return ending_; }
  /// Returns true if it was killed together with its supervisor.
  bool was_lost() const { return was_lost_; }
  /// Returns the number of descendants that had left its process group, and their command lines; available
  /// after kill().
  int strays() const { return strays_; }
  const std::string& stray_names() const { return stray_names_; }
  /// Returns the end of its standard error.
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
  bool take(std::string_view read, Exchange& exchange);
  void skip(std::string_view line);
  /// Skips log lines at the beginning of the text, and returns the rest.
  std::string_view skip_log(std::string_view text);
  bool ends_within(int milliseconds) const;

  pid_t pid_;
  Descriptor in_, out_, errors_;
  Descriptor process_;  ///< readable once the process has ended
  std::size_t answer_bytes_max_;
  std::string words_ = {};
  std::string logged_ = {};
  std::string last_log_ = {};  ///< the last line that was skipped in this exchange
  bool is_in_log_ = false;     ///< the next output continues a log line
  std::string ending_ = {};
  bool was_lost_ = false;
  int strays_ = 0;
  std::string stray_names_ = {};
};

}  // namespace fixpoint::webhooks
