#pragma once

#include <chrono>
#include <string>

namespace fixpoint::webhooks {

/// Measures one attack from its making to its row: time, and how far memory rose above where it was.
class AttackRow {
 public:
  AttackRow();
  /// Prints what was sent, what cut it, how long it took and the peak, as a row of the table of attacks.
  void print(const std::string& sent, const std::string& cut_by);
  double milliseconds() const { return milliseconds_; }
  /// 0 where the system does not tell.
  double megabytes() const { return megabytes_; }

 private:
  std::chrono::steady_clock::time_point begin_;
  long kilobytes_before_;
  double milliseconds_ = 0, megabytes_ = 0;
};

}  // namespace fixpoint::webhooks
