#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "harness/campaign/run_history.h"
#include "harness/cli/command.h"
#include "harness/cli/program_test.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/external/backends/stored_case.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"
#include "reports/history_page.h"
#include "reports/report_schema_model.h"

namespace fixpoint::cli {
namespace {

namespace files = std::filesystem;

class Gate : public cli::ProgramTest {
 protected:
  struct Said : Outcome {
    std::string first() const { return out.substr(0, out.find('\n')); }
  };
  Said run(const std::string& arguments) const {
    return {ProgramTest::run(arguments, FIXPOINT_SOURCE "/corpus")};
  }
  Said gate(const std::string& policy, const std::string& more = "") const {
    return run("gate --jobs 1 --config " + write("fixpoint.yaml", kHead + policy) + " " + more);
  }

  static constexpr const char* kHead = "apiVersion: fixpoint/v1\nkind: Policy\nbudget: {cases: 300}\n";
};

/// Returns the file of a Subject whose webhook is answered by an injector.
std::string subject_of(const std::string& injector) {
  return "apiVersion: fixpoint/v1\nkind: Subject\nname: my-sidecar\nconfiguration:\n"
         "  apiVersion: admissionregistration.k8s.io/v1\n  kind: MutatingWebhookConfiguration\n"
         "  metadata: {name: my-sidecar}\n  webhooks:\n  - name: inject.example.io\n"
         "    admissionReviewVersions: [v1]\n    sideEffects: None\n    reinvocationPolicy: IfNeeded\n"
         "    rules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]\n"
         "webhooks:\n  my-sidecar/inject.example.io: {injector: " +
         injector + "}\n";
}

/// An accepted problem passes with any seed; a problem that is not accepted is the only reason to fail.
TEST_F(Gate, AnAcceptedProblemIsGreenWithAnySeed) {
  write("subject.yaml", subject_of("defects/volume-without-guard"));
  EXPECT_EQ(run("fuzz subject.yaml --seed 1 --cases 600 --jobs 1 --quiet --out found").code, 1);
  const std::string policy = std::string("# Ours.\n") + kHead +
                             "failOn: error\nsubjects: [subject.yaml]   # the webhook\nseeds: [5, 6, 7]\n";
  const std::string file = write("fixpoint.yaml", policy);
  EXPECT_EQ(run("gate --jobs 1 --config " + file).code, 1);
  const auto accepted = run("gate --config " + file +
                            " --accept found --all --reason 'it is \"known\"' --until 2999-12-31 --owner us");
  EXPECT_EQ(accepted.code, 0) << accepted.err;
  EXPECT_TRUE(accepted.out.starts_with("accepted until 2999-12-31 in ")) << accepted.out;
  EXPECT_TRUE(read("fixpoint.yaml").starts_with(policy)) << "comments and order stay";
  const auto green = run("gate --jobs 1 --config " + file);
  EXPECT_EQ(green.code, 0) << green.out << green.err;
  EXPECT_NE(green.out.find("(it is \"known\"): still there"), std::string::npos) << green.out;
  EXPECT_EQ(reports::schema_problems(FIXPOINT_SOURCE "/reports/schemas", "policy.json",
                                     document::write_json(document::read_file(file).value().front())),
            "");
  // Accepting the same run again changes nothing.
  const std::string before = read("fixpoint.yaml");
  EXPECT_EQ(run("gate --config " + file + " --accept found --all --reason r --until 2999-12-31").code, 0);
  EXPECT_EQ(read("fixpoint.yaml"), before);
  write("subject.yaml", subject_of("defects/toleration-without-guard"));
  const auto red = run("gate --jobs 1 --config " + file);
  EXPECT_EQ(red.code, 1);
  EXPECT_TRUE(red.first().starts_with("GATE FAILED: new problem ")) << red.first();
  EXPECT_NE(red.out.find("(it is \"known\"): cannot tell: fails otherwise: "), std::string::npos) << red.out;
  write("subject.yaml", subject_of("defects/volume-without-guard@fixed"));
  const auto fixed = run("gate --jobs 1 --config " + file);
  EXPECT_NE(fixed.out.find("(it is \"known\"): fixed"), std::string::npos) << fixed.out;
  EXPECT_NE(fixed.out.find("NEWS   the accepted problem "), std::string::npos) << fixed.out;
  EXPECT_EQ(fixed.code, 0) << fixed.out;
  const auto late = run("gate --jobs 1 --today 3000-01-01 --config " + file);
  EXPECT_NE(late.out.find("expired on 2999-12-31"), std::string::npos) << late.out;
}

/// A problem that an older release also has does not fail the gate; the first reason is a new problem.
TEST_F(Gate, ComparesNewProblemsWithAnOlderRelease) {
  write("subject.yaml", subject_of("defects/volume-without-guard"));
  const auto since = [&](const std::string& older) {
    return gate("subjects: [subject.yaml]\n", "--since '" + older + "' --markdown gate.md");
  };
  const auto red = since("defects/volume-without-guard@fixed");
  EXPECT_EQ(red.code, 1) << red.err;
  EXPECT_TRUE(red.first().starts_with("GATE FAILED: new since defects/volume-without-guard@fixed: problem "))
      << red.first();
  EXPECT_NE(red.out.find("\nFOUND  "), std::string::npos) << "with its trace";
  EXPECT_EQ(since("fixed").first().substr(0, 35), "GATE FAILED: new since fixed: probl");
  const auto green = since("buggy");
  EXPECT_EQ(green.code, 0) << green.out << green.err;
  EXPECT_NE(green.out.find("  buggy has it, too: problem "), std::string::npos) << green.out;
  EXPECT_NE(read("gate.md").find("accepted problem"), std::string::npos);
  const auto unknown = since("1.0");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("--since: no subject of the policy has the release \"1.0\""), std::string::npos)
      << unknown.err;
  EXPECT_EQ(std::count(unknown.err.begin(), unknown.err.end(), '\n'), 1) << unknown.err;
}

/// `--since` with the webhook's earlier command, and with an earlier run. A run without a finding proves
/// nothing about a problem.
TEST_F(Gate, ComparesNewProblemsWithTheWebhookBeforeAndWithARun) {
  write("subject.yaml", subject_of("defects/volume-without-guard"));
  write("silent.sh", webhook_in_bash(":"));
  const auto since = [&](const std::string& older) {
    return gate("subjects: [subject.yaml]\n", "--since '" + older + "'");
  };
  const auto red = since("inject.example.io=exec:bash " + path("silent.sh"));
  EXPECT_EQ(red.code, 1) << red.out << red.err;
  EXPECT_TRUE(red.first().starts_with("GATE FAILED: new since inject.example.io=exec:bash ")) << red.first();
  EXPECT_NE(since("other.example.io=exec:true").err.find("no subject of the policy has a webhook"),
            std::string::npos);
  EXPECT_EQ(run("fuzz subject.yaml --seed 5 --cases 300 --jobs 1 --quiet --out before").code, 1);
  EXPECT_EQ(since("before").code, 0);
  EXPECT_EQ(
      run("fuzz defects/volume-without-guard@fixed --seed 5 --cases 300 --jobs 1 --quiet --out clean").code,
      0);
  const auto unknown = since("clean");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(unknown.first().starts_with("GATE FAILED: not known of clean: problem ")) << unknown.first();
}

TEST_F(Gate, AcceptingSaysWhatItLacks) {
  write("subject.yaml", subject_of("defects/volume-without-guard"));
  run("fuzz subject.yaml --seed 1 --cases 300 --jobs 1 --quiet --out found");
  const std::string gate = "gate --config " +
                           write("fixpoint.yaml", std::string(kHead) + "subjects: [subject.yaml]\n") +
                           " --accept found ";
  for (const auto& [flags, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"--all --until 2999-12-31", "--accept needs --reason"},
           {"--all --reason r", "--accept needs --until"},
           {"--reason r --until 2999-12-31", "--accept needs either --problem ID, repeatable, or --all"},
           {"--problem 000000000000 --reason r --until 2999-12-31",
            "the run has no problem \"000000000000\""}}) {
    const auto said = run(gate + flags);
    EXPECT_EQ(said.code, 2) << flags;
    EXPECT_NE(said.err.find(message), std::string::npos) << said.err;
  }
}

