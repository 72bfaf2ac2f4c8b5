#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/sources_test.h"

namespace {

using fixpoint::Source;

/// A class, or a function. The lines of tables in it and of texts over several lines do not count.
struct Definition {
  std::string name;  ///< its first line
  bool is_class = false;
  long lines = 0;
  std::string body = {};  ///< of a class, moved to the left margin
};

bool starts_with_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    if (text.starts_with(word)) return true;
  return false;
}

bool may_begin(std::string_view line) {
  return !line.empty() && !line.ends_with(';') && !line.ends_with('}') &&
         !starts_with_one_of(line, {" ", "[", "}", "#", "/", ")", "namespace", "using", "extern", "public",
                                    "private", "protected", "case ", "default:"});
}

/// Returns true for `const Row rows[] = {` and `static const auto rows = std::to_array<Row>({`.
bool begins_table(std::string_view line) {
  const bool is_array = line.find("[] = {") != std::string_view::npos ||
                        line.find("to_array<") != std::string_view::npos ||
                        line.find("std::array") != std::string_view::npos;
  return is_array && !line.ends_with(';');
}

bool is_class(std::string_view line) {
  return starts_with_one_of(line, {"class ", "struct ", "union ", "enum "});
}

/// Returns true for the first line of a constant, and of parameters for tests.
bool is_constant(std::string_view line) {
  if (is_class(line) || line.starts_with("template")) return false;
  const std::string_view head = line.substr(0, line.find('('));
  return head.find_first_of("={") != std::string_view::npos || line.starts_with("INSTANTIATE_TEST_SUITE_P");
}

/// Returns where a raw string begins.
std::size_t begin_of_text(const std::string& line) {
  for (auto at = line.find("R\""); at != std::string::npos; at = line.find("R\"", at + 1))
    if (at == 0 || std::isalnum(static_cast<unsigned char>(line[at - 1])) == 0) return at;
  return std::string::npos;
}

/// Reads the lines of a source without the comments behind them, and tells the texts over several lines from
/// code.
class CodeLines {
 public:
  explicit CodeLines(const std::string& text) : lines_(text) {}

  /// Returns the next line that does not begin within a text.
  std::optional<std::string> next() {
    std::string line;
    while (std::getline(lines_, line)) {
      const bool was_in_text = is_in_text_;
      const auto begin = was_in_text ? 0 : begin_of_text(line);
      const auto end = line.rfind(")\"");
      if (begin != std::string::npos) is_in_text_ = end == std::string::npos || end < begin;
      if (was_in_text) continue;
      if (const auto comment = line.find("  //"); comment != 0 && comment != std::string::npos)
        line.resize(line.find_last_not_of(' ', comment) + 1);
      return line;
    }
    return std::nullopt;
  }

 private:
  std::istringstream lines_;
  bool is_in_text_ = false;
};

/// Returns the definitions at the left margin, by the layout of clang-format: the last line of each begins
/// there with a brace.
std::vector<Definition> definitions_in(const std::string& text) {
  std::vector<Definition> found;
  std::optional<Definition> open;
  bool has_body = false, is_in_table = false, is_in_constant = false;
  CodeLines lines(text);
  while (const auto next = lines.next()) {
    const std::string_view line = *next;
    if (is_in_constant || (!open && may_begin(line) && is_constant(line))) {
      is_in_constant = !line.ends_with(';');
      continue;
    }
    if (!open && may_begin(line)) {
      open = {std::string(line), is_class(line) || line.starts_with("template")};
      has_body = is_in_table = false;
    }
    if (!open) continue;
    if (open->lines == 1 && open->name.starts_with("template")) open->is_class = is_class(line);
    const bool was_in_table = is_in_table;
    is_in_table = is_in_table ? !line.ends_with(';') : has_body && !open->is_class && begins_table(line);
    has_body = has_body || line.ends_with('{');
    open->lines += was_in_table || is_in_table ? 0 : 1;
    if (open->is_class && open->lines > 1)
      open->body.append(line.starts_with("  ") ? line.substr(2) : line).append("\n");
    if (line == "}" || line.starts_with("};")) {
      if (open->is_class || line == "}") found.push_back(*open);
      open.reset();
    } else if (!has_body && (line.ends_with(';') || line.ends_with('}'))) {
      open.reset();
    }
  }
  return found;
}

