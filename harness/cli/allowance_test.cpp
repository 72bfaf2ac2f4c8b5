// Nothing that a file names is run unless a flag on the command line allows it: every command, every kind of
// file.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/cli/command.h"
#include "harness/cli/program_test.h"
#include "harness/conformance/cluster_cleanup.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"

namespace fixpoint::cli {
namespace {

namespace files = std::filesystem;
using document::Value;

/// A fixture with files that name `bash mark.sh`, a command that creates the file `marked` when it runs.
class Allowance : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("mark.sh", std::string("touch marked\nexec ") + FIXPOINT_HOSTILE_WEBHOOK + " sidecar\n");
    write("m.yaml", kOneWebhook);
    write("subject.yaml",
          std::string("apiVersion: fixpoint/v1\nkind: Subject\nname: marking\n"
                      "webhooks: {hooks/proxy.example.io: {exec: [bash, mark.sh]}}\nconfiguration:\n") +
              indented(kOneWebhook));
    const Outcome fuzz = ProgramTest::run(
        "fuzz m.yaml --seed 7 --cases 64 --jobs 2 --history known.ndjson "
        "--webhook 'proxy.example.io=exec:bash mark.sh'",
        "corpus");
    ASSERT_EQ(fuzz.code, 1) << fuzz.err;
    for (const auto& entry : files::directory_iterator(folder_ / "run/findings"))
      finding_ = "run/findings/" + entry.path().filename().string();
    write("case.json", document::write_json((*document::read_file(path(finding_)))[0]["case"]));
    files::create_directories(folder_ / "stored");
    files::copy_file(path(finding_), path("stored/finding.json"));
    files::create_directories(folder_ / "corpus/regressions");
    write("corpus/regressions/marks.json", regression());
    write("policy.yaml", "subjects: [subject.yaml]\nseeds: [1]\nbudget: {cases: 8}\n");
    write("bench.yaml", "subjects: []\nbench: [{name: subject.yaml, ratio_max: 1000000}]\n");
  }

  /// Returns a stored finding of a bundled webhook that has the command as a neighbour.
  std::string regression() const {
    Value finding = (*document::read_file(path(finding_)))[0];
    Value configuration = (*document::read_file(path("m.yaml")))[0];
    configuration.edit("metadata").set("name", "bundled");
    finding.edit("case").edit("cluster").edit("objects").push_back(configuration);
    finding.edit("case")
        .edit("webhooks")
        .set("bundled/proxy.example.io", {{"injector", "defects/volume-without-guard@buggy"}});
    finding.set("expect", {{"shows", Value::empty_list()}});
    finding.edit("expect").edit("shows").push_back("defects/volume-without-guard@buggy");
    return document::write_json(finding);
  }
  static std::string indented(const std::string& text) {
    std::string out = "  ";
    for (const char c : text) out += c == '\n' ? std::string("\n  ") : std::string(1, c);
    return out.substr(0, out.size() - 2);
  }

  Outcome run(const std::string& arguments) const {
    files::remove(folder_ / "marked");
    return ProgramTest::run(arguments, "corpus");
  }
  bool marked() const { return files::exists(folder_ / "marked"); }

  /// Checks that the command is refused with one line that names the file and the flag, and succeeds with the
  /// flag.
  void expect_refused(const std::string& command, const std::string& file) const {
    const Outcome refused = run(command);
    EXPECT_EQ(refused.code, 2) << command << "\n" << refused.err;
    EXPECT_FALSE(marked()) << command;
    EXPECT_NE(refused.err.find(file), std::string::npos) << command << "\n" << refused.err;
    EXPECT_NE(refused.err.find("--allow-exec"), std::string::npos) << command << "\n" << refused.err;
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
    const Outcome allowed = run(command + " --allow-exec");
    EXPECT_TRUE(marked()) << command << "\n" << allowed.err;
    EXPECT_NE(allowed.code, 2) << command << "\n" << allowed.err;
  }

