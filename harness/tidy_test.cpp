#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "harness/patterns_model.h"
#include "harness/sources_test.h"
#include "injectors/bundled.h"
#include "injectors/defects/defects.h"
#include "injectors/injector_catalog.h"
#include "injectors/reconcilers.h"

namespace {

namespace files = std::filesystem;
using fixpoint::Source;
using fixpoint::sources;

/// Returns the included files of the repository. A public header is also included by the name under which it
/// is installed, <fixpoint/NAME>.
std::vector<std::string> includes_of(const Source& source) {
  static const std::string line("#include (\"|<fixpoint/)([^\">]+)[\">]");
  std::vector<std::string> found;
  for (const auto& match : fixpoint::all_found(source.text, line)) {
    found.push_back((match[1] == "\"" ? "" : "harness/api/") + match[2]);
  }
  return found;
}

/// From the bottom, the folders of each floor.
using Floors = std::vector<std::vector<std::string>>;

/// Returns the floor of a file, counted from the bottom; generators, injectors, corpus and reports share one.
/// A file in no listed folder is above all floors: a program, or code shared by tests.
int floor_of(const std::string& path) {
  static const Floors kFloors{
      {"harness/document"},  {"harness/cases"},     {"harness/webhooks"},
      {"harness/apiserver"}, {"harness/reconcile"}, {"harness/properties"},
      {"harness/runner"},    {"harness/external"},  {"generators", "injectors", "corpus", "reports"},
      {"harness/compare"},   {"harness/measure"},   {"harness/conformance"},
      {"harness/campaign"},  {"harness/api"},       {"harness/cli"},
      {"harness/score"}};
  for (std::size_t floor = 0; floor < kFloors.size(); ++floor) {
    for (const std::string& folder : kFloors[floor])
      if (path.starts_with(folder + "/")) return static_cast<int>(floor);
  }
  return static_cast<int>(kFloors.size());
}
std::string room_of(const std::string& path) {
  const auto first = path.find('/');
  return path.starts_with("harness/") ? path.substr(0, path.find('/', first + 1)) : path.substr(0, first);
}

TEST(Tidy, NobodyIncludesUpwardOrSideways) {
  for (const Source& source : sources()) {
    if (source.is_top_file()) continue;
    for (const std::string& include : includes_of(source)) {
      const int here = floor_of(source.path), there = floor_of(include);
      EXPECT_LE(there, here) << source.path << " includes " << include << ", a higher floor";
      EXPECT_TRUE(here != there || room_of(source.path) == room_of(include))
          << source.path << " includes " << include;
      EXPECT_FALSE((Source{include, ""}).is_top_file()) << source.path << " includes the leaf " << include;
    }
  }
}

/// Expects that the parts of a room, its folders, include lower ones alone. The files of the room itself are
/// the part "".
void expect_ladder(const std::string& room, const Floors& parts) {
  const auto part_of = [&](const std::string& path) {
    const std::string rest = path.substr(room.size());
    return rest.find('/') == std::string::npos ? std::string() : rest.substr(0, rest.find('/'));
  };
  const auto floor_of_part = [&](const std::string& part) {
    for (std::size_t floor = 0; floor < parts.size(); ++floor)
      if (std::find(parts[floor].begin(), parts[floor].end(), part) != parts[floor].end())
        return static_cast<int>(floor);
    return -1;
  };
  for (const Source& source : sources()) {
    if (source.is_top_file() || !source.path.starts_with(room)) continue;
    const std::string part = part_of(source.path);
    EXPECT_GE(floor_of_part(part), 0) << source.path << " is in a folder without a floor";
    for (const std::string& include : includes_of(source)) {
      if (!include.starts_with(room) || part_of(include) == part) continue;
      EXPECT_LT(floor_of_part(part_of(include)), floor_of_part(part))
          << source.path << " includes " << include;
    }
  }
}

TEST(Tidy, BigRoomsAreLadders) {
  expect_ladder("harness/apiserver/", {{"text", "types"},
                                       {"decoding"},
                                       {"cel", "defaulting"},
                                       {"validation"},
                                       {"matching", "plugins", "preparation", "registrations", "custom"},
                                       {"policies", "warnings"},
                                       {"kinds"},
                                       {"registry"},
                                       {"dispatch"},
                                       {"judges"},
                                       {"admission"}});
  expect_ladder("harness/runner/", {{"learning"}, {""}, {"diagnosis"}, {"loop"}});
  expect_ladder("harness/external/", {{"cluster_api"}, {"backends"}, {"manifests"}});
}

/// Returns a folder that includes itself by way of others, with the way; empty if there is none.
std::string circle_of_folders(const std::vector<Source>& all) {
  std::map<std::string, std::set<std::string>> arrows;
  for (const Source& source : all) {
    if (source.is_top_file()) continue;
    const std::string folder = files::path(source.path).parent_path().string();
    for (const std::string& include : includes_of(source)) {
      const std::string other = files::path(include).parent_path().string();
      if (other != folder) arrows[folder].insert(other);
    }
  }
  std::set<std::string> done;
  std::vector<std::string> way;
  const std::function<std::string(const std::string&)> visit = [&](const std::string& folder) -> std::string {
    const bool was_met = std::find(way.begin(), way.end(), folder) != way.end();
    way.push_back(folder);
    if (was_met) {
      std::string text;
      for (const std::string& one : way) text += one + " > ";
      return text;
    }
    if (done.insert(folder).second) {
      for (const std::string& other : arrows[folder])
        if (std::string circle = visit(other); !circle.empty()) return circle;
    }
    way.pop_back();
    return "";
  };
  std::vector<std::string> folders;
  for (const auto& arrow : arrows) folders.push_back(arrow.first);
  for (const std::string& folder : folders)
    if (std::string circle = visit(folder); !circle.empty()) return circle;
  return "";
}

TEST(Tidy, NoFoldersIncludeEachOtherInACircle) {
  EXPECT_EQ(circle_of_folders(sources()), "");
  const Source a{"x/a/a.h", "#include \"x/b/b.h\"\n"}, b{"x/b/b.h", "#include \"x/c.h\"\n"},
      c{"x/c.h", "#include \"x/a/a.h\"\n"};
  EXPECT_EQ(circle_of_folders({a, b}), "");
  EXPECT_EQ(circle_of_folders({a, b, c}), "x > x/a > x/b > x > ");
}

bool is_oracle(const std::string& path) { return path.starts_with("harness/oracle/"); }

/// Returns the forbidden includes of a file: in the oracle, everything but the oracle, the standard library
/// and nlohmann's documents; in any other file that others include, everything of the oracle.
std::vector<std::string> sharing_with_the_oracle(const Source& source) {
  static const std::string line("#include ([<\"])([^>\"]+)[>\"]");
  static const std::string standard("[a-z_]+|nlohmann/json\\.hpp");
  std::vector<std::string> found;
  for (const auto& match : fixpoint::all_found(source.text, line)) {
    const std::string& include = match[2];
    const bool is_ours = match[1] == "\"";
    const bool is_fine = is_oracle(source.path)
                             ? (is_ours ? is_oracle(include) : fixpoint::is_whole(include, standard))
                             : source.is_top_file() || !is_oracle(include);
    if (!is_fine) found.push_back(include);
  }
  return found;
}

/// The oracle proves something only as long as it shares no code with the simulator.
TEST(Tidy, TheOracleSharesNothingWithTheProduct) {
  int read = 0;
  for (const Source& source : sources()) {
    read += is_oracle(source.path) ? 1 : 0;
    EXPECT_EQ(sharing_with_the_oracle(source), std::vector<std::string>{}) << source.path;
  }
  EXPECT_GT(read, 15);
}

/// Drawn Cases need generators and injectors, which are on floors above the server; such tests are in
/// harness/differential.
TEST(Tidy, TestsOfTheServerDrawNoCases) {
  for (const Source& source : sources()) {
    if (!source.path.starts_with("harness/apiserver/")) continue;
    for (const std::string& include : includes_of(source))
      EXPECT_LE(floor_of(include), floor_of("harness/apiserver/x.h"))
          << source.path << " includes " << include;
  }
}

/// Returns the base names that occur in more than one folder, without the endings of tests and the like. A
/// public header and its source in the folder `internal` are one file.
std::vector<std::string> names_of_two_folders(const std::vector<Source>& all) {
  std::map<std::string, std::set<std::string>> folders;
  for (const Source& source : all) {
    const files::path path(source.path);
    std::string base = path.stem().string();
    for (const std::string suffix : {"_test", "_bench", "_fuzz"})
      if (base.ends_with(suffix)) base.resize(base.size() - suffix.size());
    const files::path folder = path.parent_path();
    folders[base].insert((folder.filename() == "internal" ? folder.parent_path() : folder).string());
  }
  std::vector<std::string> found;
  for (const auto& [base, in] : folders)
    if (in.size() > 1) found.push_back(base);
  return found;
}
TEST(Tidy, OneBaseNameForOneFile) { EXPECT_EQ(names_of_two_folders(sources()), std::vector<std::string>{}); }

/// Returns the places that take a key of a webhook apart, <configuration>/<webhook>.
std::vector<std::string> split_keys(const Source& source) {
  static const std::string split(
      R"((webhook\w*|blamed|\w+\.first)(\.\w+)*\.(find|rfind|find_first_of|find_last_of)\(["']/)");
  std::vector<std::string> found;
  for (const auto& match : fixpoint::all_found(source.text, split)) found.push_back(match[0]);
  return found;
}

/// A key is read by cases::webhook_ref, and everybody else asks its reference.
TEST(Tidy, NobodyTakesTheKeyOfAWebhookApart) {
  for (const Source& source : sources()) {
    if (source.is_top_file()) continue;
    EXPECT_EQ(split_keys(source), std::vector<std::string>{}) << source.path;
  }
  const auto count = [](const char* text) { return split_keys({"a.cpp", text}).size(); };
  EXPECT_EQ(count("webhook.substr(0, webhook.find('/'));"), 1u);
  EXPECT_EQ(count("finding.webhook.rfind(\"/\") + one.first.find('/')"), 2u);
  EXPECT_EQ(count("value.webhooks.find(webhook); key.find('/'); webhook.find('=');"), 0u);
}

TEST(Tidy, EveryHeaderIsIncludedBySomebody) {
  std::set<std::string> included;
  for (const Source& source : sources()) {
    for (const std::string& include : includes_of(source)) {
      if (include.substr(0, include.rfind('.')) != source.path.substr(0, source.path.rfind('.')))
        included.insert(include);
    }
  }
  for (const Source& source : sources()) {
    EXPECT_TRUE(!source.is_header() || included.contains(source.path)) << source.path << " is dead";
  }
}

TEST(Tidy, FilesAreShortAndLinesToo) {
  for (const Source& source : sources()) {
    const auto lines = std::count(source.text.begin(), source.text.end(), '\n');
    EXPECT_LT(lines, source.is_header() ? 160 : 500) << source.path;
    std::istringstream text(source.text);
    int number = 0;
    for (std::string line; std::getline(text, line);) {
      ++number;
      const auto continuation =
          std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) == 0x80; });
      EXPECT_LE(static_cast<long>(line.size()) - continuation, 110) << source.path << ":" << number;
    }
  }
}