TEST_F(Gate, APlantedRegressionTurnsItRedAndIsNamed) {
  write("subject.yaml", subject_of("defects/container-without-guard@fixed"));
  const auto green = gate("subjects: [subject.yaml]\n");
  EXPECT_EQ(green.code, 0) << green.out << green.err;
  EXPECT_EQ(green.first(), "GATE PASSED");
  write("subject.yaml", subject_of("defects/container-without-guard"));
  const auto red = gate("subjects: [subject.yaml]\n",
                        "--markdown gate.md --report junit=gate.xml --report json=gate.json");
  EXPECT_EQ(red.code, 1) << red.out << red.err;
  EXPECT_TRUE(red.first().starts_with("GATE FAILED: new problem ")) << red.first();
  EXPECT_NE(red.first().find("defects/container-without-guard adds "), std::string::npos) << red.first();
  EXPECT_NE(red.out.find("\nFOUND  "), std::string::npos) << red.out;
  EXPECT_TRUE(read("gate.md").starts_with("# GATE FAILED\n"));
  EXPECT_NE(read("gate.xml").find("<failure"), std::string::npos);
  EXPECT_EQ(reports::schema_problems(FIXPOINT_SOURCE "/reports/schemas", "run.json", read("gate.json")), "");
  EXPECT_EQ(run("report run/gate").code, 0);
  EXPECT_TRUE(run("report run/gate").out.starts_with("FAILED: "));
  // The command that the gate prints replays the finding.
  const auto replay = red.out.find("fixpoint replay ");
  ASSERT_NE(replay, std::string::npos);
  const auto file = red.out.substr(replay + 16, red.out.find('\n', replay) - replay - 16);
  EXPECT_EQ(run("replay " + file).code, 1);
}

