#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "harness/cli/program_test.h"

namespace fixpoint::cli {
namespace {

class ReplayCommand : public ProgramTest {
 protected:
  Outcome run(const std::string& arguments) const {
    return ProgramTest::run(arguments, FIXPOINT_SOURCE "/corpus");
  }
  static std::string regression(const char* name) {
    return std::string(" " FIXPOINT_SOURCE "/corpus/regressions/") + name + ".json";
  }
};

/// A Case that does not contain the subject is skipped, and counted as such.
TEST_F(ReplayCommand, SkipsCasesOfOtherSubjects) {
  const auto said = run("replay --as kserve/modelcar@0.12.0" + regression("modelcar-volume-added-again") +
                        regression("hpa-wipes-finalizers"));
  EXPECT_EQ(said.code, 1) << said.out << said.err;
  EXPECT_NE(said.out.find("hpa-wipes-finalizers.json: document 1: skipped: no release of kserve/modelcar"),
            std::string::npos)
      << said.out;
  EXPECT_TRUE(said.out.ends_with("2 Cases: 1 still failing, 1 skipped\n")) << said.out;
  const auto nothing = run("replay --as kserve/modelcar@0.12.0" + regression("hpa-wipes-finalizers"));
  EXPECT_EQ(nothing.code, 3) << "nothing was replayed: " << nothing.out;
  EXPECT_EQ(run("replay --as kserve/modelcra" + regression("hpa-wipes-finalizers")).code, 2);
}

/// The answers are in the order of the releases, with the release that fixed the finding; the last release
/// decides.
TEST_F(ReplayCommand, SaysInWhichReleaseItIsFixed) {
  const std::string file = regression("modelcar-volume-added-again");
  const auto fixed = run("replay --as kserve/modelcar@0.12.0 --as kserve/modelcar@0.12.1" + file);
  EXPECT_NE(fixed.out.find(": 0.12.0 still failing, 0.12.1 fixed: first fixed in 0.12.1\n"),
            std::string::npos)
      << fixed.out;
  EXPECT_EQ(fixed.code, 0);
  const auto back = run("replay --as kserve/modelcar@0.12.1 --as kserve/modelcar@0.12.0" + file);
  EXPECT_EQ(back.out.find("first fixed"), std::string::npos) << back.out;
  EXPECT_EQ(back.code, 1);
  const auto all = run("replay --as kserve/modelcar" + file);
  EXPECT_NE(all.out.find("first fixed in 0.12.1\n"), std::string::npos) << all.out;
  const auto json = run("replay --json --as kserve/modelcar@0.12.1" + file);
  EXPECT_NE(json.out.find("\"answer\":\"fixed\""), std::string::npos) << json.out;
  EXPECT_NE(json.out.find("\"as\":\"kserve/modelcar@0.12.1\""), std::string::npos) << json.out;
}

/// A webhook that does not run shows no defect, and is not fixed by that.
TEST_F(ReplayCommand, DoesNotTakeAWebhookThatIsDownForAFixedOne) {
  std::ifstream file(regression("modelcar-volume-added-again").substr(1));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string bundled = R"("injector": "kserve/modelcar@0.12.0")";
  const auto at = text.find(bundled);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, bundled.size(), R"("exec": ["false"])");
  const auto down = run("replay --allow-exec " + write("down.json", text));
  EXPECT_EQ(down.code, 3) << down.out << down.err;
  EXPECT_NE(down.out.find(": not run: "), std::string::npos) << down.out;
  EXPECT_NE(down.out.find("answered no call: the process ended without an answer (exit 1); is it up?"),
            std::string::npos)
      << down.out;
}

}  // namespace
}  // namespace fixpoint::cli
