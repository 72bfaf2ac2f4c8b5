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

/// A run that is twice as long may have a peak higher by this much, for what it learned; it must not keep its
/// Cases.
constexpr long kGrowthKilobytesMax = 6 * 1024;
/// A sanitizer keeps as much memory again beside each block, and keeps blocks that were freed.
constexpr long kSanitisedTimes = 3;
constexpr bool kIsSanitised =
    std::string_view(FIXPOINT_COMPILER_FLAGS).find("-fsanitize=") != std::string_view::npos;

class Memory : public ProgramTest {
 protected:
  /// Returns the peak of resident memory of a run over so many Cases, in kilobytes; 0 if the run failed.
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

/// FIXPOINT_MEMORY_CASES sets the number of Cases of the longer run (default 4,000, under a sanitizer 2,000).
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
