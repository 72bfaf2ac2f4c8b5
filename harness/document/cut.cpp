#include "harness/document/cut.h"

#include <utility>

namespace fixpoint::document {

namespace {

constexpr std::chrono::milliseconds kBetweenQuestions{10};
/// A step of a loop over 5,000 elements takes a fraction of a millisecond.
constexpr unsigned kStepsBetweenLooks = 32;
thread_local Bounded* innermost = nullptr;
thread_local unsigned steps = 0;

}  // namespace

Cut Cut::at_limit(const std::string& limit, const std::string& of) {
  return {Why::limit, "not run: limit " + limit + " of " + of};
}

Bounded::Bounded(std::function<bool()> is_over)
    : is_over_(std::move(is_over)), outer_(std::exchange(innermost, this)) {}
Bounded::~Bounded() { innermost = outer_; }

void heed_end() {
  if (innermost == nullptr) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < innermost->next_) return;
  innermost->next_ = now + kBetweenQuestions;
  if (!innermost->is_over_()) return;
  innermost->next_ = {};  // whoever goes on is cut again
  throw Cut(Cut::Why::run_is_over, "not run: the run is over");
}

void heed_end_in_loop() {
  if (++steps % kStepsBetweenLooks == 0) heed_end();
}

}  // namespace fixpoint::document
