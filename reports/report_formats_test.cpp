#include "reports/report_formats.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "harness/document/json.h"
#include "harness/document/printable.h"
#include "harness/golden_test.h"
#include "harness/patterns_model.h"
#include "reports/assets.h"
#include "reports/assets_model.h"
#include "reports/escape.h"
#include "reports/events.h"
#include "reports/redact.h"
#include "reports/report_schema_model.h"
#include "reports/side_by_side.h"
#include "reports/text.h"

namespace fixpoint::reports {
namespace {

using document::read_json;

const std::string kSchemas = FIXPOINT_SOURCE "/reports/schemas";

document::Value pod(const std::string& volumes) {
  return read_json(R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"main","image":"x"}],)"
                   R"("volumes":[)" +
                   volumes + "]}}")
      .value();
}

cases::Finding finding_in(const std::string& name) {
  cases::Finding finding{.property = "no-duplicate-names",
                         .severity = "error",
                         .webhook = "c/pods.example.io",
                         .verdict = "growing",
                         .fingerprint = "75925b08be9e"};
  finding.evidence = {.path = "spec.volumes[1].name",
                      .value = name,
                      .reason = "duplicate \"" + name + "\" at spec.volumes[1].name",
                      .calls = {{.pass = 1, .webhook = "c/pods.example.io", .effect = {"+ volume " + name}},
                                {.pass = 2,
                                 .webhook = "c/pods.example.io",
                                 .effect = {"+ volume " + name},
                                 .again = {"+ volume " + name}},
                                {.pass = 0,
                                 .check = "a call after both passes",
                                 .webhook = "c/pods.example.io",
                                 .effect = {"+ volume " + name}}}};
  finding.value.request.object = pod("");
  finding.value.cluster.objects = {read_json(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},
      "webhooks":[{"name":"pods.example.io"}]})")
                                       .value()};
  finding.value.webhooks = {{"c/pods.example.io", cases::InjectorName{"kserve/modelcar@0.12.0"}}};
  finding.found = {.seed = 7, .cases = 18, .shrinks = 21};
  return finding;
}

/// Returns a run with one of everything that a record can contain.
void add_history(RunRecord& record, const std::string& name) {
  record.history = {{"75925b08be9e", "no-duplicate-names", "kserve/modelcar@0.12.0", "error",
                     "2026-11-01T00:00:00Z", "2026-11-21T00:00:00Z", "failing", 3}};
  record.past_problems = {{.ids = {"abdf8818e503"},
                           .severity = "error",
                           .part = "kserve/modelcar",
                           .place = "spec.volumes[" + name + "]",
                           .title = "adds spec.volumes[" + name + "] without a check whether it is there",
                           .state = "failing",
                           .first_seen = "2026-11-01T00:00:00Z",
                           .last_seen = "2026-11-21T00:00:00Z",
                           .runs = 3},
                          {.ids = {"0a0a0a0a0a0a"}, .severity = "error", .part = name, .state = "fixed"}};
  record.past_runs = {{.date = "2026-11-01T00:00:00Z",
                       .seed = "6",
                       .subjects = {name},
                       .cases = 1000,
                       .folder = "nightly/" + name,
                       .report = "pages/" + name + ".html",
                       .fresh = {0, 1}},
                      {.date = "2026-11-21T00:00:00Z",
                       .seed = "7",
                       .subjects = record.subjects,
                       .cases = 2000,
                       .folder = "run",
                       .is_this = true,
                       .known = {0},
                       .fixed = {1}}};
}
RunRecord record_with(const std::string& name) {
  RunRecord record{.version = "0.1.0", .seed = "7", .subjects = {"kserve/modelcar@0.12.0"}, .complete = true};
  record.regressions = {{"corpus/regressions/a.json", "fixed"},
                        {"corpus/regressions/b.json", "still failing"},
                        {"corpus/regressions/c.json", "not runnable: " + name}};
  RecordedFinding found{.finding = finding_in(name), .state = "new"};
  const auto once = pod(R"({"name":"m"})"), twice = pod(R"({"name":"m"},{"name":"m"})");
  found.call_diffs = {{.pass = 1, .webhook = "c/pods.example.io", .lines = side_by_side(pod(""), once, {})},
                      {.pass = 2,
                       .webhook = "c/pods.example.io",
                       .lines = side_by_side(once, twice, {"+ volume m"}, "spec.volumes[1].name")}};
  cases::Finding expected = finding_in(name);
  expected.fingerprint = "0123456789ab";
  expected.severity = "warning";
  expected.verdict = "";
  record.findings = {found, {.finding = expected, .state = "expected"}};
  record.notes = {finding_in(name)};
  record.retries = {{finding_in(name), "flaky"}};
  record.summary.why = "cases";
  record.summary.count({.cases = 2000, .all_properties = 125, .reinvoked = 1500, .rejected = 100});
  record.summary.properties = {{"converges", {.asked = 2000, .held = 1800, .violated = 50, .skipped = 150}},
                               {"update-safe", {.asked = 125, .not_applicable = 125}},
                               {"idempotent", {.asked = 125, .held = 125}}};
  record.summary.vacuity_checks = {{"some request was reinvoked", true, true},
                                   {"some container came late", false, true}};
  record.summary.observe({.kind = "rewrites",
                          .webhook = "c/pods.example.io",
                          .path = "metadata.annotations[" + name + "]",
                          .reason = "rewrites metadata.annotations[" + name + "]"},
                         3);
  record.summary.seconds = 0.5;
  record.summary.drawn = {.containers = 4000, .webhooks = 6000, .if_needed = 3000, .updates = 200};
  record.latencies = {{"kserve/modelcar@0.12.0", 3000, 800, 4.5, 5.5, 9.25, 40},
                      {"chain of kserve/modelcar@0.12.0", 3000, {}, 40.25, 44, 60.5, 412}};
  record.costs = {{"containers", 3, 60.5, 9}, {"containers", 10, 150.25, 8}, {"webhooks", 5, 80, 9}};
  add_history(record, name);
  return record;
}

