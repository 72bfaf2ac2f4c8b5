#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "harness/patterns_model.h"
#include "harness/sources_test.h"

namespace fixpoint {
namespace {

/// Returns a source without the contents of its string literals, which quote servers and users.
std::string without_literals(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, 2, "R\"") == 0) {
      const auto open = text.find('(', at);
      const std::string close = ")" + text.substr(at + 2, open - at - 2) + "\"";
      at = std::min(text.size(), text.find(close, open) + close.size());
    } else if (text.compare(at, 2, "//") == 0) {  // an apostrophe or a quotation mark of prose opens nothing
      const auto end = std::min(text.size(), text.find('\n', at));
      out.append(text, at, end - at);
      at = end;
    } else if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
      ++at;
      out += ' ';
    } else {
      out += text[at++];
    }
  }
  return out;
}

/// Returns the words of a text in lower case, those of `snake_case` and `CamelCase` names one by one.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  char before = ' ';
  for (const char c : text) {
    const auto is = [](int (*of)(int), char one) { return of(static_cast<unsigned char>(one)) != 0; };
    if (is(std::isalpha, c)) {
      const bool goes_on = is(std::isalpha, before) && (!is(std::isupper, c) || is(std::isupper, before));
      if (!goes_on) words.emplace_back();
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    before = c;
  }
  return words;
}

/// Returns the words in code style of the column "not" in CONTRIBUTING.md.
std::vector<std::string> words_to_avoid() {
  std::ifstream file(std::string(FIXPOINT_SOURCE) + "/CONTRIBUTING.md");
  std::vector<std::string> words;
  for (std::string line; std::getline(file, line);) {
    const auto column = line.rfind(" | ");
    if (!line.starts_with("| ") || column == std::string::npos) continue;
    for (const auto& match : all_found(line.substr(column), "`([a-z]+)`")) words.push_back(match[1]);
  }
  return words;
}

/// Returns what a source says otherwise than the glossary: its words to avoid, and comments that open with
/// "What" or "Whether".
std::vector<std::string> faults_of(const std::string& source, const std::vector<std::string>& avoided) {
  const std::string text = without_literals(source);
  std::vector<std::string> faults;
  for (const std::string& word : words_of(text))
    if (std::find(avoided.begin(), avoided.end(), word) != avoided.end()) faults.push_back(word);
  for (const auto& match : all_found(text, "(^|\n) *(///? (What|Whether)[a-z]* )"))
    faults.push_back(match[2]);
  return faults;
}

TEST(Words, AreThoseOfTheGlossary) {
  const std::vector<std::string> avoided = words_to_avoid();
  ASSERT_GT(avoided.size(), 10u);
  for (const Source& source : sources())
    EXPECT_EQ(faults_of(source.text, avoided), std::vector<std::string>{}) << source.path;
}

TEST(Words, AreFoundInNamesAndCommentsAlone) {
  const std::vector<std::string> avoided{"told", "hop"};
  using Faults = std::vector<std::string>;
  EXPECT_EQ(faults_of("int told_of(int toldYou);  // a hop\n", avoided), (Faults{"told", "told", "hop"}));
  EXPECT_EQ(faults_of("struct IsTold {};", avoided), Faults{"told"});
  EXPECT_EQ(faults_of("/// What it does.\nint a;\n  // Whether b.\n", avoided),
            (Faults{"/// What ", "// Whether "}));
  EXPECT_EQ(faults_of("shop(\"told \\\" hop\"); R\"x(told)x\"; // the server's \"a\n", avoided), Faults{});
}

}  // namespace
}  // namespace fixpoint