TEST_F(Gate, ConformanceBenchesAndGatesHaveASay) {
  write("good.ndjson",
        R"({"kind":"patch","id":"p","doc":{},"patch":[{"op":"add","path":"/a","value":1}],"out":{"a":1}})");
  write("bad.ndjson",
        R"({"kind":"patch","id":"p","doc":{},"patch":[{"op":"add","path":"/a","value":1}],"out":{"a":2}})");
  const auto good = gate("conformance: ['g*.ndjson']\nbench: [{name: kserve/modelcar, ratio_max: 1000}]\n");
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_NE(good.out.find("good.ndjson: 1 agreed, 0 disagreed, 0 unsupported"), std::string::npos)
      << good.out;
  const auto bad = gate("conformance: ['*.ndjson']\nbench: [{name: kserve/modelcar, ratio_max: 0.0001}]\n");
  EXPECT_EQ(bad.code, 1);
  EXPECT_NE(bad.first().find("bad.ndjson: 0 agreed, 1 disagreed"), std::string::npos) << bad.first();
  EXPECT_NE(bad.first().find("bench: kserve/modelcar is slow: "), std::string::npos) << bad.first();
  const auto short_run = gate("subjects: [peers/metadata-and-volume]\ngates: [some request was reinvoked]\n");
  EXPECT_EQ(short_run.code, 1) << "a gate that was asked for and not judged has not held";
  EXPECT_NE(short_run.out.find("too few Cases"), std::string::npos) << short_run.out;
  EXPECT_EQ(gate("conformance: [missing.ndjson]\n").code, 2);
}

