#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "corpus/strangers.h"
#include "harness/cli/program_test.h"
#include "harness/document/json.h"
#include "injectors/bundled.h"

namespace fixpoint::score {
namespace {

namespace files = std::filesystem;

constexpr const char* kOurCorpus = FIXPOINT_SOURCE "/corpus";
constexpr const char* kStrangersBoard = FIXPOINT_SOURCE "/corpus/strangers/scoreboard.json";

bool is_there(const std::string& tool) {
  return std::system(("command -v " + tool + " >/dev/null 2>&1").c_str()) == 0;
}

/// Runs `score strangers` on the repository's strangers or on a corpus in the test's own folder.
class ScoreStrangers : public cli::ProgramTest {
 protected:
  Outcome bench(const std::string& arguments) const {
    return run("strangers " + arguments, kOurCorpus, FIXPOINT_SCORE);
  }
  Outcome bench_own(const std::string& arguments) const {
    return run("strangers " + arguments, path("corpus"), FIXPOINT_SCORE);
  }

  /// Writes a catalog of these rows, beside the repository's Python programs.
  void catalog(const std::string& rows) const {
    files::create_directories(path("corpus/strangers"));
    files::copy(std::string(kOurCorpus) + "/strangers/python", path("corpus/strangers/python"),
                files::copy_options::recursive | files::copy_options::overwrite_existing);
    write("corpus/strangers/catalog.yaml", rows);
  }
  /// Writes a program and its configuration, which the catalog of a test names.
  void program(const std::string& file, const std::string& text, const std::string& configuration) const {
    for (const std::string& name : {file, configuration})
      files::create_directories(files::path(path("corpus/strangers/" + name)).parent_path());
    write("corpus/strangers/" + file, text);
    write("corpus/strangers/" + configuration, cli::kOneWebhook);
  }
};

TEST_F(ScoreStrangers, HasACatalogThatNamesWhatThereIs) {
  const auto kinds = properties::observation_kinds();
  const auto strangers = corpus::read_strangers(std::string(kOurCorpus) + "/strangers");
  ASSERT_TRUE(strangers.ok()) << strangers.error().text();
  const auto properties = injectors::bundled().catalog;
  std::size_t right = 0;
  for (const corpus::Stranger& stranger : *strangers) {
    right += stranger.is_right ? 1 : 0;
    EXPECT_TRUE(stranger.why.ends_with('.')) << stranger.name << ": why is a sentence";
    for (const std::string& name : stranger.finds) {
      const bool is_observation = std::find(kinds.begin(), kinds.end(), name) != kinds.end();
      EXPECT_TRUE(is_observation || properties.find(name) != nullptr) << stranger.name << ": " << name;
    }
  }
  EXPECT_GE(right, 8u);
  EXPECT_GE(strangers->size() - right, 6u);
}

/// A part of what CI and the nightly run check.
TEST_F(ScoreStrangers, FindsAWrongOneAndLeavesARightOneAlone) {
  if (!is_there("python3")) GTEST_SKIP() << "there is no python3";
  const Outcome done =
      bench("image-mirror log-volume --cases 20 --seeds 1 --check " + std::string(kStrangersBoard));
  EXPECT_EQ(done.code, 0) << done.out << done.err;
  EXPECT_EQ(done.out, "2 strangers over 1 seeds, 0 of them not run: nothing lost against " +
                          std::string(kStrangersBoard) + "\n");
}

TEST_F(ScoreStrangers, GivesTheSameFiguresWithAnyNumberOfJobs) {
  if (!is_there("python3")) GTEST_SKIP() << "there is no python3";
  const auto of = [&](const std::string& jobs) {
    const Outcome done = bench("image-mirror log-volume --cases 20 --seeds 1 --json --jobs " + jobs);
    EXPECT_EQ(done.code, 0) << done.out << done.err;
    auto board = document::read_json(done.out).value();
    for (std::size_t i = 0; i < board["scores"].size(); ++i)
      board.edit("scores").edit(i).remove("milliseconds");
    return board;
  };
  const auto one = of("1");
  EXPECT_EQ(document::write_json(one), document::write_json(of("3")));
  EXPECT_EQ(one["bound"].text(), "20 Cases");
  const document::Value &mirror = one["scores"].at(0), &logs = one["scores"].at(1);
  EXPECT_EQ(mirror["name"].text(), "image-mirror");
  EXPECT_EQ(mirror["cases"].integer(), 20);
  EXPECT_GT(mirror["acted"].integer(), 10);
  EXPECT_EQ(mirror["alarms"].size(), 0u);
  EXPECT_EQ(mirror["observations"].at(0)["property"].text(), "rewrites");
  EXPECT_EQ(mirror["observations"].at(0)["runs"].integer(), 1);
  EXPECT_EQ(logs["found"].integer(), 1);
  EXPECT_GT(logs["findings"]["median"].integer(), 0);
  EXPECT_GT(logs["problems"]["median"].integer(), 0);
  EXPECT_LE(logs["problems"]["worst"].integer(), logs["findings"]["worst"].integer());
}

TEST_F(ScoreStrangers, NamesWhatIsLostAndQuotesWhoIsBlamed) {
  if (!is_there("python3")) GTEST_SKIP() << "there is no python3";
  catalog(
      "- {name: blamed, program: python/log_volume.py, right: true, reason: It is not.}\n"
      "- {name: missed, program: python/image_mirror.py, right: false, reason: It is not., finds: "
      "[answers]}\n");
  write("board.json",
        R"({"apiVersion":"fixpoint/v1","kind":"Scoreboard","family":"strangers","scores":[
             {"name":"blamed","right":true,"runs":2},{"name":"missed","right":false,"runs":2,"found":2}]})");
  const Outcome checked = bench_own("--cases 30 --seeds 1 --check board.json");
  EXPECT_EQ(checked.code, 1) << checked.err;
  EXPECT_NE(checked.out.find("LOST   blamed: is right and blamed by no-duplicate-names (error): "),
            std::string::npos)
      << checked.out;
  EXPECT_NE(checked.out.find("LOST   missed: is found in 0 of 1 runs, the scoreboard says 2 of 2\n"),
            std::string::npos)
      << checked.out;
  EXPECT_NE(checked.out.find("ALARM  blamed: error no-duplicate-names in logs/logs.example.io: "),
            std::string::npos)
      << checked.out;
  const Outcome shown = bench_own("blamed --cases 30 --seeds 1");
  EXPECT_EQ(shown.code, 1);
  EXPECT_NE(shown.out.find("| right ones with a false alarm "), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("\n## False alarms\n\n- blamed: error "), std::string::npos) << shown.out;
}

