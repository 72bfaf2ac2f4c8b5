#include "harness/document/cut.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace fixpoint::document {
namespace {

TEST(Cut, EndsTheBoundedWorkOfItsThreadAlone) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
  const Bounded bounded([end] { return std::chrono::steady_clock::now() >= end; });
  std::thread other([] {
    for (int i = 0; i < 100; ++i) EXPECT_NO_THROW(heed_end());
  });
  other.join();
  const auto work = [] {
    while (true) heed_end();
  };
  EXPECT_THROW(work(), Cut);
  EXPECT_THROW(heed_end(), Cut) << "it stays over";
  EXPECT_LT(std::chrono::steady_clock::now() - end, std::chrono::milliseconds(500));
  {
    const Bounded inner([] { return false; });
    EXPECT_NO_THROW(heed_end());
  }
  EXPECT_THROW(heed_end(), Cut);
}

TEST(Cut, SaysTheLimit) {
  const Cut cut = Cut::at_limit("kValueBytesMax (67108864)", "a CEL expression");
  EXPECT_TRUE(cut.is_limit());
  EXPECT_STREQ(cut.what(), "not run: limit kValueBytesMax (67108864) of a CEL expression");
}

}  // namespace
}  // namespace fixpoint::document