TEST_F(Gate, NamesOnceThatAWebhookLogsToStandardOutput) {
  std::string subject = subject_of("peers/sidecar-guarded");
  const auto backend = subject.find("{injector: ");
  subject.replace(backend, subject.find('}', backend) + 1 - backend,
                  "{exec: [" FIXPOINT_HOSTILE_WEBHOOK ", log-with-the-answer]}");
  write("subject.yaml", subject);
  const auto said = run("gate --jobs 1 --allow-exec --config " +
                        write("fixpoint.yaml", std::string("apiVersion: fixpoint/v1\nkind: Policy\n") +
                                                   "budget: {cases: 20}\nsubjects: [subject.yaml]\n"));
  EXPECT_EQ(said.code, 1) << "it changes nothing: " << said.out << said.err;
  const std::string line = "logs to standard output: \"INFO called\"; such lines are skipped\n";
  const auto first = said.err.find(line);
  ASSERT_NE(first, std::string::npos) << said.err;
  EXPECT_EQ(said.err.find(line, first + 1), std::string::npos) << said.err;
}

TEST_F(Gate, BoundsTheLatencyOfAFilesWebhooks) {
  write("subject.yaml", subject_of("peers/sidecar-guarded"));
  const auto good = gate("bench: [{name: subject.yaml, ratio_max: 1000}]\n");
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_NE(good.out.find("bench my-sidecar: "), std::string::npos) << good.out;
  const auto slow = gate("bench: [{name: subject.yaml, ratio_max: 0.0001}]\n");
  EXPECT_EQ(slow.code, 1) << slow.out << slow.err;
  EXPECT_NE(slow.first().find("bench: my-sidecar is slow: "), std::string::npos) << slow.first();
  std::string dead = subject_of("peers/sidecar-guarded");
  const auto backend = dead.find("{injector: ");
  dead.replace(backend, dead.find('}', backend) + 1 - backend, "{exec: [/nowhere/webhook]}");
  write("subject.yaml", dead);
  const auto unreached = gate("bench: [{name: subject.yaml, ratio_max: 1000}]\n", "--allow-exec");
  EXPECT_EQ(unreached.code, 3) << unreached.out << unreached.err;
  EXPECT_NE(unreached.err.find("my-sidecar: my-sidecar/inject.example.io: the call failed: "),
            std::string::npos)
      << unreached.err;
}

/// The latency bound applies to the second webhook of a file, too, and the slowest one is named.
TEST_F(Gate, BoundsTheLatencyOfEveryWebhookOfAFile) {
  write("slow.sh", webhook_in_bash("sleep 0.005"));
  std::string text = subject_of("peers/sidecar-guarded");
  const auto begin = text.find("  - name: inject"), end = text.find("\nwebhooks:") + 1;
  std::string second = text.substr(begin, end - begin);
  second.replace(second.find("inject"), 6, "later");
  text.insert(end, second);
  write("subject.yaml", text + "  my-sidecar/later.example.io: {exec: [bash, " + path("slow.sh") + "]}\n");
  const auto slow =
      gate("bench: [{name: subject.yaml, ratio_max: 1000, microseconds_max: 4000}]\n", "--allow-exec");
  EXPECT_EQ(slow.code, 1) << slow.out << slow.err;
  EXPECT_NE(slow.first().find("bench: my-sidecar is slow: "), std::string::npos) << slow.first();
  EXPECT_NE(slow.first().find(" a call, my-sidecar/later.example.io, the slowest of 2 webhooks"),
            std::string::npos)
      << slow.first();
}

