#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "harness/cli/command.h"
#include "harness/cli/program_test.h"
#include "harness/document/json.h"
#include "harness/measure/latency_figures.h"
#include "reports/report_schema_model.h"

namespace fixpoint::cli {
namespace {

constexpr const char* kBenchSchemas = FIXPOINT_SOURCE "/reports/schemas";

class BenchProgram : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("m.yaml", kOneWebhook);
    write("slow.sh", webhook_in_bash("sleep 0.02"));
  }
  Outcome bench(const std::string& arguments) const { return run("bench " + arguments, "nowhere"); }
  static std::string behind(const std::string& command) {
    return " --webhook 'proxy.example.io=exec:" + command + "' ";
  }
  static std::string hostile(const std::string& behaviour) {
    return behind(std::string(FIXPOINT_HOSTILE_WEBHOOK) + " " + behaviour);
  }
  /// Copies the saved file with every figure divided.
  void scale_down(const std::string& from, const std::string& to, double divisor) const {
    auto figures = measure::read_baseline_file(path(from)).value();
    for (measure::BenchFigure& figure : figures) figure.p50 /= divisor;
    write(to, document::write_json_pretty(measure::write_baseline(figures)));
  }
  static bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(BenchProgram, BadInputIsOneLine) {
  write("other.json", R"({"apiVersion":"fixpoint/v1","kind":"BenchBaseline","figures":[]})");
  write("newer.json", R"({"apiVersion":"fixpoint/v9","kind":"BenchBaseline","figures":[]})");
  const struct {
    const char *arguments, *says;
  } rows[] = {
      {"--calls 2", "--calls: expected 3 to 10000000"},
      {"--calls -1", "--calls: expected a whole number from 0 to 18446744073709551615, found -1"},
      {"case", "bench: neither a subject nor a subcommand \"case\" (did you mean \"cases\"?)"},
      {"--time soon", "--time soon: expected a duration"},
      {"--p99-max soon", "--p99-max soon: expected a duration such as 50ms"},
      {"--format xml", "--format xml: expected text, ndjson or google"},
      {"--format google --json", "--json: expected without --format google"},
      {"--example none.yaml", "--example: none.yaml"},
      {"--tolerance 2", "--tolerance: expected --baseline FILE with it"},
      {"--baseline other.json --tolerance 0.5", "--tolerance 0.5: expected a number of at least 1"},
      {"--baseline other.json --tolerance 2x", "--tolerance 2x: expected a number of at least 1"},
      {"--baseline none.json", "none.json"},
      {"--baseline newer.json", "newer.json: /apiVersion: expected one of \"fixpoint/v1\""},
      {"--baseline m.yaml", "m.yaml: /apiVersion: expected one of \"fixpoint/v1\""},
      {"kserve/modelcar --baseline other.json", "it has none of the figures that are asked for"},
      {"kserve/modelcart", "did you mean"},
      {"kserve/hpa", "kserve/hpa@0.20.0 is a reconciler"},
      {"m.yaml", "nothing answers behind hooks/proxy.example.io"},
      {"m.yaml --webhook proxy.example.io=https://example.org/mutate", "example.org"},
      {"kserve/modelcar --webhook proxy.example.io=exec:x", "no subject here has this webhook"},
      {"kserve/modelcar --limit depth=3", "--limit"},
      {"kserve/modelcar kserve/agent --chain",
       "--chain: kserve/agent@0.20.0: its configuration inferenceservice.serving.kserve.io stands in"},
  };
  for (const auto& row : rows) {
    const Outcome outcome = bench(row.arguments);
    EXPECT_EQ(outcome.code, 2) << row.arguments << outcome.out;
    EXPECT_TRUE(says(outcome.err, row.says)) << row.arguments << "\n" << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "") << row.arguments;
  }
}

TEST_F(BenchProgram, MeasuresTheDefaultChainAndSavesIt) {
  const Outcome bench_all = bench("--chain --calls 5 --save base.json");
  EXPECT_EQ(bench_all.code, 0) << bench_all.err;
  EXPECT_TRUE(says(bench_all.out, "\nchain of kserve/pod-mutator@0.20.0, peers/")) << bench_all.out;
  EXPECT_TRUE(says(bench_all.out, " calls per admission\n")) << bench_all.out;
  const auto figures = measure::read_baseline_file(path("base.json"));
  ASSERT_TRUE(figures.ok()) << figures.error().text();
  const auto rows = static_cast<std::ptrdiff_t>(figures->size());
  EXPECT_EQ(std::count(bench_all.out.begin(), bench_all.out.end(), '\n'), rows + 2);
  EXPECT_EQ(std::count_if(figures->begin(), figures->end(), [](const auto& one) { return one.is_chain(); }),
            3);
  for (const measure::BenchFigure& figure : *figures) {
    EXPECT_EQ(figure.calls, 5);
    if (figure.is_chain()) {
      EXPECT_EQ(figure.calls_per_admission, 6) << "each twice";
    } else {
      EXPECT_GT(figure.patch_bytes, 2) << figure.name() << " acts on its Pod";
    }
    EXPECT_TRUE(figure.p50 <= figure.p90 && figure.p90 <= figure.p99 && figure.p99 <= figure.max);
  }
}

