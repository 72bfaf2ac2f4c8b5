#include <gtest/gtest.h>

#include <string>

#include "harness/cli/program_test.h"

namespace fixpoint::cli {
namespace {

using Demo = ProgramTest;

/// A newcomer reads it from top to bottom: the bug, the story, the repair, that it is fixed, and how to go
/// on.
TEST_F(Demo, FindsExplainsAndMendsABug) {
  const auto reported = run("demo", path("corpus"));
  ASSERT_EQ(reported.code, 0) << reported.out << reported.err;
  EXPECT_EQ(reported.err, "");
  const char* const parts[] = {"A small webhook",
                               "$ fixpoint fuzz fixpoint-demo/webhook.yaml",
                               "ERROR  adds spec.containers[proxy] without a check",
                               "<- again\n",
                               "server (422)",
                               "repair: add spec.containers[proxy] only if nothing has its key",
                               "Mended, it looks first",
                               "+      - when:",
                               "$ fixpoint fuzz fixpoint-demo/webhook.yaml",
                               "nothing found",
                               "FIXED  sidecar.example.io adds spec.containers[proxy] without a check",
                               "Your own webhook",
                               "fixpoint fuzz manifest.yaml --webhook NAME=https://"};
  std::size_t at = 0;
  for (const char* part : parts) {
    EXPECT_NE(reported.out.find(part, at), std::string::npos) << part << "\n" << reported.out;
    at = std::max(at, reported.out.find(part, at));
  }
  // The commands that it printed work: the mended file is clean with any seed.
  EXPECT_EQ(run("fuzz fixpoint-demo/webhook.yaml --cases 500 --seed 9 --out other", path("corpus")).code, 0);
  EXPECT_EQ(run("demo", path("corpus")).code, 0) << "again";
}

TEST_F(Demo, OverwritesNothingOfSomebodyElse) {
  std::filesystem::create_directories(path("mine"));
  write("mine/webhook.yaml", "mine\n");
  const auto refused = run("demo mine", path("corpus"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err,
            "fixpoint: mine/webhook.yaml: is changed, and is not overwritten: name another folder\n");
  EXPECT_EQ(read("mine/webhook.yaml"), "mine\n");
  EXPECT_EQ(run("demo mine other", path("corpus")).code, 2);
}

}  // namespace
}  // namespace fixpoint::cli