TEST(Tidy, HeadersHaveOneGuardAndNoMacros) {
  for (const Source& source : sources()) {
    EXPECT_TRUE(!source.is_header() || source.text.starts_with("#pragma once\n")) << source.path;
    EXPECT_EQ(source.text.find("\n#define "), std::string::npos) << source.path;
    EXPECT_EQ(source.text.find("TODO"),
              source.path == "harness/tidy_test.cpp" ? source.text.find("TODO") : std::string::npos)
        << source.path;
  }
}

TEST(Tidy, TheirOwnHeaderComesFirst) {
  for (const Source& source : sources()) {
    if (source.is_header() || source.is_top_file()) continue;
    const std::string own = source.path.substr(0, source.path.size() - 4) + ".h";
    const auto includes = includes_of(source);
    if (std::find(includes.begin(), includes.end(), own) == includes.end()) continue;
    const auto first = source.text.find("#include");
    EXPECT_EQ(source.text.substr(first, own.size() + 11), "#include \"" + own + "\"") << source.path;
  }
}

bool is_public(const Source& source) {
  return source.is_header() && !source.is_top_file() &&
         files::path(source.path).parent_path() == "harness/api";
}

/// Returns the includes of a public header that are neither of the standard library, nor public headers by
/// their installed names, nor of the library that the header is named for.
std::vector<std::string> wrong_includes_of_public(const Source& source) {
  static const std::string line("#include ([<\"])([^>\"]+)[>\"]");
  const std::string own = files::path(source.path).stem().string();
  std::vector<std::string> found;
  for (const auto& match : fixpoint::all_found(source.text, line)) {
    const std::string& include = match[2];
    const bool is_fine =
        match[1] == "<" && (fixpoint::is_whole(include, "[a-z_]+") || include.starts_with("fixpoint/") ||
                            include == own + ".h" || include.starts_with(own + "/"));
    if (!is_fine) found.push_back(include);
  }
  return found;
}

