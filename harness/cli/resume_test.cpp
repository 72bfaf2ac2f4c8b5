#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <sstream>
#include <thread>

#include "harness/campaign/checkpoint.h"
#include "harness/cases/finding.h"
#include "harness/cli/work_folder_model.h"
#include "harness/document/document_stream.h"
#include "harness/patterns_model.h"

namespace fixpoint::cli {
namespace {

namespace files = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kKills = 50;
constexpr double kLongestLife = 0.3;  // seconds
/// A run of Cases and Sequences with few findings and three rounds.
constexpr const char* kRun =
    "fuzz kserve/hpa@0.15.0 defects/volume-without-guard --seed 7 --cases 224 --sample-every 4096 --jobs 1";

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// A program that is killed when its time is over.
class Doomed {
 public:
  explicit Doomed(const WorkFolder& folder) : folder_(folder) {}

  /// Runs the program, for at most `life`. Returns true if it ended by itself; its exit code is in `code`.
  bool ends(const std::string& arguments, std::chrono::duration<double> life) {
    const auto end = Clock::now() + life;
    const pid_t pid = start(arguments);
    int status = 0;
    while (waitpid(pid, &status, WNOHANG) == 0) {
      if (Clock::now() >= end) kill(pid, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return WIFEXITED(status);
  }
  int code = 0;

 private:
  pid_t start(const std::string& arguments) const {
    std::vector<std::string> words = words_of(FIXPOINT_PROGRAM " " + arguments);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string out = folder_.path("out");
    const pid_t pid = fork();
    if (pid != 0) return pid;
    const int file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    if (chdir(folder_.path().c_str()) != 0) _exit(126);
    setenv("FIXPOINT_CORPUS", FIXPOINT_SOURCE "/corpus", 1);
    execv(argv.front(), argv.data());
    _exit(127);
  }

  const WorkFolder& folder_;
};

/// Checks that everything printed is on disk and that every file of a finding is complete, whenever the run
/// was killed.
void expect_whole(const WorkFolder& folder, const std::string& run) {
  for (const std::string& name : folder.names(run + "/findings")) {
    if (name.ends_with(".part")) continue;  // the next start removes it
    const auto documents = document::read_file(folder.path(run + "/findings/" + name));
    ASSERT_TRUE(documents) << documents.error().text();
    ASSERT_EQ(documents->size(), 1u) << name;
    const auto finding = cases::read_finding(documents->front());
    ASSERT_TRUE(finding) << name << ": " << finding.error().text();
    EXPECT_EQ(finding->fingerprint + ".json", name);
  }
  const std::string out = folder.read("out"), events = folder.read(run + "/events.ndjson");
  static const std::string kPrinted("replay: fixpoint replay (\\S+)\n");
  for (const auto& match : all_found(out, kPrinted))
    EXPECT_TRUE(files::exists(folder.path(match[1]))) << match[1];
  const auto read =
      document::read_stream(events.substr(0, events.rfind('\n') + 1), {}, document::Strictness::foreign);
  EXPECT_TRUE(events.empty() || read) << read.error().text();
}

std::string findings_of(const WorkFolder& folder, const std::string& run) {
  std::string all;
  for (const std::string& name : folder.names(run + "/findings"))
    all += name + "\n" + timeless(folder.read(run + "/findings/" + name));
  return all;
}

TEST(Resume, FiftyKillsAtAnyMomentLeaveTheSameRun) {
  const WorkFolder folder("killed");
  Doomed program(folder);
  const auto begin = Clock::now();
  ASSERT_TRUE(program.ends(std::string(kRun) + " --out whole", std::chrono::hours(1)));
  ASSERT_EQ(program.code, 1) << folder.read("out");
  // Fifty lives are enough even on a slow machine, because a resumed run gets further with each.
  const double life = std::min(std::chrono::duration<double>(Clock::now() - begin).count(), kLongestLife);
  const std::string events = timeless(folder.read("whole/events.ndjson"));
  const std::string findings = findings_of(folder, "whole");
  ASSERT_FALSE(findings.empty());
  std::mt19937 random(2026);
  std::uniform_real_distribution<double> moment(0, life);
  int kills = 0, ended = 0, went_on = 0;
  for (std::string run = "run-0"; kills < kKills || ended == 0;) {
    const bool goes_on = files::exists(folder.path(run + "/checkpoint.json"));
    went_on += goes_on ? 1 : 0;
    const bool has_ended =
        program.ends(goes_on ? "fuzz --resume " + run : std::string(kRun) + " --out " + run,
                     std::chrono::duration<double>(kills < kKills ? moment(random) : 3600.0));
    expect_whole(folder, run);
    if (testing::Test::HasFailure()) return;
    if (!has_ended) {
      ++kills;
      continue;
    }
    ASSERT_EQ(program.code, 1) << folder.read("out");
    EXPECT_TRUE(timeless(folder.read(run + "/events.ndjson")) == events) << "after " << kills << " kills";
    EXPECT_TRUE(findings_of(folder, run) == findings) << "after " << kills << " kills";
    run = "run-" + std::to_string(++ended);
  }
  EXPECT_GE(went_on, kKills / 2) << "kills that come before a run has begun show little";
}

class ResumeLine : public testing::Test {
 protected:
  WorkFolder::Ran run(const std::string& line) const {
    return folder_.run(FIXPOINT_PROGRAM, FIXPOINT_SOURCE "/corpus", line);
  }
  const WorkFolder folder_{"resumed"};
};

TEST_F(ResumeLine, GoesOnWithMoreCasesAsIfAskedForAtOnce) {
  run("fuzz defects/env-without-guard --seed 3 --cases 2016 --out all");
  run("fuzz defects/env-without-guard --seed 3 --cases 992 --out parts");
  const auto rest = run("fuzz --resume parts --cases 2016");
  EXPECT_NE(rest.out.find("seed 3, goes on after "), std::string::npos) << rest.out;
  EXPECT_TRUE(timeless(folder_.read("parts/events.ndjson")) == timeless(folder_.read("all/events.ndjson")));
  EXPECT_TRUE(findings_of(folder_, "parts") == findings_of(folder_, "all"));
}

TEST_F(ResumeLine, RefusesWhatIsNoRunOrAnotherRun) {
  run("fuzz peers/sidecar-guarded --seed 1 --cases 40 --out run");
  const std::string events = folder_.read("run/events.ndjson");
  folder_.write("empty/x", "");
  folder_.write("torn/checkpoint.json", "{\"apiVersion\":");
  folder_.write("other/checkpoint.json", R"({"apiVersion":"fixpoint/v1","kind":"Case"})");
  folder_.write("short/checkpoint.json", replaced(folder_.read("run/checkpoint.json"),
                                                  "\"eventsBytes\": [0-9]+", "\"eventsBytes\": 1000"));
  folder_.write("short/events.ndjson", "{}\n");
  const struct {
    const char* line;
    const char* says;
  } rows[] = {{"fuzz --resume none", "none: there is no such folder"},
              {"fuzz --resume empty", "empty: this is not the folder of a run"},
              {"fuzz --resume torn", "torn/checkpoint.json: document 1"},
              {"fuzz --resume other", "/kind: expected one of \"Checkpoint\""},
              {"fuzz --resume short", "short/events.ndjson: shorter than its checkpoint says"},
              {"fuzz --resume run --seed 2", "run: another run: it began with "},
              {"fuzz --resume run --sample-every 3", "run: another run: it began with "},
              {"fuzz --shard 0/2", "--shard needs --seed"},
              {"fuzz --seed 1 --shard 2/2", "--shard 2/2: expected I/N"}};
  for (const auto& row : rows) {
    const auto ran = run(row.line);
    EXPECT_EQ(ran.code, 2) << row.line << ran.out;
    EXPECT_NE(ran.err.find(row.says), std::string::npos) << row.line << ": " << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
  EXPECT_TRUE(folder_.read("run/events.ndjson") == events) << "nothing half-done";
}

TEST(Shard, IsReadStrictly) {
  ASSERT_TRUE(campaign::parse_shard("3/8"));
  EXPECT_EQ(campaign::parse_shard("3/8")->index, 3u);
  EXPECT_EQ(campaign::parse_shard("3/8")->count, 8u);
  for (const char* bad : {"", "/", "1", "1/", "/2", "2/2", "0/0", "-1/2", "1/2/3", "a/b", " 0/1", "0/1 "})
    EXPECT_FALSE(campaign::parse_shard(bad)) << bad;
}

}  // namespace
}  // namespace fixpoint::cli
