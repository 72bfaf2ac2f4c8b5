#include "harness/webhooks/attack_model.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace fixpoint::webhooks {

namespace {

/// Returns a value of /proc/self/status, in kB; 0 if it is missing.
long status_of(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::stol(line.substr(name.size() + 1));
  }
  return 0;
}

/// Resets the peak of resident memory.
void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace

AttackRow::AttackRow() : begin_(std::chrono::steady_clock::now()), kilobytes_before_(status_of("VmRSS")) {
  forget_peak();
}

void AttackRow::print(const std::string& sent, const std::string& cut_by) {
  milliseconds_ =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count();
  megabytes_ = static_cast<double>(std::max(0L, status_of("VmHWM") - kilobytes_before_)) / 1024;
  std::printf("  %-26s %-75s %5.0f ms %5.1f MB\n", sent.c_str(), cut_by.c_str(), milliseconds_, megabytes_);
}

}  // namespace fixpoint::webhooks
