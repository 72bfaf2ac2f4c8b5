#include "reports/history_page.h"

#include <gtest/gtest.h>

#include "harness/document/json.h"
#include "reports/report_schema_model.h"

namespace fixpoint::reports {
namespace {

cases::Finding finding(const std::string& fingerprint, const std::string& release = "1") {
  cases::Finding finding{
      .property = "converges", .severity = "error", .webhook = "c/w", .fingerprint = fingerprint};
  finding.value.request.object = document::read_json(R"({"metadata":{"name":"p"}})").value();
  finding.value.cluster.objects = {document::read_json(R"({"apiVersion":"admissionregistration.k8s.io/v1",
      "kind":"MutatingWebhookConfiguration","metadata":{"name":"c"},"webhooks":[{"name":"w"}]})")
                                       .value()};
  finding.value.webhooks = {{"c/w", cases::InjectorName{"kserve/x@" + release}}};
  return finding;
}

HistoryRun run(const std::string& date, std::vector<HistoryEntry> findings) {
  return {.date = date,
          .version = "0.1.0",
          .seed = "7",
          .subjects = {"x"},
          .cases = 9,
          .findings = std::move(findings)};
}

const std::string kA = "aaaaaaaaaaaa", kB = "bbbbbbbbbbbb";

std::string state_of(const std::vector<HistoryRun>& runs) {
  return past_findings({.runs = runs}).front().state;
}

TEST(History, ReadsBackWhatItWrote) {
  const std::string text = history_line(run("2026-01-01", {{finding(kA), "found"}})) +
                           history_line(run("2026-01-02", {{finding(kA), "fixed"}, {finding(kB), "found"}}));
  const auto history = read_history(text);
  ASSERT_TRUE(history.ok()) << history.error().text();
  ASSERT_EQ(history->runs.size(), 2u);
  EXPECT_EQ(history_line(history->runs[0]) + history_line(history->runs[1]), text);
  for (const auto& one : history->runs)
    EXPECT_EQ(schema_problems(FIXPOINT_SOURCE "/reports/schemas", "history.json", history_line(one)), "");
}

TEST(History, ALineCutAnywhereIsLeftOut) {
  const std::string first = history_line(run("2026-01-01", {{finding(kA), "found"}})), second = first;
  for (std::size_t cut = 1; cut + 1 < second.size(); cut += 7) {
    const auto history = read_history(first + second.substr(0, cut));
    ASSERT_TRUE(history.ok()) << history.error().text();
    EXPECT_EQ(history->runs.size(), 1u) << cut;
    EXPECT_EQ(history->torn, 1u) << cut;
    // The next run begins on a new line.
    const auto later = read_history(first + second.substr(0, cut) + "\n" + first);
    ASSERT_TRUE(later.ok());
    EXPECT_EQ(later->runs.size(), 2u) << cut;
  }
}

TEST(History, AnotherFormatIsAnErrorWithItsLine) {
  const auto history = read_history(history_line(run("2026-01-01", {})) + "{\"kind\":\"Case\"}\n");
  ASSERT_FALSE(history.ok());
  EXPECT_NE(history.error().text().find("line 2: /kind"), std::string::npos) << history.error().text();
}

TEST(History, FirstAndLastSeen) {
  const History history{
      .runs = {run("2026-01-01", {{finding(kA), "found"}}), run("2026-01-02", {}),
               run("2026-01-03", {{finding(kA), "still failing"}, {finding(kB), "found"}})}};
  const auto past = past_findings(history);
  ASSERT_EQ(past.size(), 2u);
  EXPECT_EQ(past[0].first_seen, "2026-01-01");
  EXPECT_EQ(past[0].last_seen, "2026-01-03");
  EXPECT_EQ(past[0].runs, 2);
  EXPECT_EQ(past[1].first_seen, "2026-01-03");
}

TEST(History, FailingFixedAndFlakyAreThreeThings) {
  const auto found = run("1", {{finding(kA), "found"}}), fixed = run("2", {{finding(kA), "fixed"}}),
             again = run("3", {{finding(kA), "found"}}), flaky = run("2", {{finding(kA), "flaky"}});
  EXPECT_EQ(state_of({found}), "failing");
  EXPECT_EQ(state_of({found, fixed}), "fixed");
  EXPECT_EQ(state_of({found, fixed, again}), "flaky") << "the same release failed, did not, and failed";
  EXPECT_EQ(state_of({found, flaky}), "flaky");
  EXPECT_EQ(state_of({found, flaky, fixed}), "flaky");
  const auto fixed_in_2 = run("2", {{finding(kA, "2"), "fixed"}}),
             back_in_3 = run("3", {{finding(kA, "3"), "found"}});
  EXPECT_EQ(state_of({found, fixed_in_2, back_in_3}), "reopened") << "another release brought it back";
  EXPECT_TRUE(known_failures({.runs = {found, fixed}}).empty());
  EXPECT_EQ(known_failures({.runs = {found, fixed, again}}).size(), 1u);
}

TEST(History, AnotherCaseOfTheSameFindingIsNotFixed) {
  RunRecord record;
  record.retries = {{finding(kA), "fixed"}, {finding(kB), "fixed"}};
  record.findings = {{.finding = finding(kA)}};
  const auto line = history_run(record, "2026-01-01");
  ASSERT_EQ(line.findings.size(), 2u);
  EXPECT_EQ(line.findings[0].finding.fingerprint, kB);
  EXPECT_EQ(line.findings[1].answer, "found");
}

TEST(History, TellsWhatIsNew) {
  RunRecord record;
  record.findings = {{.finding = finding(kA)}, {.finding = finding(kB)}};
  tell_history(record, {.runs = {run("1", {{finding(kA), "found"}}),
                                 run("2", {{finding(kA), "found"}, {finding(kB), "found"}})}});
  EXPECT_EQ(record.findings[0].state, "failing");
  EXPECT_EQ(record.findings[1].state, "new");
  EXPECT_EQ(record.history.size(), 2u);
}

}  // namespace
}  // namespace fixpoint::reports
