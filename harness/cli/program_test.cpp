#include "harness/cli/program_test.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/cases/minors.h"
#include "harness/cli/work_folder_model.h"
#include "harness/document/json.h"
#include "harness/patterns_model.h"
#include "reports/redact.h"

namespace {

namespace files = std::filesystem;

class Program : public fixpoint::cli::ProgramTest {
 protected:
  Outcome run(const std::string& arguments) const {
    return ProgramTest::run(arguments, FIXPOINT_SOURCE "/corpus");
  }
};

/// Returns the text of a Case file, with one part replaced by another.
std::string case_text(const std::string& from = "", const std::string& to = "") {
  std::string text =
      R"({"apiVersion":"fixpoint/v1","kind":"Case","request":{"object":{"metadata":{"name":"p"},
"spec":{"containers":[{"name":"a","image":"x"}]}}},"cluster":{"objects":[{"apiVersion":
"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},
"webhooks":[{"name":
"a.b.c","admissionReviewVersions":["v1"],"sideEffects":"None","rules":[{"apiGroups":[""],"apiVersions":["v1"],
"operations":["CREATE"],"resources":["pods"]}]}]}]},"webhooks":{"c/a.b.c":{"script":[]}}})";
  if (const auto at = text.find(from); !from.empty() && at != std::string::npos)
    text.replace(at, from.size(), to);
  return text;
}

