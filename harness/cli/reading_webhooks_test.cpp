#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "harness/cli/program_test.h"
#include "harness/cli/work_folder_model.h"

namespace fixpoint::cli {
namespace {

constexpr const char* kChart = FIXPOINT_SOURCE "/harness/webhooks/adapters/reader.yaml";

WorkFolder::Ran fuzz(const WorkFolder& folder, const std::string& command, const std::string& bound) {
  return folder.run(FIXPOINT_PROGRAM, folder.path("corpus"),
                    std::string("fuzz ") + kChart +
                        " --seed 1 --webhook 'pods.reader.example.io=exec:" + command + "' " + bound);
}

/// The bug needs a Secret with data under the name that an annotation gives.
TEST(ReadingWebhooks, InPythonShowABugThatNeedsASecret) {
  if (std::system("command -v python3 >/dev/null") != 0) GTEST_SKIP() << "there is no python3";
  const WorkFolder folder("reading-webhook");
  const std::string command = "python3 " FIXPOINT_SOURCE "/harness/webhooks/adapters/python/reader.py";
  const auto ran = fuzz(folder, command, "--cases 12 --all -x");
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("read Secret default/"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("growing"), std::string::npos) << ran.out;
  const auto replayed = folder.shell(FIXPOINT_PROGRAM " replay --trace --allow-exec run/findings/*.json");
  EXPECT_EQ(replayed.code, 1) << replayed.out << replayed.err;
  EXPECT_NE(replayed.out.find("    read Secret default/"), std::string::npos) << replayed.out;
}

/// controller-runtime's cached client, unchanged: each bug needs another object of the cluster.
TEST(ReadingWebhooks, OfTheRealControllerRuntimeShowTheirBugs) {
  if (std::getenv("FIXPOINT_GO_ADAPTER") == nullptr)
    GTEST_SKIP() << "needs Go and its modules: .ci/run says with FIXPOINT_GO_ADAPTER that they are there";
  const WorkFolder folder("cached-webhook");
  const auto ran = fuzz(folder, FIXPOINT_SOURCE "/build/adapters/reader --stdio", "--time 15s");
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  int found = 0;
  for (const char* title : {"env[REGION]", "volumes[credentials]", "panics: runtime error", "reader-sidecar"})
    found += ran.out.find(title) != std::string::npos ? 1 : 0;
  // How many a loaded machine finds within the time varies.
  EXPECT_GE(found, 2) << ran.out << ran.err;
}

}  // namespace
}  // namespace fixpoint::cli
