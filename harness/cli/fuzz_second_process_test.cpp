#include <filesystem>

#include "harness/cli/program_test.h"
#include "harness/document/json.h"

namespace fixpoint::cli {
namespace {

using document::Value;

/// Runs webhooks whose second process answers differently from the first.
class SecondProcess : public ProgramTest {
 protected:
  static constexpr const char* kRun = " --seed 1 --cases 200 --jobs 1 --quiet --out tried";

  std::string hook(const std::string& behaviour) const {
    return " --webhook \"proxy.example.io=exec:" FIXPOINT_HOSTILE_WEBHOOK " " + behaviour + "\"";
  }
  /// Returns the finding of the property in a run of this webhook, and its file; null, and a failure, if
  /// there is none.
  Value finding(const std::string& behaviour, const std::string& property, std::string& file) const {
    write("m.yaml", kOneWebhook);
    const Outcome done = run("fuzz m.yaml" + hook(behaviour) + kRun, "");
    for (const auto& entry : std::filesystem::directory_iterator(path("tried/findings"))) {
      const std::string name = entry.path().filename().string();
      const Value one = document::read_json(read("tried/findings/" + name)).value();
      if (one["property"].text() != property) continue;
      file = entry.path().string();
      return one;
    }
    ADD_FAILURE() << done.out << done.err;
    return {};
  }
  void expect_replay(const std::string& behaviour, const std::string& file) const {
    const Outcome still = run("replay" + hook(behaviour) + " " + file, "");
    EXPECT_EQ(still.code, 1) << still.out << still.err;
    EXPECT_NE(still.out.find("still failing"), std::string::npos) << still.out;
    const Outcome idle = run("replay" + hook("allow") + " " + file, "");
    EXPECT_EQ(idle.code, 3) << "it does nothing: " << idle.out << idle.err;
    const Outcome refused = run("replay " + file, "");
    EXPECT_EQ(refused.code, 2) << "a file does not run a command by itself";
  }
  /// Checks that a run finds the label after so many other Cases, and that the stored finding replays.
  void expect_reported(const std::string& behaviour, const std::string& property, std::size_t before) const {
    std::string file;
    const Value found = finding(behaviour, property, file);
    EXPECT_EQ(found["evidence"]["path"].text(), "metadata.labels.shard");
    EXPECT_EQ(found["before"].size(), before);
    expect_replay(behaviour, file);
  }
};

TEST_F(SecondProcess, ThatDisagreesIsAFinding) { expect_reported("label-by-process", "replicas-agree", 0); }

TEST_F(SecondProcess, ThatHasNoHistoryTellsOfIt) {
  expect_reported("label-by-first-request", "independent-of-history", 1);
}

}  // namespace
}  // namespace fixpoint::cli