TEST_F(Program, BadCasesGetOneLineAndExitTwo) {
  const struct {
    const char* from;
    const char* to;
    const char* says;
  } rows[] = {
      {"\"kind\":\"Case\"", "\"kind\":\"Cast\"",
       "document 1: /kind: expected one of \"Case\", found \"Cast\""},
      {"\"request\":", "\"requests\":", "document 1: /request: expected an object, found nothing"},
      {"\"image\":\"x\"", "\"image\":\"y\",\"image\":\"x\"", ""},
      {"\"script\":[]", "\"script\":[{}]",
       "/webhooks/c~1a.b.c/script/0: expected exactly one of patch, warn, audit, deny"},
      {"\"script\":[]", "\"injector\":\"kserve/modelcart\"",
       "unknown injector \"kserve/modelcart\" (did you mean \"kserve/modelcar\"?)"},
      {"c/a.b.c", "c/x", "/webhooks: expected what answers behind the configured webhook \"c/a.b.c\""},
      {"\"operations\":[\"CREATE\"]", "\"operations\":[\"CREATE\"", "document 1: line"},
      {"{\"object\"", "{\"operation\":\"DELETE\",\"object\"",
       "/request/operation: expected one of \"CREATE\", \"UPDATE\", found \"DELETE\""},
      {"{\"object\"", "{\"dryRun\":1,\"object\"", "/request/dryRun: expected true or false, found a number"},
      {"{\"script\":[]}", "{\"exec\":[\"sh\"]}", "runs only with --allow-exec"},
  };
  for (const auto& row : rows) {
    const auto outcome = run("admit " + write("case.json", case_text(row.from, row.to)));
    if (*row.says == '\0') {
      EXPECT_EQ(outcome.code, 0) << "duplicates in foreign parts merge, as the server merges them: "
                                 << outcome.err;
      continue;
    }
    EXPECT_EQ(outcome.code, 2) << row.to;
    EXPECT_NE(outcome.err.find(row.says), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("case.json"), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(Program, APodWhereACaseBelongsNamesInject) {
  write("pod.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: x}]}\n");
  for (const char* command : {"admit", "replay", "shrink"}) {
    const auto outcome = run(std::string(command) + " pod.yaml");
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_EQ(outcome.err,
              "fixpoint: pod.yaml: document 1: expected a Case, a Sequence or a Finding, found a Pod: try "
              "fixpoint inject SUBJECT POD\n");
  }
  write("web.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w}\nspec: {template: {spec: {containers: "
        "[{name: a, image: x}]}}}\n");
  EXPECT_EQ(
      run("admit web.yaml").err,
      "fixpoint: web.yaml: document 1: expected a Case, a Sequence or a Finding, found a Deployment: try "
      "fixpoint inject SUBJECT FILE, which takes its Pod template\n");
}

TEST_F(Program, FiltersTakeTheItemsOfAList) {
  write("list.yaml",
        "apiVersion: v1\nkind: List\nitems:\n"
        "- {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, image: x}]}}\n"
        "- {apiVersion: apps/v1, kind: Deployment, metadata: {name: w}, spec: {template: {spec: {containers: "
        "[{name: b, image: x}]}}}}\n");
  const auto valid = run("validate --json list.yaml");
  EXPECT_EQ(std::count(valid.out.begin(), valid.out.end(), '\n'), 2) << valid.out << valid.err;
  EXPECT_NE(valid.err.find("took the Pod template of Deployment w"), std::string::npos) << valid.err;
  EXPECT_NE(run("default list.yaml").out.find("\"name\": \"b\""), std::string::npos);
}

TEST_F(Program, BombsAreRefusedByANamedLimit) {
  const std::string deep = std::string(100'000, '[');
  std::string aliases = "a: &a [x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c < 'j'; ++c) {
    aliases += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 9; ++i) aliases += std::string(i == 0 ? "" : ",") + "*" + static_cast<char>(c - 1);
    aliases += "]\n";
  }
  const struct {
    const char* name;
    std::string text;
    const char* says;
  } rows[] = {{"deep.json", "{\"a\":" + deep, "depth_max"},
              {"deep.yaml", deep, "depth"},
              {"aliases.yaml", aliases, "_max"},
              {"large.json", "{\"a\":\"" + std::string(9u << 20, 'x') + "\"}", "document_bytes_max"}};
  for (const auto& row : rows) {
    const auto outcome = run("default " + write(row.name, row.text));
    EXPECT_EQ(outcome.code, 2) << row.name;
    EXPECT_NE(outcome.err.find(row.says), std::string::npos) << outcome.err.substr(0, 500);
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(run("admit " + write("utf8.json", case_text("\"c/a.b.c\"", "\"c/\xff\""))).code, 2);
  EXPECT_EQ(run("default " + folder_.string()).code, 2) << "a folder is no file";
  EXPECT_EQ(run("default " + path("missing.json")).code, 2);
  EXPECT_EQ(run("conform " + write("empty.ndjson", "")).code, 2) << "not one line read";
}

TEST_F(Program, NumbersOfForeignPartsAreTheServersBusiness) {
  const auto outcome =
      run("admit " + write("case.json", case_text("\"image\":\"x\"", "\"image\":\"x\",\"unknown\":1e400")));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(Program, UnknownWordsGetADidYouMean) {
  EXPECT_NE(run("fuz").err.find("did you mean \"fuzz\"?"), std::string::npos);
  EXPECT_EQ(run("fuz").code, 2);
  EXPECT_NE(run("fuzz kserve/modelcra").err.find("did you mean \"kserve/modelcar\"?"), std::string::npos);
  EXPECT_NE(run("fuzz kserve/modelcar@9").err.find("expected one of 0.12.0"), std::string::npos);
  EXPECT_NE(run("fuzz --sed 1").err.find("did you mean \"--seed\"?"), std::string::npos);
  EXPECT_NE(run("help fuz").err.find("did you mean \"fuzz\"?"), std::string::npos);
  EXPECT_EQ(run("help corpus add").out, run("corpus add --help").out);
  EXPECT_EQ(run("help fuzz").code, 0);
  EXPECT_EQ(run("help --sed").code, 2);
  EXPECT_EQ(run("fuzz --seed x").code, 2);
  EXPECT_EQ(run("").code, 2);
  EXPECT_EQ(run("--help").code, 0);
}

TEST_F(Program, EveryCommandHasExamplesAndExitCodes) {
  const std::string usage = run("--help").out;
  const std::string line("  ([a-z]+) +[a-z].*");
  const auto commands = fixpoint::all_found(usage, line);
  for (const auto& match : commands) {
    const auto help = run(match[1] + " --help");
    EXPECT_EQ(help.code, 0) << match[1];
    EXPECT_NE(help.out.find("Examples:"), std::string::npos) << match[1];
    EXPECT_NE(help.out.find("Exit codes:"), std::string::npos) << match[1];
    EXPECT_TRUE(fixpoint::all_found(help.out, "[^N] (UINT|INT|FLOAT)").empty()) << help.out;
    for (const auto& text : fixpoint::all_found(help.out, "--([a-z-]+) TEXT"))
      EXPECT_TRUE(text[1] == "reason" || text[1] == "ticket") << match[1] << " --" << text[1];
  }
  EXPECT_GE(commands.size(), 12u);
}

TEST_F(Program, HelpSaysWhatAnOptionTakesAndWhatItsExitCodesMean) {
  const std::string fuzz = run("fuzz --help").out;
  for (const char* line : {"  --seed N ", "  --time DURATION ", "  --example FILE (repeatable) ",
                           "\nWebhooks outside of this process:\n", "  --webhook NAME=BACKEND (repeatable)\n",
                           "Exit codes: 0 nothing found; 1 findings; 2 bad usage or bad input; 3 could not "
                           "finish, or no verdict; 130 interrupted.\n"})
    EXPECT_NE(fuzz.find(line), std::string::npos) << line << fuzz;
  EXPECT_NE(run("list --help").out.find("Exit codes: 0 done; 2 bad usage or bad input.\n"),
            std::string::npos);
  EXPECT_NE(run("shrink --help").out.find("Exit codes: 1 the Case still fails"), std::string::npos);
}

/// Returns the events of a run's folder as --json prints them: without secrets.
std::string shown_events(const std::string& events) {
  namespace doc = fixpoint::document;
  std::string text;
  std::istringstream lines(events);
  for (std::string line; std::getline(lines, line);)
    text += doc::write_json(fixpoint::reports::redacted_event(doc::read_json(line).value())) + "\n";
  return text;
}

std::string timeless(const std::string& events) {
  return fixpoint::replaced(events, "\"(milliseconds|seconds|rate|elapsed)\":[0-9.]+", "\"$1\":0");
}

TEST_F(Program, FuzzGivesTheSameBytesTwiceAndWhateverTheJobs) {
  const std::string line = "fuzz kserve/modelcar@0.12.0 --seed 77 --cases 1500 --json --jobs ";
  const auto first = run(line + "1 --out a");
  EXPECT_EQ(first.code, 1);
  EXPECT_EQ(timeless(first.out), timeless(run(line + "1 --out b").out));
  EXPECT_EQ(timeless(first.out), timeless(run(line + "2 --out c").out));
  EXPECT_EQ(timeless(first.out), timeless(shown_events(read("a/events.ndjson"))));
}

TEST_F(Program, TheReplayLineWorksAsPrinted) {
  const auto fuzz = run("fuzz kserve/modelcar@0.12.0 --seed 7 --cases 1100 --all");
  EXPECT_EQ(fuzz.code, 1);
  const auto lines = fixpoint::all_found(
      fuzz.out, "duplicate \"kserve-provision-location\" at[^]*?replay: fixpoint (replay \\S+)");
  ASSERT_FALSE(lines.empty()) << fuzz.out;
  const std::string& line = lines[0][1];
  const auto again = run(line);
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.out.find("still failing"), std::string::npos) << again.out;
  const auto fixed = run(line + " --as kserve/modelcar@0.12.1");
  EXPECT_EQ(fixed.code, 0);
  EXPECT_NE(fixed.out.find(": fixed:"), std::string::npos) << fixed.out;
  const auto trace = run(line + " --trace");
  EXPECT_NE(trace.out.find("pass 1"), std::string::npos);
  EXPECT_EQ(run("shrink " + line.substr(7)).code, 1);
}

TEST_F(Program, SequencesGiveTheSameBytesTwiceAndWhateverTheJobs) {
  const std::string line =
      "fuzz kserve/hpa@0.15.0 kserve/modelcar@0.12.1 --seed 5 --cases 1500 --json --jobs ";
  const auto first = run(line + "1 --out a");
  EXPECT_EQ(first.code, 1) << first.err;
  EXPECT_NE(first.out.find("\"kind\":\"Sequence\""), std::string::npos);
  EXPECT_NE(first.out.find("\"sequences\":"), std::string::npos);
  EXPECT_EQ(timeless(first.out), timeless(run(line + "1 --out b").out));
  EXPECT_EQ(timeless(first.out), timeless(run(line + "2 --out c").out));
  EXPECT_EQ(timeless(first.out), timeless(shown_events(read("a/events.ndjson"))));
}

TEST_F(Program, AFindingOfAReconcilerReplaysShrinksAndIsFixed) {
  const auto fuzz = run("fuzz kserve/hpa@0.15.0 --seed 7 --cases 1100 --all");
  EXPECT_EQ(fuzz.out.find("NO VERDICT"), std::string::npos) << "a reconciler refuses nothing: " << fuzz.out;
  EXPECT_EQ(fuzz.code, 1);
  EXPECT_EQ(fuzz.out.find("GATE"), std::string::npos) << fuzz.out;
  const auto lines = fixpoint::all_found(fuzz.out,
                                         "class external the reconcile deletes[^,]*,\\s+which it does not "
                                         "own[^]*?replay: fixpoint (replay \\S+)");
  ASSERT_FALSE(lines.empty()) << fuzz.out;
  const std::string file = lines.back()[1].substr(7);
  const auto again = run("replay --trace " + file);
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.out.find("still failing: foreign-object-untouched"), std::string::npos) << again.out;
  EXPECT_NE(again.out.find("    delete {"), std::string::npos) << again.out;
  EXPECT_NE(run("replay --as kserve/hpa@0.12.1 " + file).out.find(": fixed:"), std::string::npos);
  EXPECT_NE(run("replay --as kserve/hpa@0.15.2 " + file).out.find(": fails otherwise:"), std::string::npos);
  EXPECT_EQ(run("replay --as kserve/hpa@0.15.9 " + file).code, 2);
  EXPECT_NE(run("replay --json " + file).out.find("\"answer\":\"still failing\""), std::string::npos);
  const auto shrunk = run("shrink " + file);
  EXPECT_EQ(shrunk.code, 1);
  const auto bare = run("replay " + write("bare.json", shrunk.out));
  EXPECT_NE(bare.out.find("still failing"), std::string::npos) << bare.out;
  EXPECT_EQ(run("shrink " + path("bare.json")).out, shrunk.out);
}

TEST_F(Program, BadSequencesGetOneLineAndExitTwo) {
  const std::string good = R"({"apiVersion":"fixpoint/v1","kind":"Sequence","subject":"kserve/hpa@0.15.0",)"
                           R"("steps":[{"reconcile":{}}]})";
  EXPECT_EQ(run("replay " + write("good.json", good)).code, 1);
  const auto admit = run("admit " + path("good.json"));
  EXPECT_EQ(admit.code, 2);
  EXPECT_NE(admit.err.find("expected a Case, found a Sequence"), std::string::npos) << admit.err;
  const auto bad = run("replay " + write("bad.json", fixpoint::replaced(good, "hpa@", "hpo@")));
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.err.find("bad.json: document 1: /subject: unknown reconciler"), std::string::npos) << bad.err;
  EXPECT_EQ(std::count(bad.err.begin(), bad.err.end(), '\n'), 1) << bad.err;
  const std::string misspelt = R"({"apiVersion":"fixpoint/v1","kind":"Sequence",)"
                               R"("subject":"kserve/hpa@0.15.0","steps":[{"user":"crate"}]})";
  const auto step = run("replay " + write("step.json", misspelt));
  EXPECT_EQ(step.code, 2);
  EXPECT_NE(step.err.find("/steps/0/user: expected one of \"create\", \"update\", \"delete\""),
            std::string::npos)
      << step.err;
}

TEST_F(Program, PropertiesOfAPackAreListedWithItAndAskedOfItsSubjects) {
  EXPECT_NE(run("list").out.find("[kserve] No container is made to run"), std::string::npos);
  EXPECT_NE(run("list --json").out.find(R"("pack":"kserve")"), std::string::npos);
  EXPECT_NE(run("explain probe-handed-over").out.find("[kserve] No container is made to run"),
            std::string::npos);
  const auto lists = [&](const std::string& subject, const char* property) {
    const auto fuzzed = run("fuzz --seed 1 --cases 20 --json " + subject);
    return fuzzed.out.find('"' + std::string(property) + "\":{") != std::string::npos;
  };
  EXPECT_TRUE(lists("kserve/agent", "probe-handed-over"));
  EXPECT_TRUE(lists("kserve/pod-mutator peers/sidecar-guarded", "agent-can-become-ready"));
  EXPECT_FALSE(lists("kserve/modelcar", "probe-handed-over")) << "it adds no agent";
  EXPECT_FALSE(lists("peers/sidecar-guarded", "agent-can-become-ready"));
  EXPECT_TRUE(lists("peers/sidecar-guarded", "idempotent"));
  EXPECT_FALSE(lists("peers/sidecar-guarded", "no-orphan"));
  EXPECT_TRUE(lists("kserve/hpa", "no-orphan"));
  EXPECT_FALSE(lists("kserve/hpa", "idempotent"));
}

TEST_F(Program, ReconcilersAreListedAndTheirPropertiesExplained) {
  EXPECT_NE(run("list").out.find("kserve/hpa "), std::string::npos);
  EXPECT_NE(run("list --json").out.find("\"role\":\"reconciler\""), std::string::npos);
  EXPECT_NE(run("explain no-orphan").out.find("What a reconciler owns is gone"), std::string::npos);
  EXPECT_NE(run("explain no-orphans").err.find("did you mean \"no-orphan\"?"), std::string::npos);
  EXPECT_NE(run("inject kserve/hpa").err.find("kserve/hpa is a reconciler"), std::string::npos);
  EXPECT_NE(run("fuzz kserve/hpa@9").err.find("expected one of 0.11.2"), std::string::npos);
  EXPECT_NE(run("fuzz kserve/hpo").err.find("did you mean \"kserve/hpa\"?"), std::string::npos);
}

TEST_F(Program, ARunThatWasCutOffMovesAwayWithWhatItFound) {
  EXPECT_EQ(run("fuzz kserve/modelcar@0.12.0 --seed 3 --cases 200").code, 1);
  const auto found = files::directory_iterator(path("run/findings"))->path().filename();
  files::remove(path("run/run.json"));
  EXPECT_EQ(run("fuzz peers/sidecar-guarded --seed 2 --cases 50").code, 0);
  EXPECT_TRUE(files::exists(path("run.1/findings") / found));
  EXPECT_TRUE(files::is_empty(path("run/findings")));
}

TEST_F(Program, AFolderWithARunsSummaryAloneMovesAway) {
  files::create_directories(path("mine"));
  write("mine/run.json", "{}\n");
  EXPECT_EQ(run("fuzz peers/sidecar-guarded --seed 2 --cases 50 --out mine").code, 0);
  EXPECT_EQ(read("mine.1/run.json"), "{}\n");
}

TEST_F(Program, WhatIsNoRunIsNeitherRemovedNorMoved) {
  files::create_directories(path("mine/cases"));
  write("mine/cases/one.yaml", "kind: Case\n");
  const auto refused = run("fuzz peers/sidecar-guarded --seed 2 --cases 50 --out mine");
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err,
            "fixpoint: mine: expected the folder of a run, found cases/one.yaml: name another folder\n");
  EXPECT_EQ(read("mine/cases/one.yaml"), "kind: Case\n");
  EXPECT_FALSE(files::exists(path("mine.1")));
}

TEST_F(Program, ACompleteRunMovesAway) {
  EXPECT_EQ(run("fuzz peers/sidecar-guarded --seed 1 --cases 50").code, 0);
  EXPECT_EQ(run("fuzz peers/sidecar-guarded --seed 2 --cases 50").code, 0);
  EXPECT_NE(read("run/events.ndjson").find("\"seed\":2"), std::string::npos);
  EXPECT_NE(read("run.1/events.ndjson").find("\"seed\":1"), std::string::npos);
}

TEST_F(Program, FiltersAnswerOnStandardOutput) {
  const auto pod = write("pod.yaml", "metadata: {name: p}\nspec: {containers: [{name: a, image: x}]}\n");
  EXPECT_NE(run("default " + pod).out.find("\"dnsPolicy\": \"ClusterFirst\""), std::string::npos);
  EXPECT_NE(run("default --yaml " + pod).out.find("dnsPolicy: ClusterFirst"), std::string::npos);
  EXPECT_EQ(run("validate " + pod).code, 0);
  const auto bad = run("validate " + write("bad.yaml", "metadata: {name: P}\nspec: {containers: []}\n"));
  EXPECT_EQ(bad.code, 1);
  EXPECT_NE(bad.out.find("spec.containers: Required value"), std::string::npos) << bad.out;
  const auto patched = run("patch " + write("patch.json", R"([{"op":"replace","path":"/a","value":1.0}])") +
                           " " + write("document.json", "{}"));
  EXPECT_EQ(patched.out, "{\n  \"a\": 1.0\n}\n") << "the number as it is written";
  EXPECT_NE(run("inject peers/sidecar-guarded " + pod).out.find("\"name\": \"proxy\""), std::string::npos);
  EXPECT_NE(run("list").out.find("kserve/modelcar"), std::string::npos);
  EXPECT_NE(run("version").out.find("Kubernetes " + std::string(fixpoint::cases::kNewestVersion)),
            std::string::npos);
}

/// Most Pods of a cluster come from a workload: the Pod is in its template.
TEST_F(Program, APodTemplateIsTakenForAPod) {
  const std::string workload = R"(apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: a, image: x, ports: [{containerPort: 80}]}]}
)";
  write("web.yaml", workload);
  const std::string says = "fixpoint: web.yaml: document 1: took the Pod template of Deployment web\n";
  const auto injected = run("inject peers/sidecar-guarded web.yaml");
  EXPECT_EQ(injected.code, 0);
  EXPECT_EQ(injected.err, says);
  EXPECT_NE(injected.out.find("\"name\": \"proxy\""), std::string::npos) << injected.out;
  EXPECT_NE(injected.out.find("\"namespace\": \"shop\""), std::string::npos) << injected.out;
  const auto defaulted = run("default web.yaml");
  EXPECT_EQ(defaulted.err, says);
  EXPECT_NE(defaulted.out.find("\"generateName\": \"web-\""), std::string::npos) << defaulted.out;
  const auto valid = run("validate web.yaml");
  EXPECT_EQ(valid.code, 0) << valid.out;
  EXPECT_EQ(valid.err, says);
  write("web.yaml", fixpoint::replaced(workload, "containerPort: 80", "containerPort: 80000"));
  EXPECT_EQ(run("validate web.yaml").code, 1) << "it is the template that is checked";
  const auto none =
      run("default " + write("service.yaml", "apiVersion: v1\nkind: Service\nspec: {template: {}}\n"));
  EXPECT_EQ(none.code, 2) << none.out;
  EXPECT_EQ(none.err.find("took"), std::string::npos) << none.err;
}

