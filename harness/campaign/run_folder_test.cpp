#include "harness/campaign/run_folder.h"

#include <sys/stat.h>

#include <csignal>

#include "harness/cli/program_test.h"
#include "harness/cli/work_folder_model.h"
#include "harness/document/json.h"
#include "harness/patterns_model.h"

namespace fixpoint::campaign {
namespace {

namespace files = std::filesystem;

mode_t permissions_of(const std::string& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

class RunFolders : public cli::ProgramTest {
 protected:
  RunFolder opened(const std::string& name) const {
    auto opened = RunFolder::open(path(name));
    if (const auto* unopened = std::get_if<Unopened>(&opened)) ADD_FAILURE() << unopened->error.text();
    return std::get<RunFolder>(std::move(opened));
  }
  /// Returns "2 ERROR" without the path of the test's folder; empty if the folder is opened.
  std::string refusal(const std::string& name) const { return refusal_of(RunFolder::open(path(name))); }
  std::string refusal_again(const std::string& name) const {
    return refusal_of(RunFolder::open_again(path(name), 0));
  }
  void finish(const std::string& name) const {
    RunFolder run = opened(name);
    EXPECT_FALSE(run.append({{"event", name}}));
    EXPECT_FALSE(run.finish({{"of", name}}));
  }

 private:
  std::string refusal_of(const RunFolder::Opened& opened) const {
    const auto* unopened = std::get_if<Unopened>(&opened);
    if (unopened == nullptr) return "";
    std::string text = unopened->error.text();
    const std::string top = folder_.string() + "/";
    if (text.starts_with(top)) text.erase(0, top.size());
    return std::to_string(unopened->code) + " " + text;
  }
};

TEST_F(RunFolders, AreForTheirOwnerAlone) {
  RunFolder run = opened("a/run");
  ASSERT_TRUE(run.save({.property = "p", .severity = "error", .fingerprint = "0123"}));
  ASSERT_TRUE(run.save_case("one", "{}\n"));
  EXPECT_FALSE(run.append({{"event", "start"}}));
  EXPECT_FALSE(run.checkpoint({{"kind", "Checkpoint"}}));
  EXPECT_FALSE(run.finish({{"event", "stop"}}));
  for (const char* folder : {"a/run", "a/run/findings", "a/run/cases"})
    EXPECT_EQ(permissions_of(path(folder)), 0700u) << folder;
  int seen = 0;
  for (const auto& entry : files::recursive_directory_iterator(path("a/run"))) {
    if (!entry.is_regular_file()) continue;
    ++seen;
    EXPECT_EQ(permissions_of(entry.path()), 0600u) << entry.path();
  }
  EXPECT_EQ(seen, 6) << "events, checkpoint, run, lock, a finding, a Case";
}

TEST_F(RunFolders, OfAnotherTimeAreClosedToOthersToo) {
  files::create_directories(path("run/findings"));
  write("run/events.ndjson", "{}\n");
  write("run/checkpoint.json", "{}\n");
  ASSERT_EQ(chmod(path("run").c_str(), 0755), 0);
  EXPECT_EQ(refusal_again("run"), "");
  EXPECT_EQ(permissions_of(path("run")), 0700u);
}

TEST_F(RunFolders, ThatAreHeldAreRefusedAndDoNotMove) {
  const std::string held = "2 run: in use by the run of process " + std::to_string(getpid()) +
                           ": wait until it ends, or name another folder";
  {
    RunFolder first = opened("run");
    EXPECT_FALSE(first.append({{"event", "start"}}));
    EXPECT_FALSE(first.checkpoint({{"kind", "Checkpoint"}}));
    EXPECT_EQ(refusal("run"), held);
    EXPECT_EQ(refusal("run/"), held);
    EXPECT_EQ(refusal_again("run"), held);
    EXPECT_FALSE(files::exists(path("run.1")));
    EXPECT_EQ(read("run/events.ndjson"), "{\"event\":\"start\"}\n");
  }
  EXPECT_FALSE(files::exists(path("run/lock"))) << "it goes with the run";
  EXPECT_EQ(refusal("run"), "");
  EXPECT_TRUE(files::exists(path("run.1/checkpoint.json")));
}

TEST_F(RunFolders, WithinAnotherAreHeldToo) {
  finish("run");
  RunFolder gate = opened("run/gate");
  EXPECT_NE(refusal("run").find("2 run/gate: in use by the run of process"), std::string::npos);
  EXPECT_TRUE(files::exists(path("run/run.json")));
}

TEST_F(RunFolders, MoveWithWhatTheirRunsLeft) {
  finish("run");
  finish("run/gate");
  finish("run/gate/runs/1");
  EXPECT_EQ(refusal("run/gate"), "");
  EXPECT_TRUE(files::exists(path("run/gate.1/runs/1/run.json")));
  finish("run/gate/runs/1");
  write("run/bench.ndjson", "{}\n");
  write("run/lock", "1\n");  // the lock of a killed run
  finish("run");
  finish("run");
  EXPECT_TRUE(files::exists(path("run.2/gate/runs/1/run.json")));
  finish("run/gate/runs/1");
  write("run/gate/runs/mine", "");
  EXPECT_NE(refusal("run/gate").find("found runs: name another folder"), std::string::npos);
  EXPECT_TRUE(files::exists(path("run.2/bench.ndjson")));
  EXPECT_FALSE(files::exists(path("run.2/lock")));
  EXPECT_TRUE(files::exists(path("run.1/run.json")));
}

TEST_F(RunFolders, WithTheFilesOfSomebodyElseAreRefused) {
  files::create_directories(path("mine/src"));
  write("mine/notes.txt", "mine\n");
  EXPECT_EQ(refusal("mine"), "2 mine: expected the folder of a run, found notes.txt: name another folder");
  files::remove(path("mine/notes.txt"));
  EXPECT_EQ(refusal("mine"), "2 mine: expected the folder of a run, found src: name another folder");
  EXPECT_FALSE(files::exists(path("mine/lock")));
  finish("run");
  files::create_symlink("../mine", path("run/findings.old"));
  EXPECT_NE(refusal("run").find("found findings.old"), std::string::npos);
  EXPECT_FALSE(files::exists(path("run.1")));
  write("file", "");
  EXPECT_EQ(refusal("file"), "2 file: expected a folder, found a file");
  files::create_symlink("run", path("link"));
  EXPECT_EQ(refusal("link"), "2 link: expected a folder, found a symbolic link");
  EXPECT_EQ(refusal_again("link"), "2 link: expected a folder, found a symbolic link");
}

TEST_F(RunFolders, FollowNoPlantedLinks) {
  write("victim", "old");
  files::create_directories(path("run"));
  files::create_symlink("../victim", path("run/lock"));
  EXPECT_NE(refusal("run"), "");
  files::remove(path("run/lock"));
  files::create_symlink("../victim", path("run/events.ndjson"));
  EXPECT_NE(refusal("run"), "");
  EXPECT_EQ(read("victim"), "old");
}

/// Two programs use one folder. The second one is a run, a resumed run, a merged run, a gate, a comparison or
/// an advice.
TEST(RunFolderOfTwo, SaysWhoHoldsIt) {
  const cli::WorkFolder folder("two-runs");
  const std::string program = FIXPOINT_PROGRAM;
  ASSERT_EQ(
      folder.shell(program + " fuzz peers/sidecar-guarded --seed 1 --cases 20 --quiet --out other").code, 0);
  folder.write("gate.yaml",
               "apiVersion: fixpoint/v1\nkind: Policy\nsubjects: [peers/sidecar-guarded]\nseeds: [1]\n"
               "budget: {cases: 20}\n");
  // The first run is stopped, not slow, so that it holds the folder for as long as needed.
  const auto ran = folder.shell(
      program +
      " fuzz peers/sidecar-guarded --seed 1 --time 0 --quiet --out run & holder=$!\n"
      "for ((i = 0; i < 600; ++i)); do [ -s run/lock -a -s run/checkpoint.json ] && break; sleep 0.1; done\n"
      "kill -STOP $holder; echo $holder; before=$(ls -R run; cat run/events.ndjson)\n"
      "for line in 'fuzz peers/sidecar-guarded --seed 2 --cases 20 --out run' 'fuzz --resume run' \\\n"
      "    'corpus merge other --out run' 'gate --config gate.yaml --out run' \\\n"
      "    'compare peers/sidecar-guarded peers/sidecar-appended --cases 5 --out run' \\\n"
      "    'advise peers/sidecar-guarded --cases 5 --out run'; do\n"
      "  " +
      program +
      " $line >/dev/null; echo $?\n"
      "done\n"
      "[ \"$before\" = \"$(ls -R run; cat run/events.ndjson)\" ] && echo unchanged\n"
      "kill -KILL $holder; wait $holder\n" +
      program + " fuzz peers/sidecar-guarded --seed 2 --cases 20 --quiet --out run; echo $?; ls -d run*\n");
  const std::string holder = ran.out.substr(0, ran.out.find('\n'));
  EXPECT_EQ(ran.out, holder + "\n2\n2\n2\n2\n2\n2\nunchanged\n0\nrun\nrun.1\n") << ran.err;
  const std::string line = "fixpoint: run: in use by the run of process " + holder +
                           ": wait until it ends, or name another folder\n";
  std::string lines;
  for (int i = 0; i < 6; ++i) lines += line;
  EXPECT_TRUE(ran.err.starts_with(lines)) << ran.err;
}

/// Two runs of one seed leave the same bytes, except for the durations of the whole run.
TEST(RunFolderOfASeed, HasTheSameBytesAgain) {
  const cli::WorkFolder folder("same-bytes");
  const std::string line =
      "fuzz kserve/modelcar@0.12.0 kserve/hpa@0.15.0 --seed 3 --cases 300 --quiet --out run --jobs ";
  const auto run = [&](const char* jobs) {
    return folder.run(FIXPOINT_PROGRAM, "", line + jobs + "; mv run " + jobs);
  };
  for (const char* jobs : {"1", "2"}) ASSERT_EQ(run(jobs).code, 0) << folder.read("err");
  const auto findings = folder.names("1/findings");
  EXPECT_GT(findings.size(), 2u);
  EXPECT_EQ(findings, folder.names("2/findings"));
  EXPECT_EQ(folder.names("1"), folder.names("2"));
  for (const std::string& name : findings) {
    const std::string text = folder.read("1/findings/" + name);
    EXPECT_EQ(text, folder.read("2/findings/" + name));
    EXPECT_EQ(text.find("milliseconds"), std::string::npos) << name;
  }
  for (const char* name : {"events.ndjson", "run.json", "checkpoint.json"}) {
    const auto timed = [&](const std::string& jobs) {
      return replaced(cli::timeless(folder.read(jobs + "/" + name)), "\"--jobs\",\\s*\"[0-9]\"", "");
    };
    EXPECT_EQ(timed("1"), timed("2")) << name;
  }
}

}  // namespace
}  // namespace fixpoint::campaign