TEST_F(BenchProgram, GivesTheFormatOfGoogleBenchmark) {
  const Outcome outcome = bench("kserve/modelcar peers/sidecar-guarded --chain --calls 20 --format google");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto all = document::read_json(outcome.out);
  ASSERT_TRUE(all.ok()) << all.error().text() << outcome.out;
  EXPECT_TRUE((*all)["context"]["date"].is_string());
  const auto rows = (*all)["benchmarks"].elements();
  ASSERT_EQ(rows.size(), 9U) << outcome.out;
  EXPECT_EQ(rows[0]["name"].text(), "kserve/modelcar@0.20.0/pod_bytes:1000/manual_time");
  EXPECT_EQ(rows[8]["name"].text(),
            "chain:kserve/modelcar@0.20.0+peers/sidecar-guarded/pod_bytes:20000/manual_time");
  for (const Value& row : rows) {
    EXPECT_EQ(row["run_type"].text(), "iteration");
    EXPECT_EQ(row["time_unit"].text(), "us");
    EXPECT_EQ(row["iterations"].integer(), 20);
    const auto number = [&](const char* name) { return std::stod(std::string(row[name].text())); };
    EXPECT_GT(number("p50"), 0) << outcome.out;
    EXPECT_TRUE(number("p50") <= number("p90") && number("p90") <= number("p99"));
    EXPECT_LE(number("p99"), number("max"));
    EXPECT_TRUE(number("real_time") > 0 && number("real_time") <= number("max") + 0.01);
    const bool is_chain = row["name"].text().starts_with("chain:");
    EXPECT_EQ(row["calls_per_admission"].is_number(), is_chain);
    EXPECT_EQ(row["patch_bytes"].is_number(), !is_chain);
  }
}

TEST_F(BenchProgram, MeasuresWithExamples) {
  write("pod.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: mine}\nspec: {containers: [{name: a, image: a}]}\n---\n"
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: "
        "{containers: [{name: b, image: b}]}}}\n");
  const Outcome text = bench(
      "peers/sidecar-guarded peers/metadata-and-volume --chain --calls 5 --example pod.yaml --save b.json");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(says(text.out, " bytes, example mine\n")) << text.out;
  const auto figures = measure::read_baseline_file(path("b.json"));
  ASSERT_TRUE(figures.ok()) << figures.error().text();
  EXPECT_EQ(figures->size(), 6U) << "two Pods, two webhooks and their chain";
  EXPECT_EQ(figures->front().example, "mine");
  EXPECT_TRUE(figures->front().pod_bytes > 100 && figures->front().pod_bytes < 1000);
  EXPECT_EQ(reports::schema_problems(kBenchSchemas, "bench-baseline.json", read("b.json")), "");
  const Outcome again = bench(
      "peers/sidecar-guarded --calls 5 --example pod.yaml --baseline b.json --tolerance 1e6 --format ndjson");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_FALSE(says(again.out, "\"baseline\":null")) << again.out;
  EXPECT_EQ(std::count(again.out.begin(), again.out.end(), '\n'), 2) << again.out;
}

TEST_F(BenchProgram, ComparesWithABaseline) {
  ASSERT_EQ(bench("kserve/modelcar --calls 50 --save base.json").code, 0);
  // Even a busy machine does not make a median twenty times slower, and no machine makes it a thousand times
  // faster.
  const Outcome same = bench("kserve/modelcar --calls 50 --baseline base.json --tolerance 20");
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_TRUE(says(same.out, " baseline  ratio  patch\n")) << same.out;
  EXPECT_FALSE(says(same.out, "SLOWER")) << same.out;
  scale_down("base.json", "faster.json", 1000);
  const Outcome slower = bench("kserve/modelcar --calls 50 --baseline faster.json --tolerance 20");
  EXPECT_EQ(slower.code, 1) << slower.out << slower.err;
  for (const char* kilobytes : {"1", "3", "20"}) {
    const std::string line = "\nSLOWER  kserve/modelcar@0.20.0, " + std::string(kilobytes) + " kB Pod: p50 ";
    EXPECT_TRUE(says(slower.out, line)) << slower.out;
  }
  const auto again = slower.out.find("\nmeasured again, up to three times: the best of each\n");
  ASSERT_NE(again, std::string::npos) << slower.out;
  EXPECT_GT(again, slower.out.rfind(", measured again below\n")) << "first all others";
  const Outcome events = bench("kserve/modelcar --calls 5 --json --baseline faster.json");
  EXPECT_EQ(std::count(events.out.begin(), events.out.end(), '\n'), 3) << "each figure once: " << events.out;
}

