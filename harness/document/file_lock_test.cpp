#include "harness/document/file_lock.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "harness/document/document_stream.h"
#include "harness/document/output_file.h"

namespace fixpoint::document {
namespace {

class FileLocks : public testing::Test {
 protected:
  FileLocks() {
    std::filesystem::create_directories(folder_);
    std::ofstream(path_) << "0";
  }
  ~FileLocks() override { std::filesystem::remove_all(folder_); }
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("fixpoint-lock-" + std::to_string(getpid()));
  const std::string path_ = (folder_ / "number").string();
};

/// Every increment survives, although each replaces the file that the others wait for.
TEST_F(FileLocks, SerialiseReadingAndReplacing) {
  constexpr int kWriters = 8, kIncrements = 10;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&] {
      for (int i = 0; i < kIncrements; ++i) {
        const auto lock = FileLock::take(path_, 60);
        ASSERT_TRUE(lock) << lock.error().text();
        const int number = std::stoi(*read_text_file(path_));
        ASSERT_FALSE(write_file(path_, std::to_string(number + 1)));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(*read_text_file(path_), std::to_string(kWriters * kIncrements));
}

TEST_F(FileLocks, EndsToWait) {
  const auto held = FileLock::take(path_, 0);
  ASSERT_TRUE(held);
  const auto second = FileLock::take(path_, 0.05);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().text(), path_ + ": in use by another process: wait until it ends, and try again");
}

TEST_F(FileLocks, SaysWhatCannotBeLocked) {
  const auto absent = FileLock::take(path_ + ".absent", 1);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().text(), path_ + ".absent: cannot be locked: No such file or directory");
}

}  // namespace
}  // namespace fixpoint::document
