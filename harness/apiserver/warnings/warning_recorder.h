#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/document/limits.h"

namespace fixpoint::apiserver {

/// The warnings of one response, as the server's recorder keeps them: empty ones, repeated ones and those
/// with control characters are dropped; beyond 4096 runes in all, each is cut to 256 (docs/simulator.md#3-8).
class WarningRecorder {
 public:
  explicit WarningRecorder(const Limits& limits) : total_max_(limits.warning_runes_max) {}
  void add(const std::string& text);
  std::vector<std::string> take() { return std::move(written_); }

 private:
  std::size_t total_max_;
  std::size_t total_ = 0;
  bool truncating_ = false;
  std::set<std::string> seen_;
  std::vector<std::string> ordered_;
  std::vector<std::string> written_;
};

}  // namespace fixpoint::apiserver