TEST_F(BenchProgram, SaysWhatABaselineDoesNotKnow) {
  ASSERT_EQ(bench("kserve/modelcar kserve/agent --calls 5 --save base.json").code, 0);
  const Outcome text =
      bench("kserve/modelcar peers/sidecar-guarded --calls 5 --baseline base.json --tolerance 1e6");
  EXPECT_EQ(text.code, 0) << text.out << text.err;
  EXPECT_TRUE(says(text.out, ", not in the baseline\n")) << text.out;
  EXPECT_TRUE(says(text.out, "3 figures of the baseline were not asked for\n")) << text.out;
  const Outcome events = bench(
      "kserve/modelcar peers/sidecar-guarded --chain --calls 5 --json --baseline base.json --tolerance 1e6");
  std::istringstream lines(events.out);
  int known = 0, unknown = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(reports::schema_problems(kBenchSchemas, "events.json", line), "") << line;
    const auto event = document::read_json(line).value();
    (event["baseline"].is_object() ? known : unknown) += 1;
    EXPECT_EQ(event["calls"].integer(), 5);
  }
  EXPECT_EQ(known, 3);
  EXPECT_EQ(unknown, 6) << "those of the sidecar and of the chain";
}

TEST_F(BenchProgram, NamesAPlantedSlowWebhook) {
  const Outcome fast = bench("m.yaml --calls 3 --save base.json" + hostile("sidecar"));
  EXPECT_EQ(fast.code, 0) << fast.out << fast.err;
  const Outcome slow = bench("m.yaml --calls 3 --tolerance 3 --baseline base.json" + behind("bash slow.sh"));
  EXPECT_EQ(slow.code, 1) << slow.out << slow.err;
  EXPECT_TRUE(says(slow.out, "\nSLOWER  hooks, 1 kB Pod: p50 ")) << slow.out;
}

TEST_F(BenchProgram, BoundsTheSlowestOfAHundredCalls) {
  const std::string slow = "m.yaml --calls 5" + behind("bash slow.sh") + "--p99-max ";
  const auto above = bench(slow + "10ms");
  EXPECT_EQ(above.code, 1) << above.out << above.err;
  EXPECT_TRUE(says(above.err, "--p99-max: hooks, 1 kB Pod: p99 ")) << above.err;
  EXPECT_TRUE(says(above.err, " ms is above 10.00 ms")) << above.err;
  const auto below = bench(slow + "30s");
  EXPECT_FALSE(says(below.err, "--p99-max")) << below.err;
  EXPECT_NE(below.code, 1);
}

TEST_F(BenchProgram, MeasuresALoad) {
  const auto quick = bench("load m.yaml --connections 4 --calls 60" + hostile("allow"));
  EXPECT_EQ(quick.code, 0) << quick.out << quick.err;
  EXPECT_TRUE(says(quick.out, "hooks/proxy.example.io\n")) << quick.out;
  EXPECT_TRUE(says(quick.out, " requests/s over 4 connections: p50 ")) << quick.out;
  EXPECT_TRUE(says(quick.out, "60 calls, 0 errors, 0 timeouts")) << quick.out;
  const auto slow = bench("load m.yaml --connections 2 --calls 8 --p99-max 10ms" + behind("bash slow.sh"));
  EXPECT_EQ(slow.code, 1) << slow.out << slow.err;
  EXPECT_TRUE(says(slow.err, "--p99-max: hooks/proxy.example.io: p99 ")) << slow.err;
  const auto json = bench("load m.yaml --calls 8 --json" + hostile("allow"));
  const auto line = document::read_json(json.out.substr(0, json.out.find('\n')));
  ASSERT_TRUE(line) << json.out;
  EXPECT_EQ((*line)["calls"].integer(), 8);
  EXPECT_EQ((*line)["connections"].integer(), 8);
  EXPECT_EQ(bench("load").code, 2);
}

TEST_F(BenchProgram, EndsInTimeAndSaysOnHowManyCallsAFigureRests) {
  const Outcome slow = bench("m.yaml --time 200ms --json --chain" + behind("bash slow.sh"));
  EXPECT_EQ(slow.code, 3) << "it sends no patch: " << slow.out << slow.err;
  std::istringstream lines(slow.out);
  for (std::string line; std::getline(lines, line);) {
    const auto event = document::read_json(line).value();
    EXPECT_GE(event["calls"].integer().value(), 3) << line;
    EXPECT_LE(event["calls"].integer().value(), 10) << "twenty milliseconds each, within 200";
  }
  const Outcome text = bench("m.yaml --time 1ms" + hostile("sidecar"));
  EXPECT_TRUE(says(text.out, " of 2000 calls\n")) << text.out;
}

