#pragma once

#include <chrono>
#include <string>

namespace fixpoint::webhooks {

/// Measures one attack from construction to print(): time, and the growth of memory.
class AttackRow {
 public:
  AttackRow();
  /// Prints the attack, the limit that stopped it, the time and the peak, as a row of the table of attacks.
  void print(const std::string& sent, const std::string& cut_by);
  double milliseconds() const { return milliseconds_; }
  /// Returns the growth of memory in MB; 0 if the system does not report it.
  double megabytes() const { return megabytes_; }

 private:
  std::chrono::steady_clock::time_point begin_;
  long kilobytes_before_;
  double milliseconds_ = 0, megabytes_ = 0;
};

}  // namespace fixpoint::webhooks
