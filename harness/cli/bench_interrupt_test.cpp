#include <algorithm>
#include <csignal>

#include "harness/cli/program_test.h"
#include "harness/cli/running_model.h"

namespace fixpoint::cli {
namespace {

namespace files = std::filesystem;

class BenchInterrupted : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    files::create_directories(path("corpus"));
    for (const char* part : {"regressions", "conformance", "scoreboard.json", "scoreboard.md", "strangers"})
      files::copy(FIXPOINT_SOURCE "/corpus/" + std::string(part), path("corpus/" + std::string(part)),
                  files::copy_options::recursive);
  }
  /// Runs the program and interrupts it, as Ctrl-C does, after so many seconds.
  Outcome after(const std::string& seconds, const std::string& arguments,
                const std::string& program = FIXPOINT_PROGRAM) const {
    const std::string command = "cd " + folder_.string() + " && FIXPOINT_CORPUS=" + path("corpus") +
                                " timeout --foreground --preserve-status -s INT " + seconds + " " + program +
                                " " + arguments + " >out 2>err </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read("out"), read("err")};
  }
  bool is_board_as_it_was() const {
    std::ifstream file(FIXPOINT_SOURCE "/corpus/scoreboard.json", std::ios::binary);
    return read("corpus/scoreboard.json") == std::string(std::istreambuf_iterator<char>(file), {});
  }
};

TEST_F(BenchInterrupted, KeepsWhatItHasPrintedAndWritesNothing) {
  write("m.yaml", kOneWebhook);
  write("stuck.sh", webhook_in_bash("((${#line} > 3000)) && sleep 2"));
  const std::string webhook = "proxy.example.io=exec:bash " + path("stuck.sh");
  Running bench({FIXPOINT_PROGRAM, "bench", path("m.yaml"), "--calls", "5", "--save", path("base.json"),
                 "--webhook", webhook},
                " bytes\n");
  EXPECT_NE(bench.out().find("\nhooks                                1 kB "), std::string::npos)
      << bench.out();
  EXPECT_EQ(bench.stop(SIGINT), 130);
  EXPECT_FALSE(files::exists(path("base.json")));
}

TEST_F(BenchInterrupted, SaysHowFarItCame) {
  const Outcome all = after("0.7", "bench --calls 10000000 --time 200ms --save base.json");
  EXPECT_EQ(all.code, 130) << all.err;
  EXPECT_EQ(all.err.find("fixpoint: interrupted: "), 0u) << all.err;
  EXPECT_NE(all.err.find(" figures were measured; base.json is not written\n"), std::string::npos) << all.err;
  const std::size_t rows = static_cast<std::size_t>(std::stoi(all.err.substr(23)));
  EXPECT_GT(rows, 0u);
  EXPECT_EQ(static_cast<std::size_t>(std::count(all.out.begin(), all.out.end(), '\n')), rows + 1) << all.out;
  EXPECT_FALSE(files::exists(path("base.json")));
}

TEST_F(BenchInterrupted, CasesEndAfterTheAxesThatWereMeasured) {
  const Outcome cases = after("0.5", "bench cases --rounds 1000 --html curves.html");
  EXPECT_EQ(cases.code, 130) << cases.err;
  EXPECT_EQ(cases.out, "");
  EXPECT_EQ(cases.err, "fixpoint: interrupted: 0 of 3 axes were measured; curves.html is not written\n");
  EXPECT_FALSE(files::exists(path("curves.html")));
}

TEST_F(BenchInterrupted, BugsEndAfterThoseThatWereTried) {
  const Outcome bugs = after("0.5", "bugs --seeds 999 --silence 100000 --save", FIXPOINT_SCORE);
  EXPECT_EQ(bugs.code, 130) << bugs.err;
  EXPECT_NE(bugs.err.find(" bugs were tried; nothing is written\n"), std::string::npos) << bugs.err;
  EXPECT_TRUE(is_board_as_it_was());
  const Outcome checked = after("0.5", "bugs --seeds 999 --check corpus/scoreboard.json", FIXPOINT_SCORE);
  EXPECT_EQ(checked.code, 130) << checked.err;
  EXPECT_EQ(checked.out.find("nothing lost"), std::string::npos) << checked.out;
  EXPECT_EQ(checked.out.find("known no more"), std::string::npos) << "of those not tried nothing is said";
}

TEST_F(BenchInterrupted, StrangersEndAfterThoseThatWereTried) {
  if (std::system("command -v python3 >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no python3";
  const Outcome strangers = after("0.5", "strangers --time 60s --save", FIXPOINT_SCORE);
  EXPECT_EQ(strangers.code, 130) << strangers.err;
  EXPECT_NE(strangers.err.find("fixpoint: interrupted: 0 of "), std::string::npos) << strangers.err;
  EXPECT_NE(strangers.err.find(" strangers were tried; nothing is written\n"), std::string::npos);
  EXPECT_EQ(strangers.out, "");
}

TEST_F(BenchInterrupted, AGateHasNoVerdict) {
  write("fixpoint.yaml",
        "apiVersion: fixpoint/v1\nkind: Policy\nbudget: {cases: 100000000}\n"
        "subjects: [kserve/modelcar]\n");
  const Outcome gate = after("0.5", "gate --quiet");
  EXPECT_EQ(gate.code, 130) << gate.out << gate.err;
  EXPECT_EQ(gate.out.find("GATE"), std::string::npos) << gate.out;
  EXPECT_EQ(std::count(gate.err.begin(), gate.err.end(), '\n'), 1) << gate.err;
}

}  // namespace
}  // namespace fixpoint::cli
