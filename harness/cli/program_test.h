#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace fixpoint::cli {

/// How much slower a sanitiser makes the program.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr double kSlowness = 10;
#elif defined(__has_feature)
inline constexpr double kSlowness =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ? 10 : 1;
#else
inline constexpr double kSlowness = 1;
#endif

/// The text of a file that configures one webhook, hooks/proxy.example.io; --webhook says what answers it.
inline constexpr const char* kOneWebhook = R"(apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: hooks}
webhooks:
  - name: proxy.example.io
    admissionReviewVersions: [v1]
    sideEffects: None
    reinvocationPolicy: IfNeeded
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
)";

/// Returns a webhook in bash that allows every request; it runs the command `first` after it has read each
/// `line`.
inline std::string webhook_in_bash(const std::string& first) {
  return "while read -r line; do\n"
         "  [[ $line =~ \\\"uid\\\":\\\"([^\\\"]*)\\\" ]]\n"
         "  id=${BASH_REMATCH[1]}\n  " +
         first +
         "\n  head='{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\"'\n"
         "  printf '%s,\"response\":{\"uid\":\"%s\",\"allowed\":true}}\\n' \"$head\" \"$id\"\n"
         "done\n";
}

/// A fixture that gives each test its own folder, removed afterwards, and runs the program in it.
class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    namespace files = std::filesystem;
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test->test_suite_name()) + "." + test->name();
    std::ranges::replace(name, '/', '-');  // of a table of tests
    folder_ = files::temp_directory_path() / ("fixpoint-" + std::to_string(getpid()) + "-" + name);
    files::remove_all(folder_);
    files::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  struct Outcome {
    int code;
    std::string out;
    std::string err;
  };
  /// Runs a program in the folder; with an empty `corpus` it finds the corpus in the folder, if the test
  /// makes one.
  Outcome run(const std::string& arguments, const std::string& corpus,
              const std::string& program = FIXPOINT_PROGRAM) const {
    const std::string command = "cd " + folder_.string() + " && " +
                                (corpus.empty() ? "" : "FIXPOINT_CORPUS=" + corpus + " ") + program + " " +
                                arguments + " >out 2>err </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("out"), read("err")};
  }

  std::filesystem::path folder_;
};

}  // namespace fixpoint::cli