TEST_F(BenchProgram, ACallThatFailsIsNoLatency) {
  const Outcome dead = bench("m.yaml --calls 3 --save base.json" + hostile("die"));
  EXPECT_EQ(dead.code, 3) << dead.out;
  EXPECT_TRUE(says(dead.err, "hooks, 1 kB Pod: hooks/proxy.example.io: the call failed: ")) << dead.err;
  EXPECT_EQ(std::count(dead.err.begin(), dead.err.end(), '\n'), 1) << dead.err;
  EXPECT_FALSE(std::filesystem::exists(path("base.json"))) << "whole or not at all";
  const Outcome later = bench("m.yaml --calls 50" + hostile("not-json"));
  EXPECT_EQ(later.code, 3) << later.out;
  const Outcome chain = bench("m.yaml peers/sidecar-guarded --chain --calls 3" + hostile("deny"));
  EXPECT_EQ(chain.code, 3) << "a denial is an answer, and the end of an admission: " << chain.out;
  EXPECT_TRUE(says(chain.err, "chain of hooks, peers/sidecar-guarded, 1 kB Pod: the Pod is refused: "))
      << chain.err;
}

/// An unwritable file is reported before the measurement, not after a minute of it.
TEST_F(BenchProgram, SaysAtOnceThatItCannotWrite) {
  std::filesystem::create_directories(path("folder"));
  for (const char* arguments :
       {"kserve/modelcar --calls 3 --save nowhere/base.json", "kserve/modelcar --calls 3 --save folder",
        "cases --html nowhere/curves.html"}) {
    const Outcome outcome = bench(arguments);
    EXPECT_EQ(outcome.code, 3) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_TRUE(says(outcome.err, ": cannot be written: ")) << outcome.err;
  }
  EXPECT_EQ(bench("kserve/modelcar --calls 3 --save base.json").code, 0);
  EXPECT_FALSE(std::filesystem::exists(path("base.json.part")));
}

TEST_F(BenchProgram, SaysThatWhatComesOutOfAChainIsRefused) {
  const Outcome twice = bench("m.yaml peers/sidecar-guarded --chain --calls 3" + hostile("sidecar"));
  EXPECT_EQ(twice.code, 0) << twice.out << twice.err;
  EXPECT_TRUE(says(twice.err, "chain of hooks, peers/sidecar-guarded, 1 kB Pod: what comes out is refused: "))
      << twice.err;
  EXPECT_EQ(std::count(twice.err.begin(), twice.err.end(), '\n'), 3) << "once a row";
}

TEST_F(BenchProgram, GivesARowToEachWebhookOfAFile) {
  std::string text = kOneWebhook;
  text += text.substr(text.find("  - name"));
  text.replace(text.rfind("proxy.example.io"), 16, "later.example.io");
  write("m.yaml", text);
  const Outcome both = bench("m.yaml --calls 3" + hostile("allow") +
                             "--webhook 'later.example.io=exec:" + FIXPOINT_HOSTILE_WEBHOOK + " allow'");
  EXPECT_EQ(both.code, 3) << "neither sends a patch: " << both.err;
  for (const char* name : {"hooks/proxy.example.io", "hooks/later.example.io"}) {
    EXPECT_TRUE(says(both.out, std::string("\n") + name + "  ")) << both.out;
    EXPECT_TRUE(says(both.err, std::string("no verdict: ") + name + " changed no Pod")) << both.err;
  }
}

/// The script ignores a Pod that has its annotation already, so the bench must draw a Pod without it.
TEST_F(BenchProgram, CallsASubjectOfAFileWithAPodThatItActsOn) {
  write("s.yaml", R"(apiVersion: fixpoint/v1
kind: Subject
name: marker
configuration:
  apiVersion: admissionregistration.k8s.io/v1
  kind: MutatingWebhookConfiguration
  metadata: {name: marker}
  webhooks:
    - name: mark.example.io
      admissionReviewVersions: [v1]
      sideEffects: None
      rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
webhooks:
  marker/mark.example.io:
    script:
      - when: {absent: /metadata/labels/seen}
        patch: [{op: add, path: /metadata/labels, value: {seen: "yes"}}]
)");
  const Outcome marked = bench("s.yaml --calls 3 --save base.json");
  ASSERT_EQ(marked.code, 0) << marked.err;
  const auto figures = measure::read_baseline_file(path("base.json"));
  ASSERT_TRUE(figures.ok());
  for (const measure::BenchFigure& figure : *figures) {
    EXPECT_EQ(figure.injector, "marker");
    EXPECT_EQ(figure.patch_bytes,
              std::string_view(R"([{"op":"add","path":"/metadata/labels","value":{"seen":"yes"}}])").size());
  }
}

}  // namespace
}  // namespace fixpoint::cli
