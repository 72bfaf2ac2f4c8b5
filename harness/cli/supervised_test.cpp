#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "harness/cli/program_test.h"
#include "harness/cli/running_model.h"

namespace fixpoint::cli {
namespace {

/// A fixture for programs that are killed while their webhooks run as processes.
class Supervised : public ProgramTest {
 protected:
  /// Returns the process id that the webhook writes to that file, once it is written.
  pid_t process_in(const std::string& name) const {
    for (int i = 0; i < 1000; ++i) {
      const std::string text = read(name);
      if (text.ends_with('\n')) return static_cast<pid_t>(std::stol(text));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return -1;
  }
  /// Returns true if the process runs; one that has ended but that nobody has waited for does not.
  static bool is_running(pid_t process) {
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(stat, text);
    const auto at = text.rfind(") ");
    return at != std::string::npos && text[at + 2] != 'Z';
  }
  static bool ends(pid_t process) {
    for (int i = 0; i < 500; ++i) {
      if (!is_running(process)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }
  std::string hook(const std::string& first) const {
    return "proxy.example.io=exec:bash " + write("hook.sh", webhook_in_bash(first));
  }
};

TEST_F(Supervised, NoWebhookOutlivesAFixpointThatIsKilled) {
  const std::string first = "echo $$ > " + path("leader") + "; sleep 600 & echo $! > " + path("child") +
                            "; setsid sleep 601 >/dev/null 2>&1 </dev/null & echo $! > " + path("daemon");
  const std::string manifest = write("m.yaml", kOneWebhook);
  Running fuzz({FIXPOINT_PROGRAM, "fuzz", manifest, "--webhook", hook(first), "--time", "100s", "--out",
                path("run"), "--quiet", "--json"},
               "\n");
  const pid_t leader = process_in("leader"), child = process_in("child"), daemon = process_in("daemon");
  ASSERT_GT(leader, 0);
  ASSERT_GT(child, 0);
  ASSERT_GT(daemon, 0);
  EXPECT_EQ(fuzz.stop(SIGKILL), -1);
  EXPECT_TRUE(ends(leader));
  EXPECT_TRUE(ends(child));
  EXPECT_TRUE(ends(daemon)) << "though it left the process group";
}

TEST_F(Supervised, WhatLeftItsProcessGroupIsNamed) {
  write("m.yaml", kOneWebhook);
  // Not at the first call: the process that is asked before the run ends right after it.
  const std::string first =
      "n=$((n + 1)); [[ $n -lt 2 || -e d ]] || { setsid sleep 602 >/dev/null 2>&1 </dev/null & echo $! > d; "
      "}";
  const auto fuzz = run("fuzz m.yaml --seed 7 --cases 16 --jobs 1 --webhook '" + hook(first) + "'", "");
  EXPECT_EQ(fuzz.code, 3) << "it never acts" << fuzz.err;
  const auto killed = fuzz.err.find("1 of its descendants had left its process group, and were killed: ");
  ASSERT_NE(killed, std::string::npos) << fuzz.err;
  EXPECT_NE(fuzz.err.find("sleep 602", killed), std::string::npos) << fuzz.err;
  EXPECT_TRUE(ends(process_in("d")));
}

TEST_F(Supervised, AWebhookThatLogsOnStandardOutputIsNamedOnce) {
  write("m.yaml", kOneWebhook);
  const auto fuzz = run("fuzz m.yaml --seed 7 --cases 16 --webhook '" + hook("echo 'INFO called'") + "'", "");
  EXPECT_EQ(fuzz.code, 3) << "it never acts: " << fuzz.out << fuzz.err;
  const std::string line = "exec bash: logs to standard output: \"INFO called\"; such lines are skipped\n";
  const auto first = fuzz.err.find(line);
  ASSERT_NE(first, std::string::npos) << fuzz.err;
  EXPECT_EQ(fuzz.err.find(line, first + 1), std::string::npos) << fuzz.err;
}

TEST_F(Supervised, APythonWebhookMayPrint) {
  write("m.yaml", kOneWebhook);
  write("pod.yaml", "metadata: {name: web}\nspec: {containers: [{name: app, image: app}]}\n");
  write("hook.py",
        "import sys\n"
        "sys.path.insert(0, '" FIXPOINT_SOURCE
        "/harness/webhooks/adapters/python')\n"
        "import example\n"
        "print('loading')\n"
        "def webhook(environ, start_response):\n"
        "    print('called', flush=True)\n"
        "    return example.webhook(environ, start_response)\n"
        "example.speak(webhook)\n");
  const auto inject =
      run("inject m.yaml pod.yaml --webhook 'proxy.example.io=exec:python3 " + path("hook.py") + "'", "");
  EXPECT_EQ(inject.code, 0) << inject.err;
  EXPECT_NE(inject.out.find("\"allowed\": true"), std::string::npos) << inject.out << inject.err;
}

}  // namespace
}  // namespace fixpoint::cli