TEST(Formats, ReadAsTheyShould) {
  const RunRecord record = record_with("models");
  expect_golden("reports/golden/report.txt", write_as("text", record));
  expect_golden("reports/golden/report.json", write_as("json", record));
  expect_golden("reports/golden/report.junit.xml", write_as("junit", record));
  expect_golden("reports/golden/report.sarif", write_as("sarif", record));
  expect_golden("reports/golden/report.md", write_as("markdown", record));
  expect_golden("reports/golden/report.html", without_assets(write_as("html", record)));
}

TEST(Formats, AreWhatTheirSchemasSay) {
  for (const std::string name : {"models", "\x1b[31m<b>\xE2\x80\xAE\xC2\x9B##vso[x]"}) {
    const RunRecord record = record_with(name);
    EXPECT_EQ(schema_problems(kSchemas, "sarif-2.1.0.json", write_as("sarif", record)), "");
    EXPECT_EQ(schema_problems(kSchemas, "run.json", write_as("json", record)), "");
    for (const auto& event :
         {finding_event(record.findings[0].finding), note_event(record.notes[0]),
          retry_event(record.retries[0].finding, "flaky"), cost_event(record.costs[0]),
          observation_event(record.summary.observations[0]),
          vacuity_check_event(record.summary.vacuity_checks[0]), stop_event(record.summary),
          regression_event("a.json", "fixed"), start_event({}, "0.1.0")}) {
      EXPECT_EQ(schema_problems(kSchemas, "events.json", document::write_json(event)), "");
    }
  }
  EXPECT_EQ(schema_problems(kSchemas, "run.json", write_as("json", {})), "") << "an empty run, too";
  EXPECT_EQ(schema_problems(kSchemas, "sarif-2.1.0.json", write_as("sarif", {})), "");
}

TEST(Formats, SchemasRefuseWhatIsWrong) {
  auto finding = cases::write_finding(finding_in("m"));
  EXPECT_EQ(schema_problems(kSchemas, "finding.json", document::write_json(finding)), "");
  finding.set("severity", "grave");
  EXPECT_NE(schema_problems(kSchemas, "finding.json", document::write_json(finding)), "");
  auto value = cases::write_finding(finding_in("m"));
  value.edit("case").set("webhook", "x");
  EXPECT_NE(schema_problems(kSchemas, "finding.json", document::write_json(value)), "");
  EXPECT_NE(schema_problems(kSchemas, "events.json", R"({"event":"begin"})"), "");
  EXPECT_NE(schema_problems(kSchemas, "sarif-2.1.0.json", R"({"version":"2.1.0"})"), "");
}

