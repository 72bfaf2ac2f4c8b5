#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace fixpoint {

/// A text that users or tools read is what the file, named from the top of the repository, holds. With
/// FIXPOINT_WRITE_GOLDEN set, the file is written anew.
inline void expect_golden(const std::string& file, const std::string& text) {
  const std::string path = FIXPOINT_SOURCE "/" + file;
  if (std::getenv("FIXPOINT_WRITE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream stream(path);
  std::stringstream golden;
  golden << stream.rdbuf();
  EXPECT_EQ(text, golden.str()) << path;
}

}  // namespace fixpoint