/// A user has the installed headers, the standard library, and the library that a header is named for.
TEST(Tidy, PublicHeadersNeedNothingElse) {
  int read = 0;
  for (const Source& source : sources()) {
    if (!is_public(source)) continue;
    ++read;
    EXPECT_EQ(wrong_includes_of_public(source), std::vector<std::string>{}) << source.path;
  }
  EXPECT_GT(read, 5);
}

TEST(Tidy, EveryFuzzTargetHasACorpus) {
  for (const Source& source : sources()) {
    if (!source.path.ends_with("_fuzz.cpp")) continue;
    const auto stem = files::path(source.path).stem().string();
    const auto corpus = files::path(FIXPOINT_SOURCE) / "corpus/fuzz" / stem.substr(0, stem.size() - 5);
    EXPECT_TRUE(files::exists(corpus) && !files::is_empty(corpus)) << source.path;
  }
}

TEST(Tidy, EveryCatalogRowIsNamedInATest) {
  std::string tests;
  for (const Source& source : sources()) tests += source.path.ends_with("_test.cpp") ? source.text : "";
  // A planted defect is tested by its row, which names the property that finds it.
  for (const auto& row : fixpoint::injectors::defects::all())
    tests += "\"" + std::string(row.caught_by) + "\"";
  const auto& catalog = fixpoint::injectors::bundled().catalog;
  for (const auto* property : catalog.of_cases()) {
    EXPECT_NE(tests.find("\"" + std::string(property->name) + "\""), std::string::npos) << property->name;
  }
  for (const auto* property : catalog.of_sequences()) {
    EXPECT_NE(tests.find("\"" + std::string(property->name) + "\""), std::string::npos) << property->name;
  }
  for (const auto& reconciler : fixpoint::injectors::all_reconcilers()) {
    EXPECT_NE(tests.find(std::string(reconciler.name)), std::string::npos) << reconciler.name;
  }
  for (const auto& injector : fixpoint::injectors::all()) {
    if (injector.role == fixpoint::injectors::Role::defect) continue;
    EXPECT_NE(tests.find(std::string(injector.name)), std::string::npos) << injector.name;
  }
}

