#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "corpus/corpus_files.h"
#include "harness/cli/command.h"
#include "harness/cli/work_folder_model.h"
#include "harness/document/json.h"
#include "harness/document/output_file.h"
#include "harness/patterns_model.h"
#include "reports/report_schema_model.h"

namespace fixpoint::cli {
namespace {

namespace files = std::filesystem;

/// A fixture with a corpus of three regressions and two seeds, copied from the repository, in which `corpus`
/// runs.
class CorpusCare : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name :
         {"modelcar-volume-added-again.json", "hpa-never-at-rest.json", "metrics-env-beside-its-source.json"})
      copy("regressions", name);
    for (const char* name : {"explainer.yaml", "model-from-an-image.yaml"}) copy("seeds", name);
  }
  void copy(const std::string& part, const std::string& name) const {
    files::create_directories(folder_.path("corpus/" + part));
    files::copy_file(files::path(FIXPOINT_SOURCE "/corpus") / part / name,
                     folder_.path("corpus/" + part + "/" + name));
  }
  /// Replaces one part of a file, which must be in it.
  void edit(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = folder_.read(file);
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    folder_.write(file, text.replace(at, from.size(), to));
  }
  WorkFolder::Ran run(const std::string& line) const {
    return folder_.run(FIXPOINT_PROGRAM, folder_.path("corpus"), line);
  }
  /// Checks that `corpus verify` ends with this exit code and prints one line that contains the text.
  void expect_verdict(int code, const std::string& says) const {
    const auto ran = run("corpus verify");
    EXPECT_EQ(ran.code, code) << ran.out << ran.err;
    EXPECT_NE(ran.out.find(says), std::string::npos) << says << "\n" << ran.out;
    EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1) << ran.out;
  }
  const WorkFolder folder_{"corpus-care"};
  const std::string volume_ = "corpus/regressions/modelcar-volume-added-again.json";
};

TEST_F(CorpusCare, AGoodCorpusIsGood) { expect_verdict(0, "5 files, all as they should be\n"); }

TEST_F(CorpusCare, ARegressionThatIsNotWhatItSaysIsFound) {
  edit(volume_, "\"silent\": [\n      \"0.12.1\"", "\"silent\": [\n      \"0.12.0\"");
  expect_verdict(1,
                 "modelcar-volume-added-again.json: with kserve/modelcar@0.12.0 expected another answer, "
                 "found still failing");
}

TEST_F(CorpusCare, ARegressionThatIsFixedAsItIsStoredIsFound) {
  edit(volume_, "\"injector\": \"kserve/modelcar@0.12.0\"", "\"injector\": \"kserve/modelcar@0.12.1\"");
  expect_verdict(1, "modelcar-volume-added-again.json: does not fail as it is stored");
}

TEST_F(CorpusCare, AFileThatDoesNotReadIsBad) {
  folder_.write("corpus/seeds/half.json", "{\"apiVersion\":");
  expect_verdict(2, "seeds/half.json: document 1");
}

TEST_F(CorpusCare, AnEmptyFileIsBad) {
  folder_.write("corpus/seeds/nothing.yaml", "");
  expect_verdict(2, "seeds/nothing.yaml: expected a Case, a Sequence or a Finding, found nothing");
}

TEST_F(CorpusCare, AnInjectorThatIsNotThereIsBad) {
  edit(volume_, "\"injector\": \"kserve/modelcar@0.12.0\"", "\"injector\": \"kserve/modelcat@0.12.0\"");
  expect_verdict(2, "did you mean \"kserve/modelcar\"?");
}

TEST_F(CorpusCare, ACommandIsBadUnlessAllowed) {
  folder_.write("corpus/seeds/command.yaml",
                R"({"apiVersion":"fixpoint/v1","kind":"Case","request":{
"object":{"metadata":{"name":"p"},"spec":{}}},"cluster":{
"objects":[{"apiVersion":"admissionregistration.k8s.io/v1",
"kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},
"webhooks":[{"name":"a.b.c","admissionReviewVersions":["v1"],"sideEffects":"None"}]}]},
"webhooks":{"c/a.b.c":{"exec":["/bin/true"]}}})");
  expect_verdict(2, "seeds/command.yaml: document 1: /webhooks/c~1a.b.c/exec: ");
  EXPECT_EQ(run("corpus verify --allow-exec").code, 0);
}

TEST_F(CorpusCare, ASymbolicLinkAnywhereIsBad) {
  files::create_directories(folder_.path("corpus/fuzz/deep"));
  files::create_symlink("/etc/passwd", folder_.path("corpus/fuzz/deep/x.json"));
  expect_verdict(2, "fuzz/deep/x.json: a corpus holds no symbolic links");
}

TEST_F(CorpusCare, EveryCommandReadsTheSameFiles) {
  folder_.write("corpus/seeds/team/web.yaml", folder_.read("corpus/seeds/explainer.yaml"));
  EXPECT_NE(run("corpus list").out.find("corpus/seeds/team/web.yaml: "), std::string::npos);
  folder_.write("corpus/regressions/team/broken.json", "{}");
  EXPECT_NE(run("fuzz --cases 8 --out run").err.find("regressions/team/broken.json: "), std::string::npos);
}

