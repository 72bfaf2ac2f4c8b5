#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "harness/patterns_model.h"

namespace {

namespace files = std::filesystem;
using Lines = std::vector<std::string>;

/// A text of the repository, with its path from the top.
struct Text {
  std::string path, text;
  bool is_page() const { return path.ends_with(".md"); }
  bool is_code() const { return path.ends_with(".h") || path.ends_with(".cpp"); }
};

std::string read(const files::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Returns all texts that may cite a page: sources, scripts, workflows, pages.
const std::vector<Text>& texts() {
  static const std::vector<Text> all = [] {
    const files::path top(FIXPOINT_SOURCE);
    const std::set<std::string> extensions{".h",   ".cpp", ".md",  ".py",   ".go",   ".js",
                                           ".mjs", ".txt", ".css", ".yaml", ".cmake"};
    std::vector<Text> found;
    const auto add = [&](const files::path& path) {
      found.push_back({files::relative(path, top).string(), read(path)});
    };
    for (const char* folder :
         {"harness", "generators", "injectors", "corpus", "reports", "docs", ".github"}) {
      for (const auto& entry : files::recursive_directory_iterator(top / folder))
        if (entry.is_regular_file() && extensions.contains(entry.path().extension())) add(entry.path());
    }
    for (const char* folder : {"", ".ci"}) {
      for (const auto& entry : files::directory_iterator(top / folder))
        if (entry.is_regular_file()) add(entry.path());
    }
    return found;
  }();
  return all;
}

/// Returns the anchor that GitHub makes of a heading.
std::string slug_of(const std::string& heading) {
  std::string slug;
  for (const char c : fixpoint::replaced(heading, "<[^>]*>", "")) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) || c == '-' || c == '_' || letter >= 0x80)
      slug += static_cast<char>(std::tolower(letter));
    if (c == ' ') slug += '-';
  }
  return slug;
}

std::set<std::string> anchors_of(const std::string& page) {
  std::set<std::string> anchors;
  for (const auto& match : fixpoint::all_found(page, "id=\"([^\"]+)\"")) anchors.insert(match[1]);
  std::istringstream text(page);
  bool is_fenced = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("```")) is_fenced = !is_fenced;
    if (is_fenced || !line.starts_with("#")) continue;
    anchors.insert(slug_of(line.substr(std::min(line.find_first_not_of("# "), line.size()))));
  }
  return anchors;
}

/// Returns the error of a reference, if the page or its anchor does not exist; otherwise an empty text.
std::string problem_of_reference(const std::string& page, const std::string& anchor) {
  const files::path path = files::path(FIXPOINT_SOURCE) / page;
  if (!files::exists(path)) return "there is no " + page;
  if (anchor.empty() || !page.ends_with(".md")) return "";
  static std::map<std::string, std::set<std::string>> known;
  const auto [at, is_new] = known.try_emplace(page);
  if (is_new) at->second = anchors_of(read(path));
  return at->second.contains(anchor) ? "" : page + " has no anchor " + anchor;
}

void add(Lines& problems, std::string problem) {
  if (!problem.empty()) problems.push_back(std::move(problem));
}

/// Checks references of the form docs/PAGE and docs/PAGE#ANCHOR, from the top of the repository.
void check_references(const Text& text, Lines& problems) {
  const std::string folder = "docs/", end = ".md";
  const auto is_of_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
  };
  for (auto at = text.text.find(folder); at != std::string::npos; at = text.text.find(folder, at + 1)) {
    if (at > 0 && (is_of_word(text.text[at - 1]) || text.text[at - 1] == '/' || text.text[at - 1] == '.'))
      continue;
    std::size_t next = at + folder.size();
    while (next < text.text.size() && is_of_word(text.text[next])) ++next;
    const std::string name = text.text.substr(at, next - at);
    if (text.text.compare(next, end.size(), end) != 0) continue;
    // docs/NAME in capitals is a placeholder.
    if (std::isupper(static_cast<unsigned char>(name[folder.size()])) && name != folder + "README") continue;
    next += end.size();
    std::string anchor;
    if (next < text.text.size() && text.text[next] == '#') {
      const std::size_t begin = ++next;
      while (next < text.text.size() && is_of_word(text.text[next])) ++next;
      anchor = text.text.substr(begin, next - begin);
    }
    add(problems, problem_of_reference(name + end, anchor));
  }
}

/// Checks the links of a page to files of the repository, relative to the page. A code span holds none.
void check_links(const Text& page, Lines& problems) {
  const std::string prose = fixpoint::replaced(page.text, "`[^`\n]*`", "code");
  for (const auto& match : fixpoint::all_found(prose, "\\]\\(([^)\\s]+)\\)")) {
    const std::string& link = match[1];
    if (link.find("://") != std::string::npos) continue;
    const auto sharp = std::min(link.find('#'), link.size());
    const files::path target =
        sharp == 0 ? files::path(page.path) : files::path(page.path).parent_path() / link.substr(0, sharp);
    add(problems, problem_of_reference(target.lexically_normal().string(),
                                       sharp < link.size() ? link.substr(sharp + 1) : ""));
  }
}

