#include "reports/history_section.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "harness/patterns_model.h"
#include "harness/runner/diagnosis/problems.h"
#include "reports/past_runs.h"

namespace fixpoint::reports {
namespace {

/// Returns a finding whose problem has that place.
cases::Finding finding_at(const std::string& print, const std::string& place) {
  cases::Finding finding{.property = "converges", .severity = "error", .fingerprint = print};
  finding.evidence = {.path = place, .reason = place + " comes again"};
  finding.value.request.object = document::read_json(R"({"metadata":{"name":"p"}})").value();
  finding.cause = {{.part = "kserve/agent", .place = place, .symptom = "duplicate"}};
  return finding;
}
const cases::Finding kFirst = finding_at("aaaaaaaaaaaa", "spec.a"),
                     kFirstToo = finding_at("a2a2a2a2a2a2", "spec.a"),
                     kSecond = finding_at("bbbbbbbbbbbb", "spec.b");

HistoryRun run_of(const std::string& date, std::vector<HistoryEntry> findings, const std::string& folder = "",
                  const std::string& report = "") {
  return {.date = date,
          .version = "0.1.0",
          .seed = "7",
          .subjects = {"kserve/agent", "x", "y", "z"},
          .cases = 9,
          .folder = folder,
          .report = report,
          .findings = std::move(findings)};
}

RunRecord reported(std::vector<HistoryRun> runs) {
  RunRecord record{.seed = "7", .folder = "runs/last"};
  tell_history(record, {.runs = std::move(runs)});
  return record;
}

std::string html_of(const RunRecord& record) {
  document::Value data = document::Value::empty_object();
  return history_section(record, views_of(record), data);
}

/// Returns the numbers of new, known and fixed problems of each run: "1/0/0 0/1/0".
std::string trend_of(const RunRecord& record) {
  std::string text;
  for (const PastRun& past : record.past_runs)
    text += (text.empty() ? "" : " ") + std::to_string(past.fresh.size()) + "/" +
            std::to_string(past.known.size()) + "/" + std::to_string(past.fixed.size());
  return text;
}

/// A run that was killed after it had appended its line, and resumed, has two lines.
TEST(PastRuns, KnowARunByItsId) {
  HistoryRun killed = run_of("1", {{kFirst, "found"}}),
             resumed = run_of("2", {{kFirst, "found"}, {kSecond, "found"}});
  killed.id = resumed.id = "0123";
  const auto other = run_of("1", {{kFirst, "found"}});
  const auto read = read_history(history_line(killed) + history_line(other) + history_line(resumed));
  ASSERT_TRUE(read) << read.error().text();
  ASSERT_EQ(read->runs.size(), 2U);
  EXPECT_EQ(read->runs[0].id, "");
  EXPECT_EQ(read->runs[1].id, "0123");
  EXPECT_EQ(read->runs[1].findings.size(), 2U);
}

TEST(PastRuns, SayWhatWasNewKnownAndFixed) {
  const RunRecord record = reported(
      {run_of("1", {{kFirst, "found"}}), run_of("2", {{kFirst, "still failing"}, {kSecond, "found"}}),
       run_of("3", {{kFirst, "fixed"}, {kSecond, "flaky"}}), run_of("4", {{kFirst, "found"}})});
  EXPECT_EQ(trend_of(record), "1/0/0 1/1/0 0/1/1 0/1/0");
  ASSERT_EQ(record.past_problems.size(), 2u);
  EXPECT_EQ(record.past_problems[0].runs, 3);
  EXPECT_EQ(record.past_problems[0].last_seen, "4");
  EXPECT_EQ(record.past_problems[0].state, "reopened");
}

TEST(PastRuns, AProblemIsFixedWithTheLastOfItsFindings) {
  const auto both = run_of("1", {{kFirst, "found"}, {kFirstToo, "found"}});
  EXPECT_EQ(reported({both}).past_problems.size(), 1u);
  EXPECT_EQ(trend_of(reported({both, run_of("2", {{kFirst, "fixed"}, {kFirstToo, "still failing"}})})),
            "1/0/0 0/1/0");
  EXPECT_EQ(trend_of(reported({both, run_of("2", {{kFirst, "fixed"}}), run_of("3", {{kFirstToo, "fixed"}})})),
            "1/0/0 0/0/0 0/0/1");
  EXPECT_EQ(trend_of(reported({both, run_of("2", {{kFirst, "not runnable: gone"}, {kFirstToo, "fixed"}})})),
            "1/0/0 0/0/0")
      << "nobody knows";
}

TEST(PastRuns, AFolderBelongsToTheLastRunInIt) {
  const RunRecord record =
      reported({run_of("1", {}, "runs/last", "a.html"), run_of("2", {}, "runs/./last", "a.html")});
  EXPECT_TRUE(record.past_runs[0].is_moved);
  EXPECT_EQ(record.past_runs[0].report, "") << "the page is that of the second";
  EXPECT_FALSE(record.past_runs[1].is_moved);
  EXPECT_TRUE(record.past_runs[1].is_this);
  EXPECT_EQ(record.past_runs[1].report, "a.html");
}

TEST(HistorySection, LinksProblemsOfThePageAndReportsOfOtherRuns) {
  RunRecord record{.seed = "7"};
  record.findings = {{.finding = kFirst}};
  tell_history(record,
               {.runs = {run_of("1", {{kFirst, "found"}, {kSecond, "found"}}, "runs/1", "pages/run 1.html"),
                         run_of("2", {{kFirst, "found"}}, "runs/2")}});
  const std::string html = html_of(record), a = runner::problem_id(kFirst), b = runner::problem_id(kSecond);
  EXPECT_NE(html.find("<a href=\"#problem-" + a + "\">" + a + "</a>"), std::string::npos);
  EXPECT_NE(html.find("<a href=\"pages/run%201.html#problem-" + b + "\">" + b + "</a>"), std::string::npos);
  EXPECT_NE(html.find("<a href=\"pages/run%201.html\">report</a>"), std::string::npos);
  EXPECT_NE(html.find("<code>runs/<wbr>1</code>"), std::string::npos);
  EXPECT_NE(html.find("<code>x</code> and 2 more"), std::string::npos);
  EXPECT_LT(html.find("<code>runs/<wbr>2</code>"), html.find("<code>runs/<wbr>1</code>"))
      << "the newest first";
  EXPECT_NE(html.find("<code>spec.<wbr>b</code>"), std::string::npos);
}

TEST(HistorySection, AFixedProblemLeadsToTheReportThatShowsIt) {
  const RunRecord record = reported({run_of("1", {{kFirst, "found"}}, "runs/1", "1.html"),
                                     run_of("2", {{kFirst, "fixed"}}, "runs/2", "2.html")});
  const std::string html = html_of(record), id = runner::problem_id(kFirst);
  EXPECT_TRUE(is_found(html, ">fixed</span><a href=\"1.html#problem-" + id + "\">"));
  EXPECT_EQ(html.find("2.html#problem-"), std::string::npos);
}

TEST(HistorySection, SaysHowManyRunsAreNotShown) {
  std::vector<HistoryRun> runs;
  for (std::size_t i = 0; i < kRunsShownMax + 2; ++i)
    runs.push_back(run_of(std::to_string(100 + i), {{kFirst, "found"}}, "runs/" + std::to_string(i)));
  const RunRecord record = reported(std::move(runs));
  document::Value data = document::Value::empty_object();
  const std::string html = history_section(record, {}, data);
  EXPECT_NE(html.find("2 earlier runs, which are not shown"), std::string::npos);
  EXPECT_EQ(data["trend"]["labels"].size(), kRunsShownMax);
  EXPECT_EQ(html.find("<code>runs/<wbr>1</code>"), std::string::npos);
  EXPECT_NE(html.find("<code>runs/<wbr>2</code>"), std::string::npos);
}

TEST(HistorySection, PathsAndTextsOfAHistorySteerNothing) {
  const std::string hostile = "<img src=x onerror=alert(1)>\"' onclick='x";
  for (const std::string report : {"javascript:alert(1)", "//evil.example/x", "data:text/html,<b>"}) {
    const RunRecord record = reported(
        {run_of(hostile, {{finding_at("<b>", hostile), "found"}}, hostile, report), run_of("2", {})});
    const std::string html = html_of(record);
    EXPECT_EQ(html.find("<img"), std::string::npos);
    EXPECT_EQ(html.find("' onclick='"), std::string::npos);
    EXPECT_FALSE(is_found(html, "href=\"([a-z]+:|//)")) << report;
  }
}

TEST(HistorySection, HidesWhatMayBeSecret) {
  cases::Finding leaky = kFirst;
  leaky.value.request.object =
      document::read_json(R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","env":[
          {"name":"TOKEN","value":"hunter2hunter2"}]}]}})")
          .value();
  leaky.cause->place = "spec.containers[hunter2hunter2]";
  EXPECT_EQ(html_of(reported({run_of("1", {{leaky, "found"}})})).find("hunter2"), std::string::npos);
}

TEST(HistorySection, IsEmptyWithoutAHistory) { EXPECT_EQ(html_of(RunRecord{}), ""); }

}  // namespace
}  // namespace fixpoint::reports