/// A bad policy is reported completely: each error has its line and column.
TEST_F(Gate, ABadPolicyIsReportedInTheWhole) {
  const auto outcome = gate(
      "subjects: [kserve/modelcra, kserve/modelcar]\nseeds: [-1, 2, x]\nfail: error\naccepted:\n"
      "- {problem: abc, reason: x, until: 2026-12-31}\n- problem: aaaaaaaaaaaa\n  until: 2026-12-31\n"
      "  who: me\nfailOn: {severity: error, classes: [duplicat]}\n");
  EXPECT_EQ(outcome.code, 2);
  const std::string file = "fixpoint: " + path("fixpoint.yaml");
  for (const char* line : {":4:12: /subjects/0: unknown injector", ":5:9: /seeds/0: expected a whole number",
                           ":5:16: /seeds/2: expected a whole number", ":6:1: /fail: unknown field",
                           ":8:4: /accepted/0/problem: expected twelve",
                           ":9:3: /accepted/1/reason: ", ":11:3: /accepted/1/who: unknown field",
                           ":12:37: /failOn/classes/0: there is no class of findings \"duplicat\" (did you"})
    EXPECT_NE(outcome.err.find(file + line), std::string::npos) << line << "\n" << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 8) << outcome.err;
}

/// A policy can fail on a class of findings although findings of that severity pass.
TEST_F(Gate, FailsOnClasses) {
  const std::string subject = "subjects: [defects/explicit-zeros]\n";
  EXPECT_EQ(gate(subject).code, 0);
  EXPECT_EQ(gate(subject + "failOn: {classes: [zeros]}\n").code, 1);
  EXPECT_EQ(gate(subject + "failOn: {classes: [numbers]}\n").code, 0);
}

TEST_F(Gate, BadPoliciesGetOneLineWithTheirPlace) {
  const struct {
    const char* policy;
    const char* says;
    bool schema_refuses;
    int lines = 1;
  } rows[] = {
      {"subject: [a]\n", "/subject: unknown field (did you mean \"subjects\"?)", true},
      {"subjects: [kserve/modelcra]\n", "/subjects/0: unknown injector \"kserve/modelcra\" (did you mean",
       false},
      {"subjects: [missing.yaml]\n", "/subjects/0: ", false},
      {"subjects: [kserve/modelcar]\nseeds: [-1]\n", "/seeds/0: expected a whole number", true},
      {"subjects: [kserve/modelcar]\nseeds: 7\n", "/seeds: expected a list, found a number", true},
      {"subjects: [kserve/modelcar]\nfailOn: errors\n", "/failOn: expected one of \"warning\", \"error\"",
       true},
      {"accepted: [{problem: abc, reason: x, until: 2026-12-31}]\n", "/accepted/0/problem: ", true},
      {"accepted: [{problem: aaaaaaaaaaaa, until: 2026-12-31}]\n", "/accepted/0/reason: ", true},
      {"accepted: [{problem: aaaaaaaaaaaa, reason: x, until: 2026-02-30}]\n",
       "/accepted/0/until: expected a day such as 2026-12-31", false},
      {"accepted: [{problem: aaaaaaaaaaaa, reason: x, untill: 2026-02-20}]\n", "/accepted/0/until", true, 2},
      {"bench: [{name: kserve/modelcar, ratio_max: fast}]\n", "/bench/0/ratio_max: expected a number above 0",
       true},
      {"bench: [{name: none.yaml, ratio_max: 1}]\n", "/bench/0/name: there is no file ", false},
      {"bench: [{name: kserve/modelcar}]\n", "/bench/0/ratio_max: expected a number above 0, found nothing",
       true},
      {"subjects: [kserve/modelcar]\ngates: [converge was reached]\n",
       "/gates/0: there is no vacuity check \"converge was reached\" (did you mean \"converges was "
       "reached\"?)",
       false},
      {"conformance: [nowhere/*.ndjson]\n", "/conformance/0: there is no file ", false},
      {"subjects: [kserve/modelcar]\nwebhooks: [x=ftp://y]\n",
       "/webhooks/0: expected NAME=exec:CMD or NAME=https://…, as `fuzz --webhook` takes it", true},
      {"subjects: [kserve/modelcar]\nexamples: [none.yaml]\n", "/examples/0: there is no file or folder ",
       false},
      {"seeds: [1]\n", "/: expected subjects, conformance or bench", false},
  };
  for (const auto& row : rows) {
    const auto outcome = gate(row.policy);
    EXPECT_EQ(outcome.code, 2) << row.policy << outcome.out;
    EXPECT_EQ(outcome.out, "") << row.policy;
    EXPECT_TRUE(std::regex_search(outcome.err, std::regex("fixpoint\\.yaml:[0-9]+:[0-9]+: /")))
        << outcome.err;
    EXPECT_NE(outcome.err.find(row.says), std::string::npos) << row.policy << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), row.lines) << outcome.err;
    const auto document = document::read_file(path("fixpoint.yaml")).value().front();
    const auto problems = reports::schema_problems(FIXPOINT_SOURCE "/reports/schemas", "policy.json",
                                                   document::write_json(document));
    EXPECT_EQ(!problems.empty(), row.schema_refuses) << row.policy << problems;
  }
  EXPECT_EQ(run("gate --config missing.yaml").code, 2);
  EXPECT_EQ(gate("subjects: [kserve/modelcar]\n", "--today yesterday").code, 2);
  EXPECT_NE(gate("subjects: [kserve/modelcar]\n", "--report htm=x").err.find("did you mean \"html\"?"),
            std::string::npos);
}

