#include "harness/document/output_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include <csignal>
#include <thread>

#include "harness/cli/program_test.h"
#include "harness/cli/work_folder_model.h"
#include "harness/measure/workload.h"

namespace fixpoint::document {
namespace {

namespace files = std::filesystem;

mode_t mode_of(const std::string& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0 ? status.st_mode : 0;
}

class OutputFile : public cli::ProgramTest {
 protected:
  void SetUp() override {
    cli::ProgramTest::SetUp();
    umask(022);
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(files::directory_iterator(folder_), {}));
  }
  void expect_written(const std::string& name, const std::string& text) const {
    const auto problem = write_file(path(name), text);
    EXPECT_FALSE(problem) << problem->text();
  }
  std::string problem_of(const std::string& name) const {
    const auto problem = write_file(path(name), "new");
    return problem ? problem->text() : "";
  }
};

TEST_F(OutputFile, IsNewWithTheModeThatWasAskedFor) {
  expect_written("a", "text");
  EXPECT_FALSE(write_file(path("b"), "secret", Readers::owner));
  EXPECT_EQ(read("a"), "text");
  EXPECT_EQ(mode_of(path("a")) & 0777, 0644u);
  EXPECT_EQ(mode_of(path("b")) & 0777, 0600u);
  EXPECT_EQ(entries(), 2u);
}

TEST_F(OutputFile, KeepsTheModeOfTheFileThatItReplaces) {
  for (const mode_t mode : {0600u, 0640u, 0664u, 0755u}) {
    write("kept", "old");
    ASSERT_EQ(chmod(path("kept").c_str(), mode), 0);
    expect_written("kept", "new");
    EXPECT_EQ(read("kept"), "new");
    EXPECT_EQ(mode_of(path("kept")) & 07777, mode);
  }
}

TEST_F(OutputFile, IsWrittenBehindASymbolicLink) {
  files::create_directories(path("there"));
  write("there/real", "old");
  files::create_symlink("there/real", path("link"));
  files::create_symlink(path("link"), path("link-of-link"));
  expect_written("link-of-link", "new");
  EXPECT_EQ(read("there/real"), "new");
  EXPECT_TRUE(files::is_symlink(path("link")));
  EXPECT_TRUE(files::is_symlink(path("link-of-link")));
}

TEST_F(OutputFile, IsMadeBehindADanglingLink) {
  files::create_symlink("not-yet", path("link"));
  expect_written("link", "new");
  EXPECT_EQ(files::read_symlink(path("link")), "not-yet");
  EXPECT_EQ(read("not-yet"), "new");
}

TEST_F(OutputFile, IsNotWrittenBehindACircleOfLinks) {
  files::create_symlink("b", path("a"));
  files::create_symlink("a", path("b"));
  EXPECT_EQ(problem_of("a"), path("a") + ": cannot be written: Too many levels of symbolic links");
}

TEST_F(OutputFile, IsNeitherLinkNorFileThatSomebodyElsePlantedInASharedFolder) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a file of another user";
  files::create_directories(path("shared"));
  ASSERT_EQ(chmod(path("shared").c_str(), 01777), 0);
  write("mine", "old");
  files::create_symlink(path("mine"), path("shared/link"));
  ASSERT_EQ(lchown(path("shared/link").c_str(), 65534, 65534), 0);
  EXPECT_NE(problem_of("shared/link").find("belongs to another user"), std::string::npos);
  EXPECT_EQ(read("mine"), "old");
  write("shared/file", "theirs");
  ASSERT_EQ(chown(path("shared/file").c_str(), 65534, 65534), 0);
  EXPECT_NE(problem_of("shared/file").find("belongs to another user"), std::string::npos);
  EXPECT_EQ(read("shared/file"), "theirs");
  expect_written("shared/new", "ours");
  expect_written("shared/new", "ours again");
}

TEST_F(OutputFile, GoesIntoAFifoThatStaysOne) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  std::string heard;
  std::thread reader([&] { heard = read("fifo"); });
  expect_written("fifo", "through");
  reader.join();
  EXPECT_EQ(heard, "through");
  EXPECT_TRUE(S_ISFIFO(mode_of(path("fifo"))));
}

