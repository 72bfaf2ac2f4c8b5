#include "harness/runner/loop/waiting_findings.h"

#include <algorithm>

namespace fixpoint::runner {

namespace {

const CaseViolation& violation_of(const WaitingFinding& one) {
  return one.round->slots[one.slot].violations[one.violation];
}

}  // namespace

void WaitingFindings::meet(const std::string& print) {
  const std::lock_guard lock(mutex_);
  if (met_.insert(print).second) ++count_;
}

void WaitingFindings::shrunk(double seconds) {
  const std::lock_guard lock(mutex_);
  if (count_ > 0) --count_;
  ++measured_;
  seconds_ += seconds;
}

double WaitingFindings::seconds_needed() const {
  const std::lock_guard lock(mutex_);
  const double each = measured_ == 0 ? kSecondsOfTheFirst : seconds_ / static_cast<double>(measured_);
  return each * static_cast<double>(count_);
}

std::size_t WaitingFindings::add(const std::shared_ptr<const Round>& round, std::size_t slot) {
  const std::lock_guard lock(mutex_);
  const std::size_t before = waiting_.size();
  const auto& violations = round->slots[slot].violations;
  for (std::size_t i = 0; i < violations.size(); ++i)
    if (added_.insert(violations[i].fingerprint).second) waiting_.push_back({round, slot, i});
  return waiting_.size() - before;
}

std::optional<WaitingFinding> WaitingFindings::next() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return std::nullopt;
  const auto rank = [this](const WaitingFinding& one) {
    const CaseViolation& violated = violation_of(one);
    const auto taken = taken_.find(violated.property->name);
    return std::pair(!violated.is_of_chance(), taken == taken_.end() ? 0 : taken->second);
  };
  const auto first = std::ranges::min_element(waiting_, {}, rank);
  WaitingFinding next = std::move(*first);
  waiting_.erase(first);
  ++taken_[violation_of(next).property->name];
  return next;
}

}  // namespace fixpoint::runner