TEST_F(Gate, AWebhookOfThePolicyIsOfOneOfItsSubjects) {
  write("m.yaml", kOneWebhook);
  write("allow.sh", webhook_in_bash(":"));
  const std::string policy =
      "subjects: [peers/sidecar-guarded, m.yaml]\n"
      "webhooks: ['proxy.example.io=exec:bash allow.sh'";
  EXPECT_EQ(gate(policy + "]\n", "--allow-exec").code, 1) << "it never acts";
  const auto unknown = gate(policy + ", 'poxy.example.io=exec:bash allow.sh']\n", "--allow-exec");
  EXPECT_EQ(unknown.code, 2) << unknown.out;
  EXPECT_NE(unknown.err.find("fixpoint.yaml: /webhooks: no subject here has this webhook: poxy.example.io"),
            std::string::npos)
      << unknown.err;
  const auto refused = gate(policy + "]\n");
  EXPECT_EQ(refused.code, 2) << refused.out;
  EXPECT_NE(refused.err.find("--allow-exec"), std::string::npos) << refused.err;
}

TEST_F(Gate, HistoryIsAppendedRetriedFirstAndReported) {
  const std::string fuzz =
      "fuzz defects/volume-without-guard --seed 1 --cases 200 --jobs 1 --history h.ndjson";
  EXPECT_EQ(run(fuzz).code, 1);
  const auto once = read("h.ndjson");
  EXPECT_EQ(std::count(once.begin(), once.end(), '\n'), 1);
  // The history as it is after a process was killed while it wrote its line.
  write("h.ndjson", once + once.substr(0, once.size() / 2));
  const auto again = run(fuzz);
  EXPECT_EQ(again.code, 1);
  const auto retried = again.out.find("known failure "), found = again.out.find("FOUND ");
  EXPECT_LT(retried, found) << again.out;
  EXPECT_NE(again.out.find("with defects/volume-without-guard@buggy: still failing"), std::string::npos)
      << again.out;
  const auto history = reports::read_history(read("h.ndjson"));
  ASSERT_TRUE(history.ok()) << history.error().text();
  EXPECT_EQ(history->runs.size(), 2u);
  EXPECT_EQ(history->torn, 1u);
  const auto reported = run("report run --history h.ndjson");
  EXPECT_NE(reported.out.find("STILL  no-duplicate-names"), std::string::npos) << reported.out;
  EXPECT_NE(reported.err.find("1 unfinished lines are left out"), std::string::npos) << reported.err;
  EXPECT_EQ(run("report run --history " + write("bad", "{\"kind\":\"x\"}\n")).code, 2);
}

