#include <cstdio>

#include "reports/escape.h"
#include "reports/report_formats.h"
#include "reports/text.h"

namespace fixpoint::reports {

namespace {

/// One test case of the run: a property, a regression or a gate; or a finding, which is a failed one.
struct TestCase {
  std::string suite, name;
  std::string failure = {}, type = {}, text = {};
  std::string skipped = {};
};

TestCase of_finding(const RecordedFinding& recorded, const RunRecord& record) {
  const cases::Finding& finding = recorded.finding;
  const bool is_expected = recorded.state == "expected";
  if (is_expected || is_tolerated(record, finding)) {
    return {.suite = subject_of(finding),
            .name = finding.property + " " + finding.fingerprint,
            .skipped = (is_expected ? "expected: " : "warning: ") + finding.evidence.because};
  }
  return {.suite = subject_of(finding),
          .name = finding.property + " " + finding.fingerprint,
          .failure = finding.evidence.because,
          .type = finding.verdict.empty() ? finding.severity : finding.verdict,
          .text = finding_text(finding, "") + case_text(finding)};
}

std::vector<TestCase> cases_of(const RunRecord& record) {
  std::vector<TestCase> all;
  for (const auto& regression : record.regressions) {
    TestCase one{.suite = "regressions", .name = regression.file};
    if (regression.answer == "still failing") one.failure = one.type = regression.answer;
    if (regression.answer.starts_with("not runnable")) one.skipped = regression.answer;
    all.push_back(std::move(one));
  }
  for (const auto& retry : record.retries) {
    TestCase one{.suite = subject_of(retry.finding), .name = "known failure " + retry.finding.fingerprint};
    if (retry.answer == "still failing" || retry.answer == "flaky") one.failure = one.type = retry.answer;
    if (retry.answer.starts_with("not runnable")) one.skipped = retry.answer;
    all.push_back(std::move(one));
  }
  for (const auto& recorded : record.findings) all.push_back(of_finding(recorded, record));
  for (const auto& [name, tally] : record.summary.properties) {
    if (tally.violated > 0) continue;
    TestCase one{.suite = "properties", .name = name};
    if (tally.held == 0) one.skipped = tally.not_applicable == tally.asked ? "not applicable" : "not reached";
    all.push_back(std::move(one));
  }
  for (const auto& gate : record.summary.gates) {
    TestCase one{.suite = "gates", .name = gate.name};
    if (!gate.judged) one.skipped = "the run was too short to judge it";
    if (gate.judged && !gate.held) one.failure = one.type = "it never happened";
    all.push_back(std::move(one));
  }
  for (const std::string& missing : runner::missing_verdicts(record.summary))
    all.push_back(
        {.suite = "run", .name = "no verdict: " + missing, .failure = missing, .type = "no verdict"});
  if (!record.complete)
    all.push_back({.suite = "run", .name = "came to its end", .failure = "cut off", .type = "cut off"});
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
