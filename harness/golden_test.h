#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace fixpoint {

/// Checks that a text which users or tools read equals the file, whose path begins at the top of the
/// repository. With FIXPOINT_WRITE_GOLDEN set, writes the file instead.
inline void expect_golden(const std::string& file, const std::string& text) {
  const std::string path = FIXPOINT_SOURCE "/" + file;
  if (std::getenv("FIXPOINT_WRITE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream stream(path);
  std::stringstream golden;
  golden << stream.rdbuf();
  EXPECT_EQ(text, golden.str()) << path;
}

}  // namespace fixpoint