/// A recorder that gives the same answers to any question.
TEST_F(Program, ConformAsksARecorder) {
  const std::string canned = std::string(FIXPOINT_SOURCE) + "/corpus/conformance/kubernetes/found.ndjson";
  const std::string line = "conform --live-recorder '/bin/cat " + canned + "' ";
  const auto good = run(line + canned);
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_TRUE(good.out.ends_with(" agreed, 0 disagreed, 0 unsupported, 0 refused\n")) << good.out;
  const auto drawn = run(line + "--kinds patch --lines 3");
  EXPECT_EQ(drawn.code, 3) << "answers to other questions";
  EXPECT_EQ(std::count(drawn.err.begin(), drawn.err.end(), '\n'), 1) << drawn.err;
  EXPECT_EQ(run("conform --live-recorder /bin/false --kinds patch --lines 3").code, 3);
  EXPECT_EQ(run("conform --live-recorder /bin/true --kinds patch --lines 3").code, 3);
  EXPECT_EQ(run("conform --live-recorder '/bin/sleep 60' --kinds patch --lines 3 --seconds 1").code, 3);
  EXPECT_EQ(run("conform --live-recorder /bin/cat --kinds patches").code, 2);
  EXPECT_EQ(run("conform --live-recorder /bin/cat --version 1.28").code, 2);
  EXPECT_EQ(run("conform --live-recorder ' '").code, 2);
  const auto request = R"({"kind":"patch","id":"x","doc":{},"patch":[]})";
  const auto wrong = run("conform --live-recorder /bin/cat --found found.ndjson " +
                         write("one.ndjson", std::string(request) + "\n"));
  EXPECT_EQ(wrong.code, 1) << "an answer without an expectation says null";
  EXPECT_NE(read("found.ndjson").find("\"kind\":\"patch\""), std::string::npos);
}

TEST_F(Program, ConformCountsAndExits) {
  const std::string line =
      R"({"kind":"patch","id":"x","doc":{},"patch":[{"op":"add","path":"/a","value":1}],"out":{"a":1}})";
  const auto good = run("conform " + write("good.ndjson", line + "\n"));
  EXPECT_EQ(good.code, 0);
  EXPECT_NE(good.out.find("good.ndjson: 1 agreed, 0 disagreed, 0 unsupported\n"), std::string::npos)
      << good.out;
  EXPECT_TRUE(good.out.ends_with("total: 1 agreed, 0 disagreed, 0 unsupported\n")) << good.out;
  const auto bad =
      run("conform --diff " + write("bad.ndjson", line + "\n" + R"({"kind":"else","id":"y"})" + "\n" +
                                                      fixpoint::replaced(line, "\"out\".*", "\"out\":{}}")));
  EXPECT_EQ(bad.code, 1);
  EXPECT_NE(bad.out.find("1 agreed, 1 disagreed, 1 unsupported"), std::string::npos) << bad.out;
  EXPECT_NE(bad.out.find("expected {}, found {\"a\":1}"), std::string::npos) << bad.out;
}

}  // namespace