TEST_F(CorpusCare, AFingerprintThatLeavesTheFolderIsBad) {
  const std::string text = folder_.read(volume_);
  folder_.write(volume_, replaced(text, "\"fingerprint\": \"[0-9a-f]+\"", "\"fingerprint\": \"../../x\""));
  expect_verdict(2, "/fingerprint: expected a fingerprint, found \"../../x\"");
}

TEST_F(CorpusCare, ANameThatLeavesTheFolderIsBad) {
  edit("corpus/seeds/explainer.yaml", "name: explainer", "name: ../explainer");
  expect_verdict(2, "/name: expected a name that can be a file's, found \"../explainer\"");
}

TEST_F(CorpusCare, AnUnknownVersionIsBad) {
  edit("corpus/seeds/explainer.yaml", "fixpoint/v1", "fixpoint/v7");
  expect_verdict(2, "/apiVersion: expected one of \"fixpoint/v1\", found \"fixpoint/v7\"");
}

TEST_F(CorpusCare, RewritingMakesCanonicalAndKeepsWhereThingsComeFrom) {
  const std::string before = folder_.read(volume_);
  const Value whole = document::read_json(before, {}).value();
  folder_.write(volume_, document::write_json(whole));
  expect_verdict(2, "is not canonical (--rewrite makes it so)");
  EXPECT_EQ(run("corpus verify --rewrite").code, 0);
  EXPECT_EQ(folder_.read(volume_), before) << "found, note and expect stand as they did";
  EXPECT_NE(before.find("\"found\""), std::string::npos);
  EXPECT_NE(before.find("\"expect\""), std::string::npos);
}

TEST_F(CorpusCare, WhatHoldsNothingIsNotGood) {
  files::create_directories(folder_.path("empty"));
  EXPECT_EQ(run("corpus verify empty").code, 2);
  EXPECT_EQ(run("corpus verify nowhere").code, 2);
}

TEST_F(CorpusCare, MinimisingKeepsWhatIsShownAndTheRegressions) {
  const std::string seed = folder_.read("corpus/seeds/explainer.yaml");
  folder_.write("corpus/seeds/second.yaml", replaced(seed, "name: explainer", "name: second"));
  const auto dry = run("corpus minimise corpus --dry-run");
  EXPECT_EQ(dry.code, 0) << dry.err;
  EXPECT_NE(dry.out.find("corpus/seeds/second.yaml: superfluous\n"), std::string::npos) << dry.out;
  EXPECT_TRUE(files::exists(folder_.path("corpus/seeds/second.yaml")));
  const auto wet = run("corpus minimise corpus");
  EXPECT_NE(wet.out.find("corpus/seeds/second.yaml: removed\n"), std::string::npos) << wet.out;
  EXPECT_FALSE(files::exists(folder_.path("corpus/seeds/second.yaml")));
  EXPECT_EQ(folder_.names("corpus/regressions").size(), 3u);
  const auto again = run("corpus minimise corpus");
  EXPECT_EQ(again.out.find("removed"), std::string::npos) << "nothing is left to remove: " << again.out;
  EXPECT_EQ(run("corpus minimise nowhere").code, 2);
  files::create_symlink("/etc/passwd", folder_.path("corpus/x.json"));
  EXPECT_EQ(run("corpus minimise corpus").code, 2);
}

TEST(IsFileName, KeepsToItsFolder) {
  for (const char* good : {"a", "75925b08be9e", "kserve-modelcar@0.12.0", "a..b"})
    EXPECT_TRUE(document::is_file_name(good)) << good;
  for (const char* bad : {"", ".", "..", "../x", "a/b", "/etc/passwd", ".hidden", "a\nb", "a b", "a\\b"})
    EXPECT_FALSE(document::is_file_name(bad)) << bad;
}

/// A fixture that runs command lines in a folder with several runs.
class CorpusMerge : public testing::Test {
 protected:
  WorkFolder::Ran run(const std::string& line) const {
    return folder_.run(FIXPOINT_PROGRAM, FIXPOINT_SOURCE "/corpus", line);
  }
  void fuzz(const std::string& shard, const std::string& out, const std::string& more = "") const {
    run("fuzz defects/volume-without-guard --seed 7 --cases 300 --shard " + shard + " --out " + out + " " +
        more);
  }
  const WorkFolder folder_{"merge"};
};