TEST_F(ScoreStrangers, TakesAWebhookThatNeverActsForNoVerdict) {
  if (!is_there("python3")) GTEST_SKIP() << "there is no python3";
  catalog("- {name: idle, program: python/idle.py, right: true, reason: It does nothing.}\n");
  program("python/idle.py", "import admission\n\nadmission.serve(lambda pod, request: None)\n",
          "python/idle.yaml");
  const Outcome done = bench_own("--cases 10 --seeds 1");
  EXPECT_EQ(done.code, 1) << done.out << done.err;
  EXPECT_NE(done.out.find("| runs without a verdict "), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("\n## Without a verdict\n\n- idle: `no verdict: "), std::string::npos) << done.out;
}

TEST_F(ScoreStrangers, CountsApartWhatCannotRunHere) {
  program("node/a.js", "", "node/a.yaml");
  write("corpus/strangers/catalog.yaml",
        "- {name: a, program: node/a.js, right: false, reason: It is not run., finds: [answers]}\n");
  write("board.json",
        R"({"apiVersion":"fixpoint/v1","kind":"Scoreboard","family":"strangers","scores":[
             {"name":"a","right":false,"runs":2,"found":2}]})");
  const std::string program =
      "env FIXPOINT_CORPUS=corpus PATH=" + path("nothing") + " " FIXPOINT_SCORE " strangers ";
  const auto in_folder = [&](const std::string& arguments) {
    const std::string line = "cd " + path("") + " && " + program + arguments + " >out 2>err";
    return std::system(line.c_str());
  };
  EXPECT_EQ(in_folder("--cases 10"), 0);
  EXPECT_NE(read("out").find("not run: needs node"), std::string::npos) << read("out");
  EXPECT_EQ(in_folder("--cases 10 --check board.json"), 0);
  EXPECT_EQ(read("out"), "1 strangers over 2 seeds, 1 of them not run: nothing lost against board.json\n");
  EXPECT_NE(in_folder("--cases 10 --save"), 0);
  EXPECT_EQ(read("err"), "fixpoint: a needs node; nothing is written\n");
  EXPECT_FALSE(files::exists(path("corpus/strangers/scoreboard.json")));
}