TEST(Tidy, TheRulesCatchWhatTheyShould) {
  EXPECT_GT(floor_of("harness/runner/loop/run.h"), floor_of("harness/document/value.h"));
  EXPECT_EQ(floor_of("injectors/injector_catalog.h"), floor_of("reports/text.h"));
  EXPECT_NE(room_of("injectors/injector_catalog.h"), room_of("reports/text.h"));
  EXPECT_LT(floor_of("harness/external/manifests/manifest.h"), floor_of("injectors/bundled.h"));
  EXPECT_LT(floor_of("harness/campaign/fuzz_run.h"), floor_of("harness/cli/command.h"));
  EXPECT_NE(floor_of("harness/compare/case_differences.h"), floor_of("harness/campaign/policy.h"));
  EXPECT_TRUE((Source{"harness/document/patch_fuzz.cpp", ""}).is_top_file());
  EXPECT_EQ(
      names_of_two_folders({{"a/x.cpp", ""}, {"a/x.h", ""}, {"b/x_test.cpp", ""}, {"b/x_main.cpp", ""}}),
      std::vector<std::string>{"x"});
  using Includes = std::vector<std::string>;
  const std::string ours("#include \"harness/oracle/oracle_json.h\"\n#include \"harness/document/json.h\"\n");
  EXPECT_EQ(sharing_with_the_oracle({"harness/oracle/a.cpp", ours}), Includes{"harness/document/json.h"});
  EXPECT_EQ(sharing_with_the_oracle({"harness/oracle/a.cpp", "#include <fmt/core.h>\n#include <map>\n"}),
            Includes{"fmt/core.h"});
  EXPECT_EQ(sharing_with_the_oracle({"harness/runner/a.cpp", ours}),
            Includes{"harness/oracle/oracle_json.h"});
  EXPECT_EQ(sharing_with_the_oracle({"harness/runner/a_test.cpp", ours}), Includes{});
  EXPECT_EQ(includes_of({"x", "#include \"a/b.h\"\n#include <c>\n#include <fixpoint/d.h>\n"}),
            (Includes{"a/b.h", "harness/api/d.h"}));
  EXPECT_EQ(wrong_includes_of_public({"harness/api/a.h", ours}),
            (Includes{"harness/oracle/oracle_json.h", "harness/document/json.h"}));
  EXPECT_EQ(wrong_includes_of_public({"harness/api/gtest.h",
                                      "#include <fixpoint/a.h>\n#include <map>\n"
                                      "#include <gtest/gtest.h>\n"}),
            Includes{});
  EXPECT_EQ(wrong_includes_of_public({"harness/api/a.h", "#include <gtest/gtest.h>\n"}),
            Includes{"gtest/gtest.h"});
}

}  // namespace
