#include "harness/runner/shrink_pass.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace fixpoint::runner {
namespace {

using cases::Case;

/// Drops one letter of a Case's note after the other.
void drop_letters(Case value, const std::function<bool(const Case&)>& take) {
  for (std::size_t i = 0; i < value.note.size();) {
    Case less = value;
    less.note.erase(i, 1);
    if (take(less)) {
      value = less;
    } else {
      ++i;
    }
  }
}

struct Taken {
  std::vector<std::string> notes;
  std::size_t tries;
  friend bool operator==(const Taken&, const Taken&) = default;
};

/// Passes in which a candidate holds whose letters have a sum that `divisor` divides.
Taken taken(const std::string& note, int divisor, std::size_t tries_max, std::size_t width) {
  Taken all{};
  Case best;
  best.note = note;
  const Reduce reduce = drop_letters;
  const Together together{.width = width};
  ShrinkPass pass(
      reduce, together,
      [&](const Case& candidate) -> std::optional<ShrinkPass::Shown> {
        int sum = 0;
        for (const char letter : candidate.note) sum += static_cast<unsigned char>(letter);
        if (sum % divisor != 0) return std::nullopt;
        return ShrinkPass::Shown{{}, true};
      },
      [&](const Case& candidate, const ShrinkPass::Shown&) {
        best = candidate;
        all.notes.push_back(candidate.note);
      });
  all.tries = pass.run(best, tries_max);
  return all;
}

RC_GTEST_PROP(ShrinkPass, TakesTheSameWithAnyWidth, (const std::string& note)) {
  const int divisor = *rc::gen::inRange(1, 5);
  const auto tries_max = *rc::gen::inRange<std::size_t>(0, 40);
  const Taken alone = taken(note, divisor, tries_max, 1);
  RC_ASSERT(alone.tries <= tries_max);
  for (std::size_t width = 2; width < 6; ++width) RC_ASSERT(taken(note, divisor, tries_max, width) == alone);
}

TEST(ShrinkPass, ExaminesAtTheSameTime) {
  std::atomic<int> now = 0, most = 0, threads = 0;
  const Reduce reduce = drop_letters;
  const Together together{.width = 4, .in_thread = [&](const auto& work) {
                            ++threads;
                            work();
                          }};
  ShrinkPass pass(
      reduce, together,
      [&](const Case&) -> std::optional<ShrinkPass::Shown> {
        ++now;
        for (int i = 0; i < 5000 && now < 4; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        most = std::max(most.load(), now.load());
        return std::nullopt;
      },
      [](const Case&, const ShrinkPass::Shown&) { FAIL(); });
  Case start;
  start.note = "abcd";
  EXPECT_EQ(pass.run(start, 100), 4u);
  EXPECT_EQ(most, 4);
  EXPECT_EQ(threads, 3);
}

TEST(ShrinkPass, ThrowsWhatAThreadThrows) {
  const Reduce reduce = drop_letters;
  const Together together{.width = 3};
  ShrinkPass pass(
      reduce, together,
      [](const Case& candidate) -> std::optional<ShrinkPass::Shown> {
        if (candidate.note == "bcd") throw std::runtime_error("over");
        return std::nullopt;
      },
      [](const Case&, const ShrinkPass::Shown&) { FAIL(); });
  Case start;
  start.note = "abcd";
  EXPECT_THROW(pass.run(start, 100), std::runtime_error);
}

}  // namespace
}  // namespace fixpoint::runner
