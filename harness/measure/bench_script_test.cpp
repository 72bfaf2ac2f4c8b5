// The script that measures the simulator beside the released code, with benchmarks that only print.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "harness/patterns_model.h"

namespace {

namespace files = std::filesystem;

std::string text_of(const files::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class BenchScript : public testing::Test {
 protected:
  BenchScript() {
    files::create_directories(root_ / "build/release");
    files::create_directories(root_ / "corpus/conformance/recorder");
    files::copy_file(source_ / "corpus/conformance/bench", root_ / "corpus/conformance/bench");
    files::copy_file(source_ / "corpus/conformance/recorder/go.mod",
                     root_ / "corpus/conformance/recorder/go.mod");
  }
  ~BenchScript() override { files::remove_all(root_); }

  /// Runs the script where no Go is installed; returns its exit code, and leaves what it printed in
  /// `printed`.
  int run() {
    const std::string command = "cd " + root_.string() +
                                " && PATH=/usr/bin:/bin bash -c 'command() { [ \"$2\" " +
                                "!= go ] && builtin command \"$@\"; }; export -f command; "
                                "bash corpus/conformance/bench 1' >printed 2>&1";
    const int status = std::system(command.c_str());
    printed = text_of(root_ / "printed");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void print_from_benches(const std::string& names) {
    const auto path = root_ / "build/release/fixpoint_benches";
    std::ofstream(path) << "#!/bin/bash\nfor name in " << names
                        << "; do echo \"\\\"$name\\\",100,1234.5,1230,ns,,,,,\"; done\n";
    files::permissions(path, files::perms::owner_all);
  }

  const files::path source_ = FIXPOINT_SOURCE;
  const files::path root_ =
      files::temp_directory_path() / ("fixpoint-bench-script-" + std::to_string(getpid()));
  std::string printed;
};

TEST_F(BenchScript, HasAFigureInEveryRow) {
  const std::string benches = text_of(source_ / "harness/measure/beside_recorder_bench.cpp");
  std::string names;
  for (const auto& match : fixpoint::all_found(benches, "BENCHMARK\\((beside_recorder_[a-z_]+)\\)"))
    names += match[1] + " ";
  print_from_benches(names);
  EXPECT_EQ(run(), 0) << printed;
  EXPECT_NE(printed.find("one webhook call                          1.2"), std::string::npos) << printed;
  EXPECT_EQ(printed.find("inf"), std::string::npos) << printed;
  const std::string theirs = text_of(source_ / "corpus/conformance/recorder/bench_test.go");
  const std::string script = text_of(source_ / "corpus/conformance/bench");
  for (const auto& match : fixpoint::all_found(script, "line \"[^\"]*\" [a-z_]+ (Benchmark[A-Za-z]+)"))
    EXPECT_NE(theirs.find("func " + match[1] + "("), std::string::npos) << match[1];
}

TEST_F(BenchScript, FailsWhenABenchmarkIsNotThere) {
  print_from_benches(
      "beside_recorder_validation beside_recorder_validation_from_bytes beside_recorder_kserve_mutation");
  EXPECT_EQ(run(), 1) << printed;
  EXPECT_NE(printed.find("bench: no figure of beside_recorder_call"), std::string::npos) << printed;
}

}  // namespace