/// A webhook that allows everything.
constexpr const char* kAllowingGoProgram = R"(package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
)

func main() {
	uid := regexp.MustCompile(`"uid":"[^"]*"`)
	reviews := bufio.NewScanner(os.Stdin)
	reviews.Buffer(nil, 1<<20)
	for reviews.Scan() {
		fmt.Print(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"allowed":true,`,
			uid.FindString(reviews.Text()), "}}\n")
	}
}
)";

TEST_F(ScoreStrangers, BuildsGoPrograms) {
  if (!is_there("go")) GTEST_SKIP() << "there is no go";
  program("go/cmd/a/main.go", kAllowingGoProgram, "go/cmd/a.yaml");
  write("corpus/strangers/go/go.mod", "module strangers.example.io\n\ngo 1.20\n");
  write("corpus/strangers/catalog.yaml",
        "- {name: a, program: go/cmd/a/main.go, right: true, reason: It does nothing.}\n");
  const Outcome done = bench_own("--cases 10 --seeds 1");
  EXPECT_EQ(done.code, 1) << done.err;
  EXPECT_NE(done.out.find("- a: `no verdict: "), std::string::npos) << done.out << done.err;
  program("go/cmd/a/main.go", "package main\n\nfunc main() { gone() }\n", "go/cmd/a.yaml");
  const Outcome broken = bench_own("--cases 10 --seeds 1");
  EXPECT_EQ(broken.code, 2);
  EXPECT_NE(broken.err.find("corpus/strangers/go/cmd/a/main.go: go build: exit 1: "), std::string::npos)
      << broken.err;
  EXPECT_NE(broken.err.find("undefined: gone"), std::string::npos) << broken.err;
}

TEST_F(ScoreStrangers, SaysInOneLineWhatIsWrongWithTheCommandLine) {
  const struct {
    const char* arguments;
    const char* says;
  } rows[] = {{"image-miror", "there is no stranger \"image-miror\" (did you mean \"image-mirror\"?)"},
              {"--seeds 0", "--seeds: expected 1 to 999"},
              {"--cases 0", "--cases: expected at least 1"},
              {"--time soon", "--time soon: expected a duration such as 8s or 5m"},
              {"--time 0", "--time 0: expected --cases with it, or a run would never end"},
              {"image-mirror --save", "--save writes the scores of all strangers"},
              {"--check /dev/null", "/dev/null: not a regular file"}};
  for (const auto& row : rows) {
    const Outcome refused = bench(row.arguments);
    EXPECT_EQ(refused.code, 2) << row.arguments;
    EXPECT_EQ(refused.err, std::string("fixpoint: ") + row.says + "\n");
    EXPECT_EQ(refused.out, "");
  }
  write("board.json", R"({"apiVersion":"fixpoint/v1","kind":"Case"})");
  EXPECT_EQ(bench("--check board.json").err.find("fixpoint: board.json: /kind: expected one of"), 0u);
  EXPECT_EQ(bench("--check " FIXPOINT_SOURCE "/corpus/scoreboard.json").err,
            "fixpoint: " FIXPOINT_SOURCE "/corpus/scoreboard.json: expected a scoreboard of strangers\n");
  write("corpus/strangers/catalog.yaml", "");
  EXPECT_EQ(bench_own("").code, 2);
}

}  // namespace
}  // namespace fixpoint::score
