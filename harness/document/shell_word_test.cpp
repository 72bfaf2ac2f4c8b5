#include "harness/document/shell_word.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

namespace fixpoint::document {
namespace {

std::string echoed(const std::string& text) {
  std::string out;
  std::FILE* shell = popen(("printf %s " + shell_word(text)).c_str(), "r");
  std::array<char, 64> part{};
  while (shell != nullptr && std::fgets(part.data(), part.size(), shell) != nullptr) out += part.data();
  if (shell != nullptr) pclose(shell);
  return out;
}

TEST(ShellWord, IsReadAsOneWord) {
  for (const char* text :
       {"a b", "it's", "$(touch x)", "a;b", "~x", "*", "run/findings/0.json", "a\\b", "#x", "{a,b}"})
    EXPECT_EQ(echoed(text), text);
  EXPECT_EQ(shell_word("run/findings/0.json"), "run/findings/0.json");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace fixpoint::document
