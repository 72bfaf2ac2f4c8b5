#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/runner/loop/case_result.h"

namespace fixpoint::runner {

/// Cases of consecutive numbers, which any thread may examine.
struct Round {
  Round(std::uint64_t first, std::uint64_t count, bool whole) : begin(first), is_whole(whole), slots(count) {}

  std::uint64_t end() const { return begin + slots.size(); }
  /// Returns the Cases behind that one.
  std::span<const CaseResult> behind(std::size_t slot) const { return std::span(slots).subspan(slot + 1); }

  const std::uint64_t begin;
  const bool is_whole;  ///< it ends at the same number without cases_max
  std::vector<CaseResult> slots;
  std::atomic<std::uint64_t> next{0};
};

}  // namespace fixpoint::runner
