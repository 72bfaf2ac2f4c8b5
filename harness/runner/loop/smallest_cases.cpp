#include "harness/runner/loop/smallest_cases.h"

#include <algorithm>

namespace fixpoint::runner {

using cases::Case;

namespace {

constexpr std::size_t kKeptMax = 32;

document::Result<Prepared> prepared(const RunOptions& options, const Case& value) {
  return prepare(value, options.subjects.resolve, options.effort.limits, kWithoutWarnings);
}

}  // namespace

bool is_valid(const RunOptions& options, const Case& value) {
  const auto ready = prepared(options, value);
  return ready && has_valid_pod(*ready);
}

SmallestCases::SmallestCases(const RunOptions& options) : options_(options) {
  for (const cases::Finding& earlier : options.from.summary.findings) {
    if (!earlier.sequence) keep(earlier.value);
  }
}

void SmallestCases::keep(const Case& value) {
  const auto is_there = [&](const Prepared& earlier) { return earlier.value == value; };
  if (std::any_of(kept_.begin(), kept_.end(), is_there)) return;
  auto ready = prepared(options_, value);
  if (!ready) return;
  if (kept_.size() == kKeptMax) kept_.pop_front();
  kept_.push_back(*std::move(ready));
}

const Case& SmallestCases::shortcut(const Case& value, const properties::Property& property,
                                    const std::string& fingerprint) const {
  if (kept_.empty()) return value;
  const bool must_be_valid = is_valid(options_, value);
  for (auto earlier = kept_.rbegin(); earlier != kept_.rend(); ++earlier) {
    if (must_be_valid && !has_valid_pod(*earlier)) continue;
    if (shows(*earlier, property, fingerprint, options_.effort.limits)) return earlier->value;
  }
  return value;
}

}  // namespace fixpoint::runner