TEST_F(CorpusMerge, AnyOrderGivesTheSameRunAndTheSumOfAll) {
  for (const char* index : {"0", "1", "2"}) fuzz(std::string(index) + "/3", std::string("s") + index);
  EXPECT_NE(folder_.read("s0/events.ndjson"), folder_.read("s1/events.ndjson"));
  const auto merged = run("corpus merge s0 s1 s2 --out a");
  EXPECT_EQ(merged.code, 1) << merged.err;
  EXPECT_NE(merged.out.find("3 runs joined in a\n\ndefects/volume-without-guard@buggy: seed 7, 900 Cases"),
            std::string::npos)
      << merged.out;
  EXPECT_EQ(run("corpus merge s2 s0 s1 --out b").code, 1);
  EXPECT_TRUE(folder_.read("a/events.ndjson") == folder_.read("b/events.ndjson"));
  EXPECT_EQ(folder_.read("a/run.json"), folder_.read("b/run.json"));
  EXPECT_EQ(folder_.names("a/findings"), folder_.names("b/findings"));
  run("corpus merge s2 s1 --out half");
  EXPECT_EQ(run("corpus merge half s0 --out c").code, 1);
  EXPECT_TRUE(timeless(folder_.read("a/events.ndjson")) == timeless(folder_.read("c/events.ndjson")))
      << "joined runs join as their parts do";
  std::set<std::string> prints;
  for (const char* shard : {"s0", "s1", "s2"}) {
    for (const std::string& name : folder_.names(std::string(shard) + "/findings")) prints.insert(name);
  }
  const auto kept = folder_.names("a/findings");
  EXPECT_EQ(std::set<std::string>(kept.begin(), kept.end()), prints);
  EXPECT_EQ(run("replay a/findings/*.json").code, 1);
}

TEST_F(CorpusMerge, EventsOfShardsAndOfJoinedRunsAreWhatTheirSchemaSays) {
  for (const char* index : {"0", "1"}) fuzz(std::string(index) + "/2", std::string("s") + index);
  run("corpus merge s0 s1 --out joined");
  for (const std::string name : {"s0", "s1", "joined"}) {
    std::istringstream events(folder_.read(name + "/events.ndjson"));
    int read = 0;
    for (std::string line; std::getline(events, line); ++read)
      EXPECT_EQ(reports::schema_problems(FIXPOINT_SOURCE "/reports/schemas", "events.json", line), "")
          << name << ": " << line;
    EXPECT_GT(read, 2) << name;
  }
  const std::string event = R"({"event":"start","version":"0","subjects":[],"limits":{}})";
  EXPECT_NE(reports::schema_problems(FIXPOINT_SOURCE "/reports/schemas", "events.json", event), "")
      << "neither a seed nor runs that were joined";
}

TEST_F(CorpusMerge, KeepsTheSmallerCase) {
  fuzz("0/2", "s0");
  fuzz("1/2", "s1");
  const auto names = folder_.names("s0/findings");
  ASSERT_FALSE(names.empty());
  // The other run has the same finding with a larger Case.
  const std::string events = folder_.read("s0/events.ndjson"), print = names[0].substr(0, 12);
  std::string larger, line;
  for (std::istringstream lines(events); std::getline(lines, line);) {
    if (line.find("\"fingerprint\":\"" + print) == std::string::npos) continue;
    larger =
        replaced(line, "\"containers\":\\[", R"("containers":[{"image":"i","name":"one-more-than-needed"},)");
  }
  ASSERT_NE(larger.find("one-more-than-needed"), std::string::npos);
  folder_.write("s1/events.ndjson", folder_.read("s1/events.ndjson") + larger + "\n");
  for (const char* order : {"s0 s1", "s1 s0"}) {
    run(std::string("corpus merge ") + order + " --out out");
    EXPECT_EQ(folder_.read("out/findings/" + names[0]).find("one-more-than-needed"), std::string::npos)
        << order;
  }
}

TEST_F(CorpusMerge, RefusesWhatDoesNotBelongTogether) {
  fuzz("0/2", "s0");
  fuzz("1/2", "s1", "--sample-every 3");
  folder_.write("cut/events.ndjson", folder_.read("s0/events.ndjson"));
  folder_.shell(
      "cp -r s0 copy; cp -r s0 outside; sed -i 's/\"fingerprint\":\"[0-9a-f]*\"/\"fingerprint\":\"..\\/x\"/' "
      "outside/events.ndjson");
  const struct {
    const char* line;
    int code;
    const char* says;
  } rows[] = {{"corpus merge s0 copy --out x", 2, "copy: the same seed as in s0: it would count twice"},
              {"corpus merge s0 s1 --out x", 2, "s1: another run than s0"},
              {"corpus merge s0 cut --out x", 2, "cut: no run that came to its end"},
              {"corpus merge s0 none --out x", 2, "none: there is no such folder"},
              {"corpus merge s0 --out s0", 2, "s0: is one of the runs to join"},
              {"corpus merge s0", 2, "expected --out FOLDER"},
              {"corpus merge --out x", 2, "expected folders of runs"},
              {"corpus merge outside --out x", 3, "expected a fingerprint, found \"../x\""}};
  for (const auto& row : rows) {
    const auto ran = run(row.line);
    EXPECT_EQ(ran.code, row.code) << row.line << ran.out;
    EXPECT_NE(ran.err.find(row.says), std::string::npos) << row.line << ": " << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

}  // namespace
}  // namespace fixpoint::cli