/// Finds, in comments, names of former pages, and names of current pages without their folder.
void check_old_names(const Text& text, Lines& problems) {
  static const std::string old =
      "(^|[^/\\w.-])((decisions|formats|properties|simulator|validation|judging|"
      "trust|glossary|architecture|performance|kserve|specs?)\\.md)";
  std::istringstream lines(text.text);
  for (std::string line; std::getline(lines, line);) {
    const std::string comment = line.substr(std::min(line.find("//"), line.size()));
    if (comment.find(".md") != std::string::npos)
      for (const auto& match : fixpoint::all_found(comment, old)) problems.push_back("names " + match[2]);
    for (const std::string words : {"spec \xC2\xA7", "specs: ", "specs' "})
      if (comment.find(words) != std::string::npos) problems.push_back("cites " + words);
  }
}

Lines problems_of(const Text& text) {
  Lines problems;
  check_references(text, problems);
  if (text.is_page()) check_links(text, problems);
  if (text.is_code()) check_old_names(text, problems);
  return problems;
}

TEST(DocsReferences, AllReferencesResolve) {
  int citing = 0;
  for (const Text& text : texts()) {
    citing += text.is_code() && fixpoint::is_found(text.text, "// .*docs/[a-z]+\\.md#") ? 1 : 0;
    EXPECT_EQ(problems_of(text), Lines{}) << text.path;
  }
  EXPECT_GT(citing, 60);
}

/// Returns the commands of a page that are not written as one types them in a checkout, ./fixpoint.
Lines bare_commands(const std::string& page) {
  Lines found;
  for (const auto& one : fixpoint::all_found(page, "(\n    |`)fixpoint [a-z]+ [^\n`]*"))
    found.push_back(one[0]);
  return found;
}

TEST(DocsReferences, CommandsAreWrittenInOneWay) {
  for (const Text& text : texts()) {
    const bool is_written = text.is_page() && text.path.find("golden") == std::string::npos &&
                            text.path.find("scoreboard") == std::string::npos && text.path != "CHANGELOG.md";
    if (is_written) {
      EXPECT_EQ(bare_commands(text.text), Lines{}) << text.path;
    }
  }
  EXPECT_EQ(bare_commands("`fixpoint fuzz a`, `./fixpoint fuzz a`\n    fixpoint gate --all\n").size(), 2U);
}

TEST(DocsReferences, TheIndexNamesEveryPage) {
  const std::string index = read(FIXPOINT_SOURCE "/docs/README.md");
  for (const auto& entry : files::directory_iterator(FIXPOINT_SOURCE "/docs")) {
    const std::string name = entry.path().filename();
    EXPECT_TRUE(name == "README.md" || index.find("](" + name + ")") != std::string::npos) << name;
  }
}

/// Returns the text with `.md` for `~` and a colon for `%`; they are written so that the check above finds no
/// page in this file.
std::string planted(std::string text) {
  return fixpoint::replaced(fixpoint::replaced(text, "~", ".md"), "%", ":");
}
Lines problems_in(const std::string& path, const std::string& text) {
  return problems_of({planted(path), planted(text)});
}

TEST(DocsReferences, TheChecksCatchWhatTheyShould) {
  EXPECT_EQ(problems_in("a.cpp", "// docs/judging~#verdicts, docs/judging~"), Lines{});
  EXPECT_EQ(problems_in("a.cpp", "// (docs/judging~#verdict)."),
            Lines{planted("docs/judging~ has no anchor verdict")});
  EXPECT_EQ(problems_in("run", "# see docs/judgement~"), Lines{planted("there is no docs/judgement~")});
  EXPECT_EQ(problems_in("a~", "[a](docs/judging~#verdicts) [b](https%//example.com/docs/x~)"), Lines{});
  EXPECT_EQ(problems_in("docs/a~", "[a](formats~#case) [b](../README~) [c](formats~#cases)"),
            Lines{planted("docs/formats~ has no anchor cases")});
  EXPECT_EQ(problems_in("docs/a~", "[a](nowhere~)"), Lines{planted("there is no docs/nowhere~")});
  EXPECT_EQ(problems_in("docs/a~", "`[a](nowhere~)` [`b`](formats~)"), Lines{});
  EXPECT_EQ(problems_in("a.h", "/// As (formats~, Case) says."), Lines{planted("names formats~")});
  EXPECT_EQ(problems_in("a.h", "int x;  // decisions~"), Lines{planted("names decisions~")});
  EXPECT_EQ(problems_in("a.h", "/// One (spec \xC2\xA7 3.6).\nint x;\n/// Two (specs% 2.1)."),
            (Lines{"cites spec \xC2\xA7", planted("cites specs% ")}));
  EXPECT_EQ(slug_of("<a id=\"1\"></a>1.2 Ours & `theirs`, again"), "12-ours--theirs-again");
  EXPECT_EQ(anchors_of("# A b\n```\n# no\n```\n## <a id=\"2-1\"></a>C\n"),
            (std::set<std::string>{"2-1", "a-b", "c"}));
}

}  // namespace