/// Uses its own device node: the machine's must survive a failure of this test.
TEST_F(OutputFile, GoesIntoADeviceThatStaysOne) {
  if (mknod(path("null").c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0)
    GTEST_SKIP() << "no device can be made";
  const int tried = open(path("null").c_str(), O_WRONLY);
  if (tried < 0) GTEST_SKIP() << "devices cannot be opened here";
  close(tried);
  EXPECT_FALSE(cannot_write(path("null")));
  expect_written("null", "gone");
  files::create_symlink("null", path("link"));
  expect_written("link", "gone");
  struct stat status{};
  ASSERT_EQ(lstat(path("null").c_str(), &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  EXPECT_EQ(status.st_rdev, makedev(1, 3));
}

/// An open file is written at its offset, as by a shell's `>(…)` and `/dev/stdout`.
TEST_F(OutputFile, GoesIntoAnOpenDescriptorAtItsPlace) {
  const int file = open(write("open", "first ").c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(file, 0);
  for (const char* folder : {"/dev/fd/", "/proc/self/fd/"}) {
    const auto problem = write_file(folder + std::to_string(file), "more ");
    EXPECT_FALSE(problem) << problem->text();
  }
  close(file);
  EXPECT_EQ(read("open"), "first more more ");
  const auto closed = write_file("/dev/fd/" + std::to_string(file), "more");
  ASSERT_TRUE(closed);
  EXPECT_EQ(closed->message, "cannot be written: Bad file descriptor");
}

/// Temporary files once had predictable names.
TEST_F(OutputFile, FollowsNoPlantedLink) {
  write("victim", "old");
  files::create_symlink("victim", path("report.part"));
  expect_written("report", "new");
  EXPECT_FALSE(cannot_write(path("report")));
  EXPECT_EQ(read("victim"), "old");
  EXPECT_TRUE(files::is_symlink(path("report.part")));
}

TEST_F(OutputFile, OfTwoWritersIsThatOfOne) {
  const std::string one(100'000, '1'), two(100'000, '2');
  const auto write_often = [&](const std::string& text) {
    for (int i = 0; i < 20; ++i) expect_written("same", text);
  };
  std::thread other([&] { write_often(one); });
  write_often(two);
  other.join();
  EXPECT_TRUE(read("same") == one || read("same") == two);
  EXPECT_EQ(entries(), 1u);
}

TEST_F(OutputFile, IsNoFolderAndInOneThatTakesFiles) {
  files::create_directories(path("folder"));
  EXPECT_EQ(problem_of("folder"), path("folder") + ": cannot be written: it is a folder");
  EXPECT_EQ(problem_of("folder/"), path("folder/") + ": cannot be written: it is a folder");
  EXPECT_EQ(problem_of("new/"), path("new/") + ": cannot be written: Is a directory");
  EXPECT_EQ(problem_of("none/file"), path("none/file") + ": cannot be written: No such file or directory");
  // Nobody can create files there, not even root.
  EXPECT_TRUE(write_file("/proc/self/fixpoint", "new"));
  EXPECT_TRUE(cannot_write("/proc/self/fixpoint"));
}

TEST_F(OutputFile, OfOneThatMayNotBeWrittenStays) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everything";
  write("kept", "old");
  chmod(path("kept").c_str(), 0400);
  EXPECT_EQ(problem_of("kept"), path("kept") + ": cannot be written: Permission denied");
  EXPECT_TRUE(cannot_write(path("kept")));
  EXPECT_EQ(read("kept"), "old");
  chmod(folder_.c_str(), 0500);
  EXPECT_NE(problem_of("new"), "");
  chmod(folder_.c_str(), 0700);
}

/// Runs `act` with a limit of `bytes` per file; returns its result.
template <class Act>
bool with_file_limit(rlim_t bytes, const Act& act) {
  const pid_t pid = fork();
  if (pid == 0) {
    const rlimit limit{bytes, bytes};
    std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(act() ? 0 : 1);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(OutputFile, ThatIsCutOffLeavesTheOldOne) {
  write("kept", "old");
  EXPECT_FALSE(with_file_limit(1000, [&] { return !write_file(path("kept"), std::string(5000, 'x')); }));
  EXPECT_EQ(read("kept"), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(OutputFile, ThatGrowsHasNoHalfLine) {
  EXPECT_FALSE(with_file_limit(100, [&] {
    auto file = GrowingFile::open(path("lines"), GrowingFile::Writers::several);
    return file && !file->append("whole\n") && !file->append(std::string(200, 'x') + "\n");
  }));
  EXPECT_EQ(read("lines"), "whole\n");
  EXPECT_EQ(mode_of(path("lines")) & 0777, 0600u);
}

TEST_F(OutputFile, ThatGrowsBeginsANewLineAfterAnUnfinishedOne) {
  write("lines", "torn");
  auto file = GrowingFile::open(path("lines"), GrowingFile::Writers::several);
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->append("whole\n"));
  EXPECT_FALSE(file->flush());
  EXPECT_EQ(read("lines"), "torn\nwhole\n");
  files::create_symlink("lines", path("link"));
  EXPECT_FALSE(GrowingFile::open(path("link"), GrowingFile::Writers::one));
  EXPECT_TRUE(GrowingFile::open(path("link"), GrowingFile::Writers::several));
}

TEST(OutputFiles, OfAReportMayBeStandardOutputAndAProcess) {
  const cli::WorkFolder folder("report-output");
  const auto shell = [&](const std::string& arguments) {
    return folder.shell(FIXPOINT_PROGRAM " " + arguments);
  };
  ASSERT_EQ(shell("fuzz peers/sidecar-guarded --seed 1 --cases 20 --quiet").code, 0) << folder.read("err");
  const std::string text = shell("report run").out;
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(shell("report run --output /dev/stdout").out, text);
  EXPECT_EQ(shell("report run --output /dev/stdout | cat").out, text);
  EXPECT_EQ(shell("report run --output >(cat >heard; touch done)").code, 0);
  for (int i = 0; i < 200 && !files::exists(folder.path("done")); ++i) usleep(50'000);
  EXPECT_EQ(folder.read("heard"), text);
}

}  // namespace
}  // namespace fixpoint::document