TEST(Formats, TheCorpusIsWhatTheSchemasSay) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FIXPOINT_SOURCE "/corpus/regressions")) {
    if (entry.path().extension() != ".json") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    EXPECT_EQ(schema_problems(kSchemas, "finding.json", text.str()), "") << entry.path();
    ++files;
  }
  EXPECT_GT(files, 40);
}

/// Returns a line for each violation of the rules for logs of GitHub's code scanning (docs.github.com, "SARIF
/// support for code scanning") that would make a viewer show nothing.
std::string gaps_for_code_scanning(const std::string& text) {
  std::string gaps;
  const auto expect = [&](bool holds, const std::string& what) { gaps += holds ? "" : what + "\n"; };
  const auto log = read_json(text, {}, document::Strictness::foreign).value();
  const document::Value& run = log["runs"].at(0);
  const document::Value& driver = run["tool"]["driver"];
  expect(driver["informationUri"].text().starts_with("https://"), "the tool has no address");
  std::set<std::string> ids, fingerprints;
  for (const auto& rule : driver["rules"].elements()) {
    const std::string id(rule["id"].text());
    expect(ids.insert(id).second, "duplicate id " + id);
    for (const char* member : {"shortDescription", "fullDescription", "help"}) {
      const auto said = rule[member]["text"].text();
      expect(!said.empty() && said.size() <= 1024, id + " has no " + member);
    }
    expect(!rule["help"]["markdown"].text().empty(), id + " has no Markdown");
    expect(rule["helpUri"].text().starts_with("https://"), id + " has no address");
  }
  for (const auto& result : run["results"].elements()) {
    const auto& rule =
        driver["rules"].at(static_cast<std::size_t>(result["ruleIndex"].integer().value_or(-1)));
    const std::string id(result["ruleId"].text());
    expect(rule["id"] == result["ruleId"], id + " has another index");
    expect(!result["message"]["text"].text().empty(), id + " has no message");
    const auto& physical = result["locations"].at(0)["physicalLocation"];
    const std::string uri(physical["artifactLocation"]["uri"].text());
    expect(is_found(uri, "^[A-Za-z0-9._~%-]+(/[A-Za-z0-9._~%-]+)*$") && !uri.starts_with(".."),
           id + " is nowhere in the repository: " + uri);
    expect(physical["region"]["startLine"].integer() == 1, id + " has no line");
    const auto& print = result["partialFingerprints"]["primaryLocationLineHash"];
    expect(!print.text().empty(), id + " has no fingerprint");
    expect(fingerprints.insert(id + std::string(print.text())).second, id + " has that of another");
  }
  expect(text.find("\\\\x0a") == std::string::npos, "a line end is spelled out");
  return gaps;
}

TEST(Sarif, HasWhatCodeScanningAsksFor) {
  for (const std::string name : {"models", "a\nb\r\nc", "\x1b[31m<b>](x)", "../ä b"}) {
    RunRecord record = record_with(name);
    EXPECT_EQ(gaps_for_code_scanning(write_as("sarif", record)), "") << document::printable(name);
    record.folder = "/tmp/some where/" + name;
    record.files = {{"c", "/home/somebody/" + name + ".yaml"}};
    EXPECT_EQ(gaps_for_code_scanning(write_as("sarif", record)), "") << document::printable(name);
  }
  EXPECT_EQ(gaps_for_code_scanning(write_as("sarif", {})), "");
}

TEST(Sarif, TheTestSeesGaps) {
  std::string text = write_as("sarif", record_with("models"));
  for (const char* member : {"informationUri", "fullDescription", "help", "helpUri", "uri", "startLine",
                             "primaryLocationLineHash", "markdown"}) {
    std::string other = text;
    const std::string quoted = "\"" + std::string(member) + "\"";
    other.replace(other.find(quoted), quoted.size(), "\"other\"");
    EXPECT_NE(gaps_for_code_scanning(other), "") << member;
  }
}

/// Returns the URI of the first result.
std::string place_of(const RunRecord& record) {
  const auto log = read_json(write_as("sarif", record), {}, document::Strictness::foreign).value();
  const auto& location = log["runs"].at(0)["results"].at(0)["locations"].at(0);
  return std::string(location["physicalLocation"]["artifactLocation"]["uri"].text());
}

