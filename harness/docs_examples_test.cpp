#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/policy.h"
#include "harness/cases/finding.h"
#include "harness/cases/script.h"
#include "harness/cases/sequence.h"
#include "harness/cli/work_folder_model.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/external/manifests/manifest.h"
#include "harness/patterns_model.h"
#include "injectors/bundled.h"
#include "reports/report_schema_model.h"

namespace fixpoint {
namespace {

namespace files = std::filesystem;
using document::Value;

std::string read(const files::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Returns the fenced blocks of a page that follow a line `<!-- example: KIND -->`, by kind.
std::multimap<std::string, std::string> examples_of(const std::string& page) {
  std::multimap<std::string, std::string> examples;
  std::istringstream text(page);
  const std::string mark = "<!-- example: ";
  for (std::string line, kind; std::getline(text, line);) {
    const bool is_fence = line.starts_with("```");
    if (line.starts_with(mark)) {
      kind = line.substr(mark.size(), line.find(' ', mark.size()) - mark.size());
    } else if (is_fence && !kind.empty()) {
      std::string block;
      while (std::getline(text, line) && !line.starts_with("```")) block += line + "\n";
      examples.emplace(std::exchange(kind, ""), block);
    } else if (is_fence) {
      while (std::getline(text, line) && !line.starts_with("```")) {
      }
    }
  }
  return examples;
}

/// Reads an example and returns why it is refused; empty if it is not.
using Read = std::function<std::string(const std::string& text)>;

std::string of_schema(const std::string& schema, const Value& document) {
  return reports::schema_problems(FIXPOINT_SOURCE "/reports/schemas", schema, document::write_json(document));
}

/// Checks each document of an example against the schema, then with the reader.
Read each(const std::string& schema, std::function<std::string(const Value&)> reader) {
  return [=](const std::string& text) {
    const auto documents = document::read_stream(text);
    if (!documents) return documents.error().text();
    std::string problems = documents->empty() ? "nothing" : "";
    for (const Value& document : *documents) {
      if (!schema.empty()) problems += of_schema(schema, document);
      problems += reader(document);
    }
    return problems;
  };
}

template <class T>
std::string error_of(const document::Result<T>& result) {
  return result ? "" : result.error().text();
}

std::string nothing_reads_it(const Value&) { return ""; }

std::string read_subject_file(const std::string& text) {
  const cli::WorkFolder folder("docs-subject");
  const std::string path = folder.write("subject.yaml", text);
  return error_of(external::read_manifest(path, external::ExternalWebhooks(injectors::bundled())));
}

/// Reads a policy in a folder that contains the files that policies of this repository refer to.
std::string read_policy_file(const std::string& text) {
  const cli::WorkFolder folder("docs-policy");
  files::create_symlink(FIXPOINT_SOURCE "/corpus", folder.path("corpus"));
  const auto read = campaign::read_policy(folder.write("fixpoint.yaml", text));
  const auto* problems = std::get_if<std::vector<document::Error>>(&read);
  return problems == nullptr ? "" : problems->front().text();
}

Read both(Read first, Read second) {
  return [=](const std::string& text) { return first(text) + second(text); };
}

/// Returns the readers by the KIND of `<!-- example: KIND -->`.
const std::map<std::string, Read>& readers() {
  const auto& bundled = injectors::bundled();
  static const std::map<std::string, Read> all{
      {"case", each("case.json",
                    [&](const Value& value) {
                      return error_of(cases::read_case(value, bundled.known_injectors()));
                    })},
      {"script",
       [](const std::string& text) {
         const auto documents = document::read_stream(text);
         return documents ? error_of(cases::read_script(documents->front())) : documents.error().text();
       }},
      {"subject", both(each("subject.json", nothing_reads_it), read_subject_file)},
      {"sequence", each("sequence.json",
                        [&](const Value& value) {
                          return error_of(cases::read_sequence(value, bundled.sequence_reader()));
                        })},
      {"finding", each("finding.json",
                       [&](const Value& value) {
                         return error_of(cases::read_finding(value, bundled.known_injectors(),
                                                             bundled.sequence_reader()));
                       })},
      {"problem", each("problem.json", nothing_reads_it)},
      {"policy", both(each("policy.json", nothing_reads_it), read_policy_file)},
      {"events", each("events.json", nothing_reads_it)}};
  return all;
}

std::string problems_of_example(const std::string& kind, const std::string& text) {
  const auto reader = readers().find(kind);
  return reader == readers().end() ? "there is no reader of " + kind : reader->second(text);
}

TEST(DocsExamples, AreReadAsWhatTheyAre) {
  std::set<std::string> met;
  for (const auto& [kind, text] : examples_of(read(FIXPOINT_SOURCE "/docs/formats.md"))) {
    met.insert(kind);
    EXPECT_EQ(problems_of_example(kind, text), "") << kind << "\n" << text;
  }
  for (const auto& [kind, reader] : readers()) EXPECT_TRUE(met.contains(kind)) << "no example of a " << kind;
}

TEST(DocsExamples, AreFoundAndRefused) {
  const auto found = examples_of("a\n<!-- example: case -->\n```yaml\na: 1\n\nb: 2\n```\n```yaml\nc\n```\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.begin()->second, "a: 1\n\nb: 2\n");
  const auto page = examples_of(read(FIXPOINT_SOURCE "/docs/formats.md"));
  for (const auto& [kind, text] : page) {
    // A wrong example is made for a script, for events, and for every other kind.
    const std::string wrong = kind == "script"   ? text + "- {whenn: {call: 1}, warn: [a]}\n"
                              : kind == "events" ? text + R"({"event":"begin"})"
                                                 : replaced(text, "fixpoint/v1", "fixpoint/v0");
    EXPECT_NE(problems_of_example(kind, wrong), "") << kind;
  }
  EXPECT_NE(problems_of_example("outcome", ""), "");
}

/// Returns the blocks of a page that stand in no program of the consumer, which tests build and run. A block
/// of C++ or CMake names its file; a block of text shows output.
std::vector<std::string> blocks_in_no_program(const std::string& page) {
  std::vector<std::string> found;
  for (const auto& [file, text] : examples_of(page)) {
    if (read(FIXPOINT_SOURCE "/harness/api/consumer/" + file).find(text) == std::string::npos)
      found.push_back(text);
  }
  for (const auto& match : all_found(page, "(\n[^\n]*)\n```(cpp|cmake)\n([^\n]*)")) {
    if (!match[1].starts_with("\n<!-- example: ")) found.push_back(match[3]);
  }
  return found;
}

TEST(DocsExamples, OfTheLibraryStandInProgramsThatAreBuilt) {
  const std::string page = read(FIXPOINT_SOURCE "/docs/library.md");
  EXPECT_GT(examples_of(page).size(), 8u);
  EXPECT_EQ(blocks_in_no_program(page), std::vector<std::string>{});
  const std::string good =
      "\n<!-- example: CMakeLists.txt -->\n```cmake\nproject(consumer LANGUAGES CXX)\n```\n";
  EXPECT_EQ(blocks_in_no_program(good), std::vector<std::string>{});
  EXPECT_EQ(blocks_in_no_program(replaced(good, "consumer", "other")),
            std::vector<std::string>{"project(other LANGUAGES CXX)\n"});
  EXPECT_EQ(blocks_in_no_program("\nText.\n```cpp\nint x;\n```\n"), std::vector<std::string>{"int x;"});
}

/// A kind of document that fixpoint defines.
struct Kind {
  std::string name;
  std::string example;  ///< its KIND in docs/formats.md
  std::string schema;
  std::string reason = {};  ///< why the example or the schema is missing
};
const std::vector<Kind> kKinds{
    {"Case", "case", "case.json"},
    {"Subject", "subject", "subject.json"},
    {"Sequence", "sequence", "sequence.json"},
    {"Finding", "finding", "finding.json"},
    {"Policy", "policy", "policy.json"},
    {"Problem", "problem", "problem.json"},
    {"HistoryRun", "", "history.json", "a line of --history, which only fixpoint writes"},
    {"BenchBaseline", "", "bench-baseline.json", "written by bench --save and read by --baseline alone"},
    {"Outcome", "", "", "read in vectors alone, which recorders write"},
    {"Checkpoint", "", "", "read by fuzz --resume of the same version alone"},
    {"Scoreboard", "", "", "this repository's own scores, beside the page that shows them"}};

/// Returns the kinds that the readers in a source accept.
std::set<std::string> kinds_read_by(const std::string& source) {
  std::set<std::string> kinds;
  for (const auto& match : all_found(source, "choice\\(\"kind\", \\w+, \\{([^}]+)\\}\\)")) {
    if (match[1].starts_with('"')) {
      kinds.insert(match[1].substr(1, match[1].size() - 2));
    } else {
      for (const auto& constant : all_found(source, match[1] + " = \"(\\w+)\"")) kinds.insert(constant[1]);
    }
  }
  for (const auto& match : all_found(source, "kind == \"(\\w+)\" && \\w+\\[\"apiVersion\"\\]"))
    kinds.insert(match[1]);
  return kinds;
}

TEST(DocsExamples, EveryKindThatIsReadHasAnExampleAndASchema) {
  std::set<std::string> read_somewhere, known;
  for (const char* folder : {"harness", "corpus", "generators", "injectors", "reports"}) {
    for (const auto& entry : files::recursive_directory_iterator(files::path(FIXPOINT_SOURCE) / folder)) {
      if (entry.path().extension() != ".cpp" || entry.path().stem().string().ends_with("_test")) continue;
      read_somewhere.merge(kinds_read_by(read(entry.path())));
    }
  }
  for (const Kind& kind : kKinds) {
    known.insert(kind.name);
    EXPECT_TRUE(kind.example.empty() || readers().contains(kind.example)) << kind.name;
    EXPECT_TRUE(kind.schema.empty() || files::exists(FIXPOINT_SOURCE "/reports/schemas/" + kind.schema))
        << kind.name;
    EXPECT_EQ(kind.example.empty() || kind.schema.empty(), !kind.reason.empty()) << kind.name;
  }
  known.erase("Problem");  // is written but never read
  EXPECT_EQ(read_somewhere, known);
  EXPECT_EQ(kinds_read_by("const char* kKind = \"A\";\nfields.choice(\"kind\", word, {kKind});\n"
                          "if (kind == \"B\" && document[\"apiVersion\"] == x) choice(\"kind\", k, {\"C\"})"),
            (std::set<std::string>{"A", "B", "C"}));
}

TEST(DocsExamples, TheSchemaOfSubjectsIsAsStrictAsTheirReader) {
  const auto examples = examples_of(read(FIXPOINT_SOURCE "/docs/formats.md"));
  const auto subject = examples.find("subject");
  ASSERT_NE(subject, examples.end());
  const std::pair<const char*, const char*> changes[] = {
      {"triggers:", "trigger:"},
      {"initContainers: \\{agent: first", "initContainers: {agent: second"},
      {"spec.hostNetwork: ", "hostNetwork: "},
      {"username: ", "name: "},
      {"owns: .*", "owns: all"},
      {"labels: \\{team: \\[red", "labels: {team: [1"},
      {"\nname: .*", ""},
      {"MutatingWebhookConfiguration", "ConfigMap"}};
  for (const auto& [from, to] : changes) {
    const std::string text = replaced(subject->second, from, to);
    EXPECT_NE(text, subject->second) << from;
    EXPECT_NE(of_schema("subject.json", document::read_stream(text)->front()), "") << to;
    EXPECT_NE(read_subject_file(text), "") << to;
  }
}

}  // namespace
}  // namespace fixpoint
