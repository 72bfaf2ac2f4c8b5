#include "harness/webhooks/crash_line.h"

#include <gtest/gtest.h>

namespace fixpoint::webhooks {
namespace {

TEST(CrashLine, IsWhatTheProgramsLanguageSays) {
  EXPECT_EQ(crash_line("Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    x[1]\n"
                       "TypeError: 'NoneType' object is not iterable\n"),
            "TypeError: 'NoneType' object is not iterable");
  EXPECT_EQ(crash_line("listening\npanic: assignment to entry in nil map\n\ngoroutine 1 [running]:\n"),
            "panic: assignment to entry in nil map");
  EXPECT_EQ(
      crash_line("/app/hook.js:3\n  pod.x.y\n\nTypeError: Cannot read properties of undefined\n    at f\n"),
      "TypeError: Cannot read properties of undefined");
  EXPECT_EQ(crash_line("listening on 8443\n"), "");
  EXPECT_EQ(crash_line(""), "");
}

TEST(CrashLine, IsTheSameForEachCrashOfAKind) {
  EXPECT_EQ(crash_line("panic: bad value at 0xc0001\n"), crash_line("panic: bad value at 0x7fa12\n"));
}

}  // namespace
}  // namespace fixpoint::webhooks