constexpr long kClassLinesMax = 200, kFunctionLinesMax = 50;

/// The definitions that may be longer, at most five, and why.
const std::map<std::string, std::string> kLonger{
    {"harness/apiserver/cel/cost.cpp: std::uint64_t call_cost",
     "one case for each rule of cost: a table whose cells are formulas"}};

/// Adds the definitions of a text that are too long, and those in its classes, as in `kLonger`.
void add_too_long(const std::string& path, const std::string& text, std::vector<std::string>& found) {
  for (const Definition& one : definitions_in(text)) {
    if (one.lines > (one.is_class ? kClassLinesMax : kFunctionLinesMax))
      found.push_back(path + ": " + one.name.substr(0, one.name.find_first_of("({")));
    if (one.is_class) add_too_long(path, one.body, found);
  }
}
std::vector<std::string> too_long_in(const Source& source) {
  std::vector<std::string> found;
  add_too_long(source.path, source.text, found);
  return found;
}

TEST(Tidy, ClassesAndFunctionsAreShort) {
  std::set<std::string> found;
  for (const Source& source : fixpoint::sources())
    for (std::string& one : too_long_in(source)) found.insert(std::move(one));
  for (const std::string& one : found) EXPECT_TRUE(kLonger.contains(one)) << one << " is too long";
  for (const auto& [one, why] : kLonger) EXPECT_TRUE(found.contains(one)) << one << " is short by now";
  EXPECT_LE(kLonger.size(), 5U);
}

std::string repeated(const std::string& line, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += line;
  return all;
}
std::string function_of(const std::string& body) { return "void f(int a,\n       int b) {\n" + body + "}\n"; }

/// Returns what is too long in a file of this text.
std::string noticed(const std::string& text) {
  std::string all;
  for (const std::string& one : too_long_in({"a.cpp", text})) all += one + "|";
  return all;
}

TEST(Tidy, LongClassesAndFunctionsAreNoticed) {
  const std::string line = "  a += b;\n",
                    table = "  const Row rows[] = {\n" + repeated("      {1},\n", 60) + "  };\n";
  EXPECT_EQ(noticed(function_of(repeated(line, 47))), "");
  EXPECT_EQ(noticed(function_of(repeated(line, 48))), "a.cpp: void f|");
  EXPECT_EQ(noticed(function_of(table + repeated(line, 47))), "");
  EXPECT_EQ(noticed(function_of(table + repeated(line, 48))), "a.cpp: void f|");
  EXPECT_EQ(noticed(function_of("  g(R\"(\n" + repeated("}\n", 60) + ")\");\n")), "") << "a text is no code";
  EXPECT_EQ(noticed("class A : public B {\n" + repeated("  int a_;\n", 198) + "};\n"), "");
  EXPECT_EQ(noticed("class A : public B {\n" + repeated("  int a_;\n", 199) + "};\n"),
            "a.cpp: class A : public B |");
  EXPECT_EQ(noticed("template <class T>\nstruct A {\n" + repeated("  int a_;\n", 198) + "};\n"),
            "a.cpp: template <class T>|");
  EXPECT_EQ(noticed("class A {\n  void g() {\n" + repeated("    h();\n", 49) + "  }\n};\n"),
            "a.cpp: void g|");
  EXPECT_EQ(noticed("constexpr int kTable[] = {\n" + repeated("    1,\n", 300) + "};\n"), "");
  EXPECT_EQ(noticed("void f(int a,\n       int b = {});\n" + repeated("int a;\n", 60) + "}\n"), "");
}

}  // namespace