TEST(Sarif, ShowsResultsInTheFileThatAMaintainerEdits) {
  RunRecord record = record_with("models");
  EXPECT_EQ(place_of(record), "run/findings/75925b08be9e.json");
  record.files = {{"c", "deploy/web hook.yaml"}, {"other", "x.yaml"}};
  EXPECT_EQ(place_of(record), "deploy/web%20hook.yaml");
  record.source = "charts/hook.yaml";
  EXPECT_EQ(place_of(record), "charts/hook.yaml");
}

TEST(Sarif, SaysWhatIsNewWhereTheRecordKnowsIt) {
  RunRecord record = record_with("models");
  record.findings.pop_back();
  const auto baseline = [](const RunRecord& of) {
    const auto log = read_json(write_as("sarif", of), {}, document::Strictness::foreign).value();
    return std::string(log["runs"].at(0)["results"].at(0)["baselineState"].text());
  };
  EXPECT_EQ(baseline(record), "new");
  record.findings[0].state = "failing";
  EXPECT_EQ(baseline(record), "unchanged");
  record.findings[0].state = "";
  EXPECT_EQ(baseline(record), "") << "nobody knows";
}

TEST(Formats, JUnitIsValidByItsXmlSchema) {
  if (std::system("xmllint --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no xmllint";
  const auto file = std::filesystem::temp_directory_path() / ("fixpoint-junit-" + std::to_string(getpid()));
  const auto is_valid = [&](const std::string& text) {
    std::ofstream(file) << text;
    return std::system(("xmllint --noout --nonet --schema " + kSchemas + "/junit-10.xsd " + file.string() +
                        " >/dev/null 2>&1")
                           .c_str()) == 0;
  };
  EXPECT_TRUE(is_valid(write_as("junit", record_with("models"))));
  EXPECT_TRUE(is_valid(write_as("junit", {})));
  EXPECT_TRUE(is_valid(write_as("junit", record_with("a\x01\x1b]]>&<x a='b\">\xEF\xBF\xBF\xFF"))));
  EXPECT_FALSE(is_valid("<testsuites><testsuite/></testsuites>"));
  std::filesystem::remove(file);
}

/// Returns the names of the failing test cases in a JUnit report.
std::vector<std::string> failing_in(const std::string& junit) {
  std::vector<std::string> names;
  for (const auto& found : all_found(junit, "<testcase [^>]* name=\"([^\"]*)\">\n *<failure "))
    names.push_back(found[1]);
  return names;
}

TEST(JUnit, HasATestCaseForEachProblemAndRegression) {
  RunRecord record = record_with("models");
  record.retries.clear();
  record.summary.vacuity_checks.clear();
  record.regressions.push_back({"corpus/regressions/b.json", "fixed"});  // the result with another subject
  const std::string junit = write_as("junit", record);
  EXPECT_EQ(all_found(junit, "<testcase classname=\"kserve/modelcar\"").size(), 1u) << "of two findings";
  EXPECT_EQ(all_found(junit, "<testcase classname=\"regressions\"").size(), 3u);
  EXPECT_EQ(failing_in(junit),
            (std::vector<std::string>{"abdf8818e503 duplicate &quot;models&quot; at spec.volumes[1].name",
                                      "corpus/regressions/b.json"}));
}

TEST(JUnit, FailsOnWarningsOnlyWhereTheRunDoes) {
  RunRecord record{.complete = true};
  record.findings = {{.finding = finding_in("models")}};
  record.findings[0].finding.severity = "warning";
  EXPECT_EQ(failing_in(write_as("junit", record)).size(), 0u);
  EXPECT_TRUE(is_found(write_as("junit", record), "<skipped message=\"a warning[^\"]*1 finding: "));
  record.summary.fails_on_warnings = true;
  EXPECT_EQ(failing_in(write_as("junit", record)).size(), 1u);
}

TEST(JUnit, GivesAReasonAndNoAbsolutePath) {
  RunRecord record = record_with("models");
  record.folder = "/home/somebody/run";
  for (RegressionAnswer& regression : record.regressions)
    regression.file = "/home/somebody/" + regression.file;
  const std::string junit = write_as("junit", record);
  EXPECT_EQ(junit.find("/home"), std::string::npos);
  EXPECT_FALSE(is_found(junit, "<(failure|skipped)[^>]* message=\"[^\" ]* ?[^\" ]*\"")) << "a word or two";
}

/// Names that do harm in one of the formats, or on the way there.
const std::string kHostile[] = {"\x1b[31mred\x1b]0;title\x07",
                                "a\r\n::error file=x::boo",
                                "::error::boo",
                                "##[error]boo",
                                "x ##vso[task.x]",
                                "##teamcity[x]",
                                "</script><script>alert(1)</script>",
                                "<img src=x onerror=alert(1)>",
                                "]]><x/>",
                                "&xxe;",
                                "\xE2\x80\xAE\xE2\x81\xA6reversed",
                                "\xC2\x9B"
                                "31m",
                                "\x7f",
                                "| a | b |",
                                "```\n# heading\n```",
                                "`x` [y](z)",
                                "[link](https://evil.example)",
                                "<!-- comment",
                                "' onclick='x",
                                "@everyone #1",
                                "{0} {1}"};

bool has_raw_steering(const std::string& text) {
  static const std::string steering(
      "[\\x01-\\x09\\x0b-\\x1f\\x7f]|\xC2[\x80-\x9F]|\xE2\x80[\x8E\x8F\xA8-\xAE]|"
      "\xE2\x81[\xA6-\xA9]");
  return is_found(text, steering);
}
bool has_command(const std::string& text) {
  static const std::string command("(^|\n) *::[a-z]|##\\[|##vso\\[|##teamcity\\[");
  return is_found(text, command);
}

TEST(Formats, NothingForeignSteersAnyOfThem) {
  for (const std::string& name : kHostile) {
    RunRecord record = record_with(name);
    record.costs.push_back({name, 3, 60.5});
    for (const Format& format : all_formats()) {
      if (format.name == "html") continue;  // tested below: Chart.js may contain anything
      const std::string text = format.write(record);
      EXPECT_FALSE(has_raw_steering(text)) << format.name << ": " << document::printable(name);
      EXPECT_FALSE(has_command(text)) << format.name << ": " << document::printable(name);
    }
    std::string html = write_as("html", record);
    html.erase(html.find(chart_script()), chart_script().size());
    html.erase(html.find(page_script()), page_script().size());
    EXPECT_FALSE(has_raw_steering(html)) << document::printable(name);
    EXPECT_EQ(html.find("<img"), std::string::npos) << document::printable(name);
    EXPECT_EQ(html.find("<script>alert"), std::string::npos) << document::printable(name);
    EXPECT_EQ(html.find("' onclick='"), std::string::npos) << document::printable(name);
  }
}

TEST(Formats, TheHostileTestSeesHarm) {
  EXPECT_TRUE(has_raw_steering("\x1b[31m") && has_raw_steering("\xC2\x9B") &&
              has_raw_steering("\xE2\x80\xAE"));
  EXPECT_TRUE(has_command("a\n  ::error::") && has_command("x ##vso[y]"));
  EXPECT_FALSE(has_command("address ::1 and a::b") || has_raw_steering("Größe ✓\n"));
}

TEST(Markdown, ForeignTextStaysInItsSpan) {
  EXPECT_EQ(markdown_code("a`b"), "``a`b``");
  EXPECT_EQ(markdown_code("`x"), "`` `x ``");
  EXPECT_EQ(markdown_cell("a|b"), "`a\\|b`");
  EXPECT_EQ(markdown_code(""), "–");
  EXPECT_EQ(markdown_block("````", "json"), "`````json\n````\n`````\n");
}

RC_GTEST_PROP(Markdown, NoRunOfBackticksClosesASpan, (const std::vector<bool>& ticks)) {
  std::string text;
  for (const bool tick : ticks) text += tick ? '`' : 'x';
  RC_PRE(!text.empty());
  const std::string code = markdown_code(text);
  const std::size_t fence = code.find_first_not_of('`');
  const std::string inner = code.substr(fence, code.size() - 2 * fence);
  RC_ASSERT((" " + inner + " ").find(std::string(fence, '`')) == std::string::npos);
}

RC_GTEST_PROP(Json, WithoutCommandsReadsBackAsTheSame, (const std::string& text)) {
  const std::string whole = document::write_json(document::Value(text + "##[::\x7f\xC2\x9B"));
  const auto before = read_json(whole, {}, document::Strictness::foreign);
  const auto after = read_json(json_without_commands(whole), {}, document::Strictness::foreign);
  RC_ASSERT(before.ok() && after.ok());
  RC_ASSERT(*before == *after);
}

}  // namespace
}  // namespace fixpoint::reports
