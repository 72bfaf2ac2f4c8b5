#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>

namespace fixpoint::document {

/// Thrown where work ends before it has a result: a limit of ours is reached, or the run that needs the work
/// is over. It is no error of the input and no answer of a server, so whoever asked has no answer.
class Cut : public std::runtime_error {
 public:
  enum class Why { limit, run_is_over };
  Cut(Why why, const std::string& what) : std::runtime_error(what), why_(why) {}
  /// A limit of ours, by its name, and the work that reached it: "not run: limit depth_max of …".
  static Cut at_limit(const std::string& limit, const std::string& of);
  bool is_limit() const { return why_ == Why::limit; }

 private:
  Why why_;
};

/// Cuts the work of this thread while it lives: heed_end() throws Cut once `is_over` returns true. An inner
/// one replaces an outer one for its time.
class Bounded {
 public:
  explicit Bounded(std::function<bool()> is_over);
  Bounded(const Bounded&) = delete;
  Bounded& operator=(const Bounded&) = delete;
  ~Bounded();

 private:
  friend void heed_end();
  std::function<bool()> is_over_;
  std::chrono::steady_clock::time_point next_{};
  Bounded* const outer_;
};

/// Throws Cut if the work of this thread is bounded and over; asks every few milliseconds. For calls, and for
/// what takes as long.
void heed_end();
/// Does the same once in many calls: for loops over parts of a document, of which some are quadratic.
void heed_end_in_loop();

}  // namespace fixpoint::document