  std::string finding_;
};

TEST_F(Allowance, OfCasesAndFindings) {
  for (const char* command : {"admit ", "replay ", "shrink "}) {
    expect_refused(command + finding_, finding_);
    if (std::string(command) != "shrink ") expect_refused(std::string(command) + "case.json", "case.json");
  }
  // `corpus verify` prints its result, one line for each bad file, on standard output.
  const Outcome verified = run("corpus verify corpus");
  EXPECT_EQ(verified.code, 2);
  EXPECT_NE(verified.out.find("corpus/regressions/marks.json"), std::string::npos) << verified.out;
  EXPECT_NE(verified.out.find("--allow-exec"), std::string::npos) << verified.out;
  EXPECT_FALSE(marked());
  EXPECT_EQ(run("corpus verify corpus --allow-exec").out.find("--allow-exec"), std::string::npos);
  expect_refused("corpus minimise stored --dry-run", "stored/finding.json");
}

TEST_F(Allowance, OfRegressions) {
  expect_refused("fuzz defects/volume-without-guard --seed 1 --cases 8 --out a",
                 "corpus/regressions/marks.json");
}

TEST_F(Allowance, OfHistories) {
  files::remove(folder_ / "corpus/regressions/marks.json");
  Value line = (*document::read_file(path("known.ndjson")))[0];
  line.set("findings", Value::empty_list());
  Value finding = *document::read_json(regression());
  finding.remove("expect");
  line.edit("findings").push_back({{"answer", "found"}, {"finding", finding}});
  write("other.ndjson", document::write_json(line) + "\n");
  expect_refused("fuzz defects/volume-without-guard --seed 1 --cases 8 --out a --history other.ndjson",
                 "other.ndjson");
}

/// A backend on the command line replaces the command that the history stores for the webhook.
TEST_F(Allowance, TheSubjectsOwnCommandReplacesTheStoredOne) {
  write("silent.sh", "exec " + std::string(FIXPOINT_HOSTILE_WEBHOOK) + " allow\n");
  const Outcome known =
      run("fuzz m.yaml --seed 1 --cases 8 --out b --history known.ndjson "
          "--webhook 'proxy.example.io=exec:bash silent.sh'");
  EXPECT_NE(known.out.find(": not reached: "), std::string::npos) << known.out << known.err;
  EXPECT_FALSE(marked());
}

TEST_F(Allowance, OfCheckpoints) {
  expect_refused("fuzz --resume run --cases 96", "run/checkpoint.json");
  const Outcome subject = run("fuzz subject.yaml --seed 3 --cases 16 --out of-subject");
  EXPECT_TRUE(marked()) << "named on the command line" << subject.err;
  expect_refused("fuzz --resume of-subject --cases 32", "of-subject/checkpoint.json");
  const Outcome repeated =
      run("fuzz --resume run --cases 128 --webhook 'proxy.example.io=exec:bash mark.sh'");
  EXPECT_TRUE(marked()) << repeated.err;
}

TEST_F(Allowance, OfPolicies) {
  files::remove(folder_ / "corpus/regressions/marks.json");
  expect_refused("gate --config policy.yaml", "policy.yaml");
  expect_refused("gate --config bench.yaml --out gate-of-bench", "bench.yaml");
}

/// Commands that only read stored files run nothing, whatever a flag allows.
TEST_F(Allowance, ReadersRunNothing) {
  write("audit.ndjson", "{}\n");
  for (const char* command :
       {"report run", "report run --format html", "corpus merge run --out merged", "corpus list",
        "corpus add case.json", "corpus add --audit-log audit.ndjson", "conform case.json",
        "explain no-duplicate-names", "live case.json --kubeconfig none"}) {
    run(command);
    EXPECT_FALSE(marked()) << command;
  }
}

}  // namespace
}  // namespace fixpoint::cli