TEST_F(Gate, WhatAnswersNowSoAndNowSoIsFlaky) {
  ASSERT_EQ(run("fuzz defects/volume-without-guard --seed 1 --cases 100 --jobs 1 --history h.ndjson").code,
            1);
  const auto history = campaign::read_history_file(path("h.ndjson"));
  ASSERT_TRUE(history.ok()) << history.error().text();
  int asked = 0;
  std::string fingerprint;
  const auto answers_of = [&](const char* even, const char* odd) {
    asked = 0;
    auto known =
        campaign::known_failures_of(*history, {"defects/volume-without-guard@buggy"}, injectors::bundled());
    if (!fingerprint.empty())
      for (cases::Finding& finding : known) finding.fingerprint = fingerprint;
    runner::ReplayWith with = external::replay_with(injectors::bundled());
    with.resolve = [&](std::string_view) { return injectors::resolve(asked++ % 4 < 2 ? even : odd); };
    const auto answers = campaign::retry(known, with);
    std::set<std::string> different;
    for (const auto& answer : answers) different.insert(answer.answer);
    return different;
  };
  const char *buggy = "defects/volume-without-guard@buggy", *fixed = "defects/volume-without-guard@fixed";
  EXPECT_EQ(answers_of(buggy, buggy), std::set<std::string>{"still failing"});
  EXPECT_EQ(answers_of(fixed, fixed), std::set<std::string>{"fixed"});
  EXPECT_TRUE(answers_of(buggy, fixed).contains("flaky"));
  fingerprint = "0123456789ab";  // as if an older version had written it
  EXPECT_EQ(answers_of(buggy, buggy), std::set<std::string>{"still failing"});
  EXPECT_EQ(answers_of(fixed, fixed), std::set<std::string>{"fixed"});
  EXPECT_TRUE(campaign::known_failures_of(*history, {"peers/sidecar-appended"}, injectors::bundled()).empty())
      << "of other subjects nothing";
}

TEST_F(Gate, ReportsOfARunGoWhereTheyAreSent) {
  EXPECT_EQ(
      run("fuzz defects/volume-without-guard --seed 3 --cases 100 --jobs 1 --report html=a.html --report "
          "sarif=a.sarif")
          .code,
      1);
  EXPECT_NE(read("a.html").find("added again"), std::string::npos) << "with the Pods before and after";
  EXPECT_NE(read("a.html").find("changed twice"), std::string::npos);
  const auto sarif = run("report run --format sarif");
  EXPECT_EQ(sarif.out, read("a.sarif"));
  EXPECT_EQ(reports::schema_problems(FIXPOINT_SOURCE "/reports/schemas", "sarif-2.1.0.json", sarif.out), "");
  EXPECT_EQ(run("report run --format html").out, read("a.html"));
  write("run/bench.ndjson", run("bench kserve/modelcar --chain --calls 5 --json").out);
  const auto summary = document::read_json(run("report run --format json").out);
  ASSERT_TRUE(summary.ok());
  const Value& latencies = (*summary)["latencies"];
  EXPECT_EQ(latencies.size(), 6u) << "one for each size of Pod, of calls and of admissions";
  EXPECT_EQ(latencies.at(0)["injector"].text(), "kserve/modelcar@0.20.0");
  EXPECT_EQ(latencies.at(3)["injector"].text(), "chain of kserve/modelcar@0.20.0");
  EXPECT_TRUE(latencies.at(0)["patchBytes"].is_number());
  EXPECT_TRUE(latencies.at(3)["patchBytes"].is_null()) << "an admission has no patch of its own";
  EXPECT_EQ(run("report nowhere").code, 2);
  EXPECT_EQ(run("report run --format pdf").code, 2);
  EXPECT_EQ(run("report run --output /nowhere/x").code, 3);
}

}  // namespace
}  // namespace fixpoint::cli
