#include "harness/cli/terminal.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

#include "harness/cli/work_folder_model.h"
#include "harness/patterns_model.h"

namespace fixpoint::cli {
namespace {

constexpr unsigned short kColumns = 60;
constexpr const char* kInterrupt = "\x03";  // the character that Ctrl-C sends

/// Runs the program on a terminal of its own.
class OnTerminal : public testing::Test {
 protected:
  struct Ended {
    int code;
    std::string screen;
  };
  /// Runs the program and presses `key` when the screen shows `when`.
  Ended run(const std::string& arguments, const std::string& key = "", const std::string& when = "") const {
    winsize size{.ws_row = 24, .ws_col = kColumns, .ws_xpixel = 0, .ws_ypixel = 0};
    int terminal = -1;
    const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
    if (pid == 0) {
      const std::string line = "cd '" + folder_.path() +
                               "' && TERM=xterm FIXPOINT_CORPUS=" FIXPOINT_SOURCE "/corpus exec " +
                               environment_ + FIXPOINT_PROGRAM " " + arguments;
      execl("/bin/bash", "bash", "-c", line.c_str(), nullptr);
      _exit(127);
    }
    std::string screen = watch(terminal, key, when);
    int status = 0;
    // The terminal closes a moment before the program ends.
    for (int patience = 0; waitpid(pid, &status, WNOHANG) == 0; ++patience) {
      if (patience == 2000) kill(pid, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    close(terminal);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, std::move(screen)};
  }
  const WorkFolder folder_{"terminal"};
  std::string environment_ = "env ";

 private:
  static std::string watch(int terminal, const std::string& key, const std::string& when) {
    std::string screen;
    bool is_pressed = key.empty();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      pollfd waiting{.fd = terminal, .events = POLLIN, .revents = 0};
      if (poll(&waiting, 1, 100) <= 0) continue;
      char buffer[4096];
      const ssize_t count = read(terminal, buffer, sizeof buffer);
      if (count <= 0) break;  // the program has ended
      screen.append(buffer, static_cast<std::size_t>(count));
      if (is_pressed || screen.find(when) == std::string::npos) continue;
      is_pressed = write(terminal, key.data(), key.size()) > 0;
    }
    return screen;
  }
};

/// Returns the texts between a return and the sequence that clears the rest of the line.
std::vector<std::string> progress_in(const std::string& screen) {
  static const std::string kLine("\r([^\r\n\033]+)\033\\[K");
  std::vector<std::string> lines;
  for (const auto& match : all_found(screen, kLine)) lines.push_back(match[1]);
  return lines;
}

TEST_F(OnTerminal, OneLineSaysHowFarItIs) {
  const auto ended = run("fuzz kserve/modelcar@0.12.0 --seed 7 --cases 4000");
  EXPECT_EQ(ended.code, 1);
  const auto lines = progress_in(ended.screen);
  ASSERT_FALSE(lines.empty()) << ended.screen;
  for (const std::string& line : lines) {
    EXPECT_LT(line.size(), kColumns) << "or it would not be one line: " << line;
    EXPECT_TRUE(is_found(line, "^[0-9]+ Cases, [0-9]+/s, reinvoked")) << line;
  }
  EXPECT_NE(ended.screen.find("\033[1;31mERROR\033[0m"), std::string::npos);
  EXPECT_NE(ended.screen.find("stopped by cases"), std::string::npos);
  EXPECT_EQ(folder_.read("run/events.ndjson").find('\033'), std::string::npos);
}

TEST_F(OnTerminal, NoColorMeansNone) {
  environment_ = "env NO_COLOR=1 ";
  const auto ended = run("fuzz kserve/modelcar@0.12.0 --seed 7 --cases 300");
  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.screen.find("ERROR"), std::string::npos);
  EXPECT_EQ(ended.screen.find("\033[1;31m"), std::string::npos);
}

TEST_F(OnTerminal, QuietIsQuiet) {
  EXPECT_EQ(run("fuzz peers/sidecar-guarded --seed 7 --cases 300 --quiet").screen, "");
}

TEST_F(OnTerminal, ADumbOneGetsNoLine) {
  environment_ = "env TERM=dumb ";
  const auto ended = run("fuzz kserve/modelcar@0.12.0 --seed 7 --cases 300");
  EXPECT_EQ(ended.screen.find('\033'), std::string::npos) << ended.screen;
}

TEST_F(OnTerminal, AnInterruptGivesTheWholeReport) {
  const auto ended = run("fuzz kserve/modelcar@0.12.0 --seed 7 --time 0 --all", kInterrupt, "FOUND");
  EXPECT_EQ(ended.code, 130) << ended.screen;
  EXPECT_NE(ended.screen.find("stopped by interrupted"), std::string::npos) << ended.screen;
  EXPECT_NE(ended.screen.find("no-duplicate-names "), std::string::npos) << "the properties, too";
  EXPECT_NE(ended.screen.find("resume: fixpoint fuzz --resume run\r\n"), std::string::npos) << ended.screen;
  EXPECT_NE(folder_.read("run/run.json").find("\"reason\": \"interrupted\""), std::string::npos);
  EXPECT_FALSE(folder_.names("run/findings").empty());
  EXPECT_EQ(run("fuzz --resume run --cases 1000").code, 1) << "it can go on";
  EXPECT_NE(folder_.read("run/run.json").find("\"reason\": \"cases\""), std::string::npos);
}

TEST(Terminal, AFileIsNone) {
  const WorkFolder folder("no-terminal");
  const auto ran = folder.run(FIXPOINT_PROGRAM, FIXPOINT_SOURCE "/corpus",
                              "fuzz kserve/modelcar@0.12.0 --seed 7 --cases 300");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out.find('\033'), std::string::npos);
  EXPECT_EQ(ran.out.find('\r'), std::string::npos);
}

TEST(Terminal, ColorsWhatStandsFirst) {
  EXPECT_EQ(colored("FOUND  x FOUND\nGATE y\n"),
            "\033[1;31mFOUND\033[0m  x FOUND\n\033[1;31mGATE\033[0m y\n");
  EXPECT_EQ(colored("not FOUND"), "not FOUND");
}

}  // namespace
}  // namespace fixpoint::cli
