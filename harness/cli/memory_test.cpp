#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "harness/cli/program_test.h"

namespace fixpoint::cli {
namespace {

/// Twice as long a run may take so much more at its peak: what it learned, never what it has seen.
constexpr long kGrowthKilobytesMax = 6 * 1024;
/// A sanitizer keeps as much again beside each block, and blocks that are freed.
constexpr long kSanitisedTimes = 3;
constexpr bool kIsSanitised =
    std::string_view(FIXPOINT_COMPILER_FLAGS).find("-fsanitize=") != std::string_view::npos;

class Memory : public ProgramTest {
 protected:
  /// The peak of resident memory of a run over so many Cases, in kilobytes; 0 when it did not run.
  long peak(const std::string& cases) const {
    const pid_t child = fork();
    if (child == 0) {
      if (chdir(folder_.c_str()) != 0 || freopen("/dev/null", "w", stdout) == nullptr) _exit(99);
      execl(FIXPOINT_PROGRAM, FIXPOINT_PROGRAM, "fuzz", "kserve/pod-mutator", "--seed", "5", "--jobs", "1",
            "--quiet", "--cases", cases.c_str(), "--out", ("run" + cases).c_str(), nullptr);
      _exit(99);
    }
    int status = 0;
    rusage usage{};
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) > 1) return 0;
    return usage.ru_maxrss;
  }
};

/// FIXPOINT_MEMORY_CASES says how many Cases the longer of the two runs has (4,000; sanitised 2,000).
TEST_F(Memory, DoesNotGrowWithTheLengthOfARun) {
  const char* said = std::getenv("FIXPOINT_MEMORY_CASES");
  const long cases = said != nullptr ? std::atol(said) : kIsSanitised ? 2'000 : 4'000;
  const long half = peak(std::to_string(cases / 2)), whole = peak(std::to_string(cases));
  std::printf("%ld Cases: %ld kB at most; %ld Cases: %ld kB\n", cases / 2, half, cases, whole);
  ASSERT_GT(half, 0);
  EXPECT_LT(whole - half, kGrowthKilobytesMax * (kIsSanitised ? kSanitisedTimes : 1));
}

}  // namespace
}  // namespace fixpoint::cli
