#include "harness/webhooks/process.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "harness/document/json.h"
#include "harness/webhooks/attack_model.h"
#include "harness/webhooks/https.h"
#include "harness/webhooks/supervisor.h"

namespace fixpoint::webhooks {
namespace {

/// Timeouts of a call in milliseconds: one within which it must succeed even on a busy machine; one that must
/// expire; and one that must expire after the process, with or without a sanitizer, has written something.
constexpr int kPatient = 20'000, kShort = 400, kShortOnceStarted = 3000;
/// The delay within which a busy machine notices a deadline.
constexpr int kEndedWithin = 2000;

/// Returns a Pod that exceeds a pipe's capacity, so that writing and reading must overlap.
Value pod(std::size_t bytes = 200'000) {
  return {{"metadata", {{"name", "web"}, {"annotations", {{"long", std::string(bytes, 'x')}}}}},
          {"spec", {{"containers", Value::list({Value{{"name", "app"}, {"image", "app:1"}}})}}}};
}

struct ProcessAttempt {
  Answer answer;
  double seconds = 0;
};

ProcessAttempt ask(const Handler& handler, const Value& object, int timeout_seconds = 10) {
  static const Value kNone;
  const cases::Request request;
  const cases::Cluster cluster;
  const auto begin = std::chrono::steady_clock::now();
  ProcessAttempt attempt{.answer = handler({.object = object,
                                            .old_object = kNone,
                                            .request = request,
                                            .cluster = cluster,
                                            .webhook = "hooks/hook.example.io",
                                            .review_version = "v1",
                                            .uid = "u",
                                            .name = "web",
                                            .timeout_seconds = timeout_seconds})};
  attempt.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return attempt;
}

Limits small() {
  Limits limits;
  limits.call_milliseconds_max = kPatient;
  limits.answer_bytes_max = 1u << 20;
  return limits;
}

Handler hostile(const std::string& behaviour, std::shared_ptr<ProcessTally> tally = {},
                const Limits& limits = small()) {
  return process({FIXPOINT_HOSTILE_WEBHOOK, behaviour}, limits, std::move(tally));
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

/// Returns true if a launched process, which is a child of the supervisor, still exists.
bool has_children() {
  const std::string supervisor = std::to_string(supervisor_process());
  std::ifstream file("/proc/" + supervisor + "/task/" + supervisor + "/children");
  pid_t child = 0;
  return !file.is_open() || file >> child || waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
}

TEST(Process, SplitsACommandAtBlanksWithoutAShell) {
  EXPECT_EQ(split_at_blanks("  ./hook --flag\t'a b' $HOME "),
            (std::vector<std::string>{"./hook", "--flag", "'a", "b'", "$HOME"}));
  EXPECT_TRUE(split_at_blanks(" \t ").empty());
}

TEST(Process, AnswersCallAfterCall) {
  const auto tally = std::make_shared<ProcessTally>();
  const Handler handler = hostile("number", tally);
  const Value object = pod();
  for (const char* number : {"1", "2", "3"}) {
    const Answer answer = ask(handler, object).answer;
    EXPECT_EQ(answer.problem, "");
    EXPECT_TRUE(answer.allowed && answer.uid_echoed);
    EXPECT_EQ(answer.warnings, std::vector<std::string>{number});
  }
  EXPECT_EQ(tally->started, 1u);
}

TEST(Process, BringsPatchesAndDenials) {
  const Answer patch = ask(hostile("sidecar"), pod()).answer;
  ASSERT_TRUE(patch.patch);
  EXPECT_EQ(document::write_json((*patch.patch).at(0)["value"]), R"({"name":"proxy","image":"proxy:1"})");
  EXPECT_EQ(patch.patch_type, "JSONPatch");
  const Answer denial = ask(hostile("deny"), pod()).answer;
  EXPECT_FALSE(denial.allowed);
  EXPECT_EQ(denial.status, (cases::Denial{.code = 418, .reason = "Teapot", .message = "no"}));
}

TEST(Process, ServesCallsAtATimeWithAProcessEach) {
  const auto tally = std::make_shared<ProcessTally>();
  {
    Limits limits = small();
    limits.processes_max = 3;
    const Handler handler = hostile("allow", tally, limits);
    const Value object = pod(100);
    std::vector<std::thread> threads;
    std::atomic<int> good{0};
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        for (int call = 0; call < 50; ++call) good += ask(handler, object).answer.problem.empty() ? 1 : 0;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(good, 400);
    EXPECT_LE(tally->started, 3u);
  }
  EXPECT_FALSE(has_children());
}

TEST(Process, GetsNoDescriptorOfOurs) {
  const Handler other = hostile("allow");
  ask(other, pod(10));
  const Answer answer = ask(hostile("directory-of-descriptors"), pod(10)).answer;
  EXPECT_EQ(answer.warnings, std::vector<std::string>{""});
}

struct ProcessAttack {
  const char* behaviour;
  const char* cut_by;  ///< the beginning of the problem
  bool died;
  bool killed;
  int milliseconds = kPatient;  ///< the timeout of a call
};

class Attacks : public ::testing::TestWithParam<ProcessAttack> {};

TEST_P(Attacks, AreCutAndLeaveNothing) {
  const ProcessAttack& attack = GetParam();
  const auto tally = std::make_shared<ProcessTally>();
  start_supervisor();  // its socket remains open
  const std::size_t open_before = open_descriptors();
  {
    Limits limits = small();
    limits.call_milliseconds_max = attack.milliseconds;
    const Handler handler = hostile(attack.behaviour, tally, limits);
    AttackRow row;
    ProcessAttempt attempt = ask(handler, pod());
    if (std::string_view(attack.behaviour) == "second-answer-later") {
      EXPECT_EQ(attempt.answer.problem, "");
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      attempt = ask(handler, pod());
    }
    row.print(attack.behaviour, attempt.answer.problem);
    EXPECT_LT(row.megabytes(), 64) << "above where memory was";
    EXPECT_TRUE(attempt.answer.problem.starts_with(attack.cut_by)) << attempt.answer.problem;
    EXPECT_LT(attempt.seconds * 1000, attack.milliseconds + kEndedWithin);
    EXPECT_EQ(tally->died, attack.died ? 1u : 0u);
    EXPECT_EQ(tally->killed, attack.killed ? 1u : 0u);
    if (!attack.died && !attack.killed) return;
    EXPECT_EQ(open_descriptors(), open_before);
    EXPECT_FALSE(has_children());
  }
  EXPECT_EQ(open_descriptors(), open_before);
  EXPECT_FALSE(has_children());
}

INSTANTIATE_TEST_SUITE_P(
    Process, Attacks,
    ::testing::Values(
        ProcessAttack{"die", "the process ended without an answer (exit 3)", true, false},
        ProcessAttack{"die-in-the-answer", "the process ended in the middle of its answer (exit 3)", true,
                      false},
        ProcessAttack{"hang", "context deadline exceeded", false, true, kShort},
        ProcessAttack{"deaf", "context deadline exceeded", false, true, kShort},
        ProcessAttack{"leave-a-child", "context deadline exceeded", false, true, kShort},
        ProcessAttack{"half-an-answer", "context deadline exceeded in the middle of the answer", false, true,
                      kShortOnceStarted},
        ProcessAttack{"a-byte-at-a-time", "context deadline exceeded in the middle of the answer", false,
                      true, kShortOnceStarted},
        ProcessAttack{"endless", "the answer is longer than answer_bytes_max = 1048576", false, true},
        ProcessAttack{"300-megabytes", "the answer is longer than answer_bytes_max = 1048576", false, true},
        ProcessAttack{"two-answers", "the process wrote more than one line", false, true},
        ProcessAttack{"second-answer-later", "the process wrote more than one line", false, true},
        ProcessAttack{"not-json", "cannot decode the answer", false, false},
        ProcessAttack{"empty-line", "the answer is empty", false, false},
        ProcessAttack{"deep", "cannot decode the answer", false, false}),
    [](const auto& each) {
      std::string name = each.param.behaviour;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(Process, WithAWrongUidSaysSo) { EXPECT_FALSE(ask(hostile("wrong-uid"), pod()).answer.uid_echoed); }

TEST(Process, ObeysTheWebhooksOwnTimeout) {
  const ProcessAttempt attempt = ask(hostile("hang"), pod(10), 1);
  EXPECT_TRUE(attempt.answer.timed_out);
  EXPECT_GE(attempt.seconds, 1.0);
  EXPECT_LT(attempt.seconds * 1000, 1000 + kEndedWithin);
}

TEST(Process, IsStartedAnewAfterItsDeath) {
  const auto tally = std::make_shared<ProcessTally>();
  const Handler handler = hostile("die-after-the-answer", tally);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(ask(handler, pod(10)).answer.problem, "");
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  EXPECT_EQ(tally->started, 4u) << "with a spare one once it died";
  EXPECT_EQ(tally->died, 2u);
}

TEST(Process, LeavesItsLastWords) {
  const auto tally = std::make_shared<ProcessTally>();
  ask(hostile("die-in-the-answer", tally), pod(10));
  EXPECT_EQ(tally->last_words(), "panic: out of ideas\n");
}

TEST(Process, MayFillItsStandardError) { EXPECT_EQ(ask(hostile("shout"), pod(10)).answer.problem, ""); }

TEST(Process, MayReadNothingAndDie) {
  // Writing to it would raise SIGPIPE.
  const Answer answer = ask(process({"/bin/true"}, small()), pod(2'000'000)).answer;
  EXPECT_TRUE(answer.problem.starts_with("the process ended without an answer (exit 0)")) << answer.problem;
}

TEST(Process, ThatCannotStartSaysWhy) {
  EXPECT_EQ(ask(process({"./no-such-webhook"}, small()), pod(10)).answer.problem,
            "cannot start ./no-such-webhook: No such file or directory");
  EXPECT_EQ(ask(process({"/"}, small()), pod(10)).answer.problem, "cannot start /: Permission denied");
}

TEST(Process, WithASanitizerNamesTheLimitThatItNeeds) {
  // This is AddressSanitizer's message if a memory limit leaves no room for its shadow memory.
  const std::vector<std::string> program{
      "/bin/sh", "-c",
      "echo '==1==ERROR: AddressSanitizer failed to allocate 0xdfff0001000 bytes' >&2; exit 1"};
  EXPECT_EQ(ask(process(program, small()), pod(10)).answer.problem,
            "the process ended without an answer (exit 1): a program built with a sanitizer needs --limit "
            "process_memory_bytes_max=0");
  Limits unbound = small();
  unbound.process_memory_bytes_max = 0;
  EXPECT_EQ(ask(process(program, unbound), pod(10)).answer.problem,
            "the process ended without an answer (exit 1)");
}

TEST(Process, IsBoundInMemory) {
  Limits limits = small();
  limits.process_memory_bytes_max = 256u << 20;
  const auto tally = std::make_shared<ProcessTally>();
  const Answer answer = ask(hostile("eat-memory", tally, limits), pod(10)).answer;
  EXPECT_TRUE(answer.problem.starts_with("the process ended without an answer")) << answer.problem;
  EXPECT_EQ(tally->died, 1u);
}

TEST(Process, IsKilledWithItsDescendantsThatLeftItsGroup) {
  const auto tally = std::make_shared<ProcessTally>();
  {
    const Handler handler = hostile("leave-a-daemon", tally), other = hostile("allow");
    EXPECT_EQ(ask(handler, pod(10)).answer.problem, "");
    EXPECT_EQ(ask(other, pod(10)).answer.problem, "");
    EXPECT_EQ(tally->strays, 0U);
    tally->end_idle_processes();
    EXPECT_EQ(tally->strays, 2U) << "the daemon and its child";
    EXPECT_NE(tally->stray_names().find("hostile_webhook leave-a-daemon"), std::string::npos);
    EXPECT_EQ(tally->died + tally->killed, 0U);
    EXPECT_EQ(ask(other, pod(10)).answer.problem, "") << "another's process lives on";
  }
  EXPECT_FALSE(has_children());
}

/// An orphan belongs to the running process that started it.
TEST(Process, KeepsTheDescendantsOfAnother) {
  const auto tally = std::make_shared<ProcessTally>(), others = std::make_shared<ProcessTally>();
  const Handler handler = hostile("leave-a-daemon", tally), other = hostile("leave-a-daemon", others);
  EXPECT_EQ(ask(handler, pod(10)).answer.problem, "");
  EXPECT_EQ(ask(other, pod(10)).answer.problem, "");
  tally->end_idle_processes();
  others->end_idle_processes();
  EXPECT_EQ(tally->strays, 2U);
  EXPECT_EQ(others->strays, 2U);
  EXPECT_FALSE(has_children());
}

class Logs : public ::testing::TestWithParam<const char*> {};

TEST_P(Logs, OnStandardOutputAreSkippedAndKeptOnce) {
  const auto tally = std::make_shared<ProcessTally>();
  const Handler handler = hostile(GetParam(), tally);
  for (int i = 0; i < 5; ++i) {
    const Answer answer = ask(handler, pod(10)).answer;
    EXPECT_EQ(answer.problem, "");
    EXPECT_TRUE(answer.has_response);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  EXPECT_NE(tally->logged().find("called"), std::string::npos) << tally->logged();
  EXPECT_EQ(tally->started, 1U);
  EXPECT_EQ(tally->killed, 0U);
}

/// A line that no answer follows is the answer, and an unusable one.
TEST(Process, TakesALineThatIsNoReviewForTheAnswerIfNothingFollows) {
  const Answer answer =
      ask(process({"sh", "-c", "while read line; do echo hello; done"}, small()), pod(10)).answer;
  EXPECT_NE(answer.problem, "");
  EXPECT_FALSE(answer.timed_out) << answer.problem;
}

INSTANTIATE_TEST_SUITE_P(Process, Logs,
                         ::testing::Values("log-with-the-answer", "log-before-the-answer",
                                           "log-after-the-answer", "json-log-with-the-answer"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Process, IsKilledWithItsSupervisorAndStartedAgain) {
  const Handler handler = hostile("allow");
  EXPECT_EQ(ask(handler, pod(10)).answer.problem, "");
  const auto lost = supervisors_lost();
  const pid_t supervisor = supervisor_process();
  ASSERT_GT(supervisor, 0);
  std::ifstream file("/proc/" + std::to_string(supervisor) + "/task/" + std::to_string(supervisor) +
                     "/children");
  pid_t webhook = 0;
  ASSERT_TRUE(file >> webhook);
  ::kill(supervisor, SIGKILL);
  // A zombie keeps its process number but has no memory.
  const auto lives = [&] {
    std::size_t pages = 0;
    return std::ifstream("/proc/" + std::to_string(webhook) + "/statm") >> pages && pages > 0;
  };
  for (int i = 0; i < 500 && lives(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(lives()) << "no process outlives its supervisor";
  EXPECT_EQ(ask(handler, pod(10)).answer.problem, "");
  EXPECT_EQ(supervisors_lost(), lost + 1);
  EXPECT_NE(supervisor_process(), supervisor);
}

TEST(Process, SeesTheWorkingFolderAndTheEnvironmentOfNow) {
  start_supervisor();
  ::setenv("FIXPOINT_TEST_OF_NOW", "here", 1);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path("/");
  const Answer answer =
      ask(process({"sh", "-c", "test $PWD = / && test $FIXPOINT_TEST_OF_NOW = here && exit 7"}, small()),
          pod(10))
          .answer;
  std::filesystem::current_path(before);
  ::unsetenv("FIXPOINT_TEST_OF_NOW");
  EXPECT_EQ(answer.problem, "the process ended without an answer (exit 7)");
}

TEST(Process, CanHaveAnEnvironmentOfItsOwn) {
  ::setenv("FIXPOINT_TEST_OF_NOW", "here", 1);
  const MakeProcessCluster make = []() -> document::Result<ProcessCluster> {
    return ProcessCluster{.environment = {"GIVEN=yes"}, .inherits_environment = false};
  };
  const Answer answer =
      ask(process({"sh", "-c",
                   "test -z \"$FIXPOINT_TEST_OF_NOW\" && test -n \"$PATH\" && test $GIVEN = yes && exit 7"},
                  small(), {}, make),
          pod(10))
          .answer;
  ::unsetenv("FIXPOINT_TEST_OF_NOW");
  EXPECT_EQ(answer.problem, "the process ended without an answer (exit 7)");
}

/// Each process has variables and a cluster of its own, which shows the cluster of a call before the call.
TEST(Process, HasAClusterOfItsOwn) {
  struct Log {
    int made = 0;
    std::vector<std::string> shown = {};
  };
  const auto log = std::make_shared<Log>();
  const MakeProcessCluster make = [log]() -> document::Result<ProcessCluster> {
    const int number = ++log->made;
    return ProcessCluster{
        .environment = {"FIXPOINT_TEST_NUMBER=" + std::to_string(number), "HOME=/nowhere"},
        .show = [log](const Call& call) { log->shown.push_back(call.request.namespace_name); },
        .take_accesses = [] { return std::vector<cases::ApiAccess>{{.verb = "get", .kind = "Secret"}}; }};
  };
  // The process reports its variables in a denial.
  const std::string script =
      "while read -r line; do uid=${line#*'\"uid\":\"'}; uid=${uid%%'\"'*}; "
      "echo '{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":"
      "{\"uid\":\"'$uid'\",\"allowed\":false,\"status\":{\"message\":\"'$FIXPOINT_TEST_NUMBER $HOME "
      "$(env | grep -c ^HOME=)'\"}}}'; done";
  const Handler handler = process({"/bin/sh", "-c", script}, small(), {}, make);
  for (int call = 0; call < 2; ++call) {
    const Answer answer = ask(handler, pod(10)).answer;
    EXPECT_EQ(answer.problem, "");
    EXPECT_EQ(answer.status.message, "1 /nowhere 1");
    ASSERT_EQ(answer.accesses.size(), 1u);
    EXPECT_EQ(answer.accesses[0].kind, "Secret");
  }
  EXPECT_EQ(log->made, 1) << "one process served both calls";
  EXPECT_EQ(log->shown, (std::vector<std::string>{"default", "default"}));
  const Handler broken = process({"/bin/true"}, small(), {}, []() -> document::Result<ProcessCluster> {
    return document::Error{"no port is free"};
  });
  EXPECT_EQ(ask(broken, pod(10)).answer.problem, "no port is free");
}

}  // namespace
}  // namespace fixpoint::webhooks
