#include <algorithm>
#include <cstdio>
#include <map>

#include "harness/document/printable.h"
#include "harness/runner/replay_answer.h"
#include "reports/escape.h"
#include "reports/problem_view.h"
#include "reports/report_formats.h"
#include "reports/text.h"

namespace fixpoint::reports {

namespace {

/// One test case of the run: a problem, a regression, a property or a vacuity check.
struct TestCase {
  std::string suite, name;
  std::string failure = {}, type = {}, text = {};
  std::string skipped = {};
};

/// Returns the finding to read first in full, and the names of the others.
std::string evidence_of(const ProblemView& view, RunRecord record) {
  record.folder = relative_path(record.folder);
  const cases::Finding& first = view.smallest();
  std::string text = finding_text(first, replay_command(record, first)) + case_text(first);
  for (const RecordedFinding* other : view.findings)
    if (other->finding.fingerprint != first.fingerprint)
      text += "also: " + other->finding.property + " " + other->finding.fingerprint + ": " +
              document::printable(other->finding.evidence.reason) + "\n";
  return text;
}

TestCase of_problem(const ProblemView& view, const RunRecord& record) {
  const cases::Problem& problem = view.problem;
  TestCase one{.suite = problem.part, .name = problem.id + " " + problem.title};
  std::string reason = plural(view.findings.size(), "finding", "findings") + ": " + tally_of(view);
  if (const std::string proof = proof_of(problem); !proof.empty()) reason += "; repair: " + proof;
  reason += "; for example: " + view.smallest().evidence.reason;
  if (view.fails) {
    one.failure = problem.severity + ": " + reason;
    one.type = problem.symptom;
    one.text = evidence_of(view, record);
  } else {
    const auto is_expected = [](const RecordedFinding* recorded) { return recorded->state == "expected"; };
    const bool are_expected = std::all_of(view.findings.begin(), view.findings.end(), is_expected);
    one.skipped = (are_expected ? "expected: " : "a warning, which does not fail the run: ") + reason;
  }
  return one;
}

/// Returns one test case for each file of a regression, which has one result for each subject.
std::vector<TestCase> of_regressions(const RunRecord& record) {
  std::map<std::string, TestCase> by_file;
  for (const RegressionAnswer& regression : record.regressions) {
    const std::string file = relative_path(regression.file);
    TestCase& one = by_file.emplace(file, TestCase{.suite = "regressions", .name = file}).first->second;
    if (regression.answer == "still failing") {
      one.type = regression.answer;
      one.failure = "still failing: its stored Case shows the defect again";
      one.text = "replay: fixpoint replay " + file + "\n";
    }
    if (runner::is_open(regression.answer)) one.skipped = regression.answer;
  }
  std::vector<TestCase> all;
  for (auto& [file, one] : by_file) {
    if (!one.failure.empty()) one.skipped.clear();
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<TestCase> of_retries(const RunRecord& record) {
  std::vector<TestCase> all;
  for (const RetryAnswer& retry : record.retries) {
    const cases::Finding& finding = retry.finding;
    TestCase one{.suite = subject_of(finding), .name = "known failure " + finding.fingerprint};
    if (is_failing(retry)) {
      one.type = retry.answer;
      one.failure = retry.answer + ": " + finding.property + ": " + finding.evidence.reason;
    }
    if (!is_failing(retry) && runner::is_open(retry.answer)) one.skipped = retry.answer;
    all.push_back(std::move(one));
  }
  return all;
}

/// Returns the properties without violations; the violated ones are reported as problems.
std::vector<TestCase> of_properties(const runner::RunSummary& summary) {
  std::vector<TestCase> all;
  for (const auto& [name, tally] : summary.properties) {
    if (tally.violated > 0) continue;
    TestCase one{.suite = "properties", .name = name};
    const std::string cases = plural(tally.asked, "Case", "Cases");
    if (tally.held == 0)
      one.skipped = tally.not_applicable == tally.asked ? "not applicable to any of " + cases
                                                        : "not reached in any of " + cases;
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<TestCase> of_gates(const runner::RunSummary& summary) {
  std::vector<TestCase> all;
  for (const runner::VacuityCheck& check : summary.vacuity_checks) {
    TestCase one{.suite = "gates", .name = check.name};
    if (!check.judged) one.skipped = "the run was too short to judge it";
    if (check.judged && !check.held) {
      one.type = "it never happened";
      one.failure = "it never happened in " + plural(summary.cases, "Case", "Cases");
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<TestCase> cases_of(const RunRecord& record) {
  std::vector<TestCase> all;
  for (const ProblemView& view : views_of(record)) all.push_back(of_problem(view, record));
  for (auto* more : {&of_regressions, &of_retries})
    for (TestCase& one : more(record)) all.push_back(std::move(one));
  for (auto* more : {&of_properties, &of_gates})
    for (TestCase& one : more(record.summary)) all.push_back(std::move(one));
  for (const std::string& missing : runner::missing_verdicts(record.summary))
    all.push_back(
        {.suite = "run", .name = "no verdict: " + missing, .failure = missing, .type = "no verdict"});
  if (!record.complete)
    all.push_back({.suite = "run",
                   .name = "came to its end",
                   .failure = "cut off before its end: what it found stands here, what it did not is open",
                   .type = "cut off"});
  return all;
}

std::string attribute(const char* name, std::string_view text) {
  return std::string(" ") + name + "=\"" + xml_text(text) + "\"";
}

std::string element_of(const TestCase& one) {
  std::string out = "    <testcase" + attribute("classname", one.suite) + attribute("name", one.name);
  if (one.failure.empty() && one.skipped.empty()) return out + "/>\n";
  out += ">\n";
  if (!one.skipped.empty()) {
    out += "      <skipped" + attribute("message", one.skipped) + "/>\n";
  } else {
    out += "      <failure" + attribute("type", one.type) + attribute("message", one.failure) + ">" +
           xml_block(one.text) + "</failure>\n";
  }
  return out + "    </testcase>\n";
}

std::string figures(const std::vector<TestCase>& all, bool of_suite) {
  std::size_t failures = 0, skipped = 0;
  for (const TestCase& one : all) {
    failures += one.failure.empty() ? 0 : 1;
    skipped += one.skipped.empty() ? 0 : 1;
  }
  return attribute("tests", std::to_string(all.size())) + attribute("failures", std::to_string(failures)) +
         attribute("errors", "0") + (of_suite ? attribute("skipped", std::to_string(skipped)) : "");
}

std::string write_junit(const RunRecord& record) {
  const auto all = cases_of(record);
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.3f", record.summary.seconds);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                    attribute("name", "fixpoint") + figures(all, false) + ">\n";
  std::string subjects;
  for (const std::string& subject : record.subjects) subjects += (subjects.empty() ? "" : ", ") + subject;
  out += "  <testsuite" + attribute("name", "fixpoint fuzz") + figures(all, true) +
         attribute("time", seconds) + ">\n    <properties>\n";
  const std::pair<const char*, std::string> properties[] = {{"version", record.version},
                                                            {"seed", record.seed},
                                                            {"subjects", subjects},
                                                            {"cases", std::to_string(record.summary.cases)},
                                                            {"verdict", verdict_of(record)}};
  for (const auto& [name, value] : properties)
    out += "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
  out += "    </properties>\n";
  for (const TestCase& one : all) out += element_of(one);
  if (const std::string observed = observations_text(record.summary); !observed.empty())
    out += "    <system-out>" + xml_block(observed) + "</system-out>\n";
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace

extern constinit const Format kJunit = {"junit", "JUnit XML, as Jenkins and Surefire have it", write_junit};

}  // namespace fixpoint::reports
