#include <algorithm>
#include <set>

#include "reports/costs.h"
#include "reports/escape.h"
#include "reports/page.h"
#include "reports/report_formats.h"
#include "reports/text.h"

namespace fixpoint::reports {

using document::Value;

namespace {

/// Of what the page speaks.
std::string run_line(const RunRecord& record) {
  std::string subjects;
  for (const std::string& subject : record.subjects)
    subjects += (subjects.empty() ? "" : ", ") + html_element("code", subject);
  return subjects + "; seed " + html_element("code", record.seed) + "; fixpoint " + xml_text(record.version);
}

std::string tiles(const RunRecord& record, std::size_t problems) {
  const runner::RunSummary& run = record.summary;
  std::string out = "<dl class=\"tiles\">\n";
  const auto tile = [&](const char* name, const std::string& value) {
    out += "<div><dt>" + std::string(name) + "</dt><dd>" + xml_text(value) + "</dd></div>\n";
  };
  tile("problems", std::to_string(problems));
  tile("findings", std::to_string(record.findings.size()));
  tile("notes on neighbours", std::to_string(record.notes.size()));
  tile("Cases", std::to_string(run.cases));
  tile("asked everything", std::to_string(run.fully_asked));
  if (run.sequences < run.cases) {
    tile("reinvoked", percent(run.reinvoked, run.cases));
    tile("refused", percent(run.rejected, run.cases));
    tile("with faults", percent(run.faults, run.cases));
  }
  if (run.sequences > 0) tile("Sequences", percent(run.sequences, run.cases));
  tile("stopped by", run.why.empty() ? "nothing: cut off" : run.why);
  return out + "</dl>\n";
}

std::string filter(const RunRecord& record) {
  std::set<std::string> properties;
  for (const RecordedFinding& recorded : record.findings) properties.insert(recorded.finding.property);
  std::string out =
      "<form class=\"filter\" role=\"search\">\n<label>Property <select id=\"property\"><option "
      "value=\"\">all"
      "</option>";
  for (const std::string& property : properties)
    out += "<option value=\"" + xml_text(property) + "\">" + xml_text(property) + "</option>";
  out +=
      "</select></label>\n<label><input type=\"checkbox\" name=\"severity\" value=\"error\" checked> errors"
      "</label>\n<label><input type=\"checkbox\" name=\"severity\" value=\"warning\" checked> "
      "warnings</label>\n"
      "<label>Words <input type=\"search\" id=\"words\"></label>\n<output id=\"shown\"></output>\n</form>\n";
  return out;
}

std::string diff_table(const Hop& hop) {
  std::string out =
      "<table class=\"diff\"><thead><tr><th scope=\"col\">before</th><th scope=\"col\">after</th>"
      "</tr></thead><tbody>\n";
  for (const DiffLine& line : hop.lines) {
    const char* kind = line.gap ? "gap" : line.again ? "changed twice" : line.changed ? "changed" : "";
    out += "<tr class=\"" + std::string(kind) + "\">" + html_element("td", line.before) +
           html_element("td", line.after) + "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

/// The Pods beside one another stand open where something came again, and at the last call.
std::string call_item(const cases::Finding& finding, const cases::StoryCall& call, const Hop* hop,
                      bool is_last) {
  const std::string number = (finding.sequence ? "step " : "pass ") + std::to_string(call.pass);
  std::string out = "<li><strong>" + (call.check.empty() ? number : "check") + "</strong> " +
                    html_element("code", call.webhook);
  if (!call.check.empty()) out += " " + xml_text(call.check);
  if (call.did.empty()) return out + " <span>(nothing)</span></li>\n";
  out += "<ul>";
  for (const std::string& did : call.did) {
    const bool again = std::find(call.again.begin(), call.again.end(), did) != call.again.end();
    out += "<li>" +
           (again ? "<span class=\"again\">" + xml_text(did) + " (added again)</span>" : xml_text(did)) +
           "</li>";
  }
  out += "</ul>";
  if (hop != nullptr && !hop->lines.empty()) {
    out += "<details" + std::string(call.again.empty() && !is_last ? "" : " open") +
           "><summary>The Pod before and after" + "</summary>\n" + diff_table(*hop) + "</details>";
  }
  return out + "</li>\n";
}

/// The hop of the story's call with that number, which they have in common where all calls could be made
/// again.
const Hop* hop_of(const RecordedFinding& recorded, std::size_t number) {
  const cases::StoryCall& call = recorded.finding.evidence.calls[number];
  const auto is_it = [&](const Hop& hop) {
    return hop.pass == call.pass && hop.webhook == call.webhook && hop.check == call.check;
  };
  const auto& hops = recorded.hops;
  if (number < hops.size() && is_it(hops[number])) return &hops[number];
  const auto found = std::find_if(hops.begin(), hops.end(), is_it);
  return found == hops.end() ? nullptr : &*found;
}

std::string copied(const std::string& text, const char* kind) {
  return "<div class=\"copied\"><pre class=\"" + std::string(kind) + "\" tabindex=\"0\">" + xml_block(text) +
         "</pre></div>\n";
}

std::string finding_article(const RecordedFinding& recorded, const RunRecord& record) {
  const cases::Finding& finding = recorded.finding;
  const std::string severity = finding.severity == "error" ? "error" : "warning";
  std::string out = "<article class=\"finding " + severity + "\" id=\"finding-" +
                    xml_text(finding.fingerprint) + "\" data-property=\"" + xml_text(finding.property) +
                    "\" data-severity=\"" + severity + "\"><details><summary>" + html_badge(severity);
  if (!finding.verdict.empty()) out += html_badge(finding.verdict);
  if (!recorded.state.empty()) out += html_badge(recorded.state);
  out += "<strong>" + xml_text(finding.property) + "</strong> " + html_element("code", subject_of(finding)) +
         "<p>" + xml_text(finding.evidence.because) + "</p></summary>\n<div class=\"body\">\n<h3>" +
         (finding.sequence ? "The steps" : "The calls") + "</h3>\n<ol class=\"calls\">\n";
  const auto& calls = finding.evidence.calls;
  for (std::size_t i = 0; i < calls.size(); ++i)
    out += call_item(finding, calls[i], hop_of(recorded, i), i + 1 == calls.size());
  out += "</ol>\n<h3>Replay</h3>\n" + copied(replay_command(record, finding), "line") + "<h3>The smallest " +
         (finding.sequence ? "Sequence" : "Case") + "</h3>\n";
  return out + copied(case_text(finding), "case") + "</div></details></article>\n";
}

std::string findings(const RunRecord& record) {
  std::string out =
      "<section id=\"findings\" aria-labelledby=\"h-findings\"><h2 id=\"h-findings\">Findings</h2>\n";
  if (record.findings.empty()) return out + "<p>Nothing was found.</p></section>\n";
  out += filter(record);
  if (!record.shows_values)
    out +=
        "<p class=\"run\">Values that may be secrets are hidden; the files in the run's folder have "
        "them.</p>\n";
  for (const RecordedFinding& recorded : record.findings) out += finding_article(recorded, record);
  return out + "</section>\n";
}

/// A row for each repair that a maintainer makes, with links to the findings that show it.
std::string problems(const RunRecord& record, const std::vector<cases::Problem>& all) {
  if (all.empty()) return "";
  std::string out =
      "<section id=\"problems\" aria-labelledby=\"h-problems\"><h2 id=\"h-problems\">Problems</h2>\n"
      "<div class=\"wide\"><table class=\"figures\"><thead><tr><th scope=\"col\">problem</th>"
      "<th scope=\"col\">repair</th><th scope=\"col\">found</th></tr></thead><tbody>\n";
  for (const cases::Problem& problem : all) {
    const std::string state = state_of(problem, record);
    out += "<tr id=\"problem-" + xml_text(problem.id) + "\"><td>" + html_badge(problem.severity) +
           (state.empty() ? "" : html_badge(state)) + " " + html_element("code", problem.part) + " " +
           xml_text(problem.title) + "</td><td>";
    if (problem.repair)
      out += xml_text(cases::sentence_of(*problem.repair)) + " (heals " + std::to_string(problem.healed) +
             " of " + std::to_string(problem.findings.size()) + ")";
    out += "</td><td><details><summary>" + std::to_string(problem.findings.size()) + "</summary>";
    for (const std::string& print : problem.findings)
      out += "<a href=\"#finding-" + xml_text(print) + "\">" + xml_text(print.substr(0, 6)) + "</a> ";
    out += "</details></td></tr>\n";
  }
  return out + "</tbody></table></div></section>\n";
}

constexpr std::size_t kOpenRowsMax = 20;  ///< longer lists stand folded

std::string list_section(const char* title, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string out = "<section><h2>" + std::string(title) + "</h2><details" +
                    (items.size() <= kOpenRowsMax ? " open" : "") + "><summary>" +
                    std::to_string(items.size()) + " of them</summary><ul class=\"plain-list\">\n";
  for (const std::string& item : items) out += "<li>" + item + "</li>\n";
  return out + "</ul></details></section>\n";
}

std::string others(const RunRecord& record) {
  std::vector<std::string> regressions, gates, notes, observations;
  for (const auto& one : record.regressions) {
    regressions.push_back(html_badge(one.answer == "fixed"           ? "fixed"
                                     : one.answer == "still failing" ? "error"
                                                                     : "other") +
                          html_element("code", one.file) + ": " + xml_text(one.answer));
  }
  for (const auto& retry : record.retries) {
    regressions.push_back(html_badge(retry.answer == "fixed"   ? "fixed"
                                     : retry.answer == "flaky" ? "flaky"
                                                               : "error") +
                          html_element("code", retry.finding.fingerprint) + " " +
                          xml_text(retry.finding.property) + " in " +
                          html_element("code", subject_of(retry.finding)) + ": " + xml_text(retry.answer));
  }
  for (const auto& gate : record.summary.gates) {
    const char* word = !gate.judged ? "not judged" : gate.held ? "held" : "error";
    gates.push_back(html_badge(word) + xml_text(gate.name));
  }
  for (const auto& note : record.notes)
    notes.push_back(html_element("strong", note.property) + " " + html_element("code", subject_of(note)) +
                    ": " + xml_text(note.evidence.because));
  for (const auto& [seen, cases] : record.summary.observations)
    observations.push_back(html_element("code", seen.webhook) + " " + xml_text(seen.because) + ", in " +
                           plural(cases, "Case", "Cases"));
  return list_section("Regressions and known failures", regressions) +
         list_section("Gates: what must have happened", gates) + list_section("Notes on neighbours", notes) +
         list_section("Observed, and no defect", observations);
}

std::string property_table(const RunRecord& record) {
  std::string rows;
  for (const auto& [name, tally] : record.summary.properties) {
    rows += "<tr>" + html_element("td", name) + html_cell(tally.asked) + html_cell(tally.held) +
            html_cell(tally.violated) + html_cell(tally.skipped) + html_cell(tally.not_applicable) +
            "</tr>\n";
  }
  return html_folded_table({"property", "asked", "held", "violated", "not reached", "not applicable"}, rows);
}

/// Counts, each to be shown for so many Cases.
struct Counted {
  std::vector<std::pair<const char*, std::uint64_t>> rows = {};
  std::uint64_t cases = 0;
  double per = 1;             ///< times so much
  const char* unit = "";      ///< of what is shown
  const char* count_of = "";  ///< what was counted

  Value shown(std::uint64_t count) const {
    return hundredths(static_cast<double>(count) * per /
                      static_cast<double>(std::max<std::uint64_t>(cases, 1)));
  }
};

Counted drawn_of(const RunRecord& record) {
  const runner::RunSummary& run = record.summary;
  return {.rows = {{"reinvoked", run.reinvoked},
                   {"refused", run.rejected},
                   {"with faults", run.faults},
                   {"late containers", run.late_containers},
                   {"updates", run.drawn.updates},
                   {"dry runs", run.drawn.dry_runs},
                   {"Sequences", run.sequences},
                   {"not runnable", run.broken}},
          .cases = run.cases,
          .per = 100,
          .unit = "% of the Cases",
          .count_of = "Cases"};
}

Counted contents_of(const RunRecord& record) {
  const runner::RunSummary& run = record.summary;
  return {.rows = {{"containers", run.drawn.containers},
                   {"init containers", run.drawn.init_containers},
                   {"probes", run.drawn.probes},
                   {"webhooks", run.drawn.webhooks},
                   {"of them IfNeeded", run.drawn.if_needed}},
          .cases = run.cases - run.sequences,
          .unit = "in a Case, on average",
          .count_of = "in all"};
}

std::string counted_table(const char* what, const Counted& counted) {
  std::string rows;
  for (const auto& [name, count] : counted.rows)
    rows += "<tr>" + html_element("td", name) + html_cell(count) + html_figure(counted.shown(count).text()) +
            "</tr>\n";
  return html_folded_table({what, counted.count_of, counted.unit}, rows);
}

std::string kilobytes_of(const LatencyRow& row) { return std::to_string(row.pod_bytes / 1000); }

std::string latency_table(const RunRecord& record) {
  std::string rows;
  for (const LatencyRow& row : record.latencies) {
    rows += "<tr>" + html_element("td", row.injector) + html_figure(kilobytes_of(row));
    for (const double microseconds : {row.p50, row.p90, row.p99, row.max})
      rows += html_figure(hundredths(microseconds).text());
    rows += html_figure(row.patch_bytes ? std::to_string(*row.patch_bytes) : "–") + "</tr>\n";
  }
  return html_folded_table({"injector", "Pod kB", "p50 µs", "p90", "p99", "max", "patch bytes"}, rows);
}

std::string charts(const RunRecord& record) {
  std::string out;
  if (!record.summary.properties.empty()) {
    out += "<div><h2>What was asked</h2>\n" +
           html_canvas("properties", "How often each property was asked and held") + property_table(record) +
           "</div>\n";
  }
  if (record.complete) {
    out += "<div><h2>What was drawn</h2>\n" + html_canvas("drawn", "Shares of the Cases drawn") +
           counted_table("what", drawn_of(record)) +
           html_canvas("contents", "What a drawn Case has on average") +
           counted_table("part", contents_of(record)) + "</div>\n";
  }
  if (!record.latencies.empty())
    out += "<div><h2>Latency of calls and admissions</h2>\n" +
           html_canvas("latencies", "Latency by share of calls") + latency_table(record) + "</div>\n";
  return out.empty() ? "" : "<section class=\"charts\">\n" + out + "</section>\n";
}

std::string history(const RunRecord& record) {
  if (record.history.empty()) return "";
  std::string out =
      "<section><h2>History</h2><div class=\"wide\"><table class=\"figures\"><thead><tr>"
      "<th scope=\"col\">state</th><th scope=\"col\">property</th><th scope=\"col\">subject</th>"
      "<th scope=\"col\">first seen</th><th scope=\"col\">last seen</th><th scope=\"col\">runs</th>"
      "</tr></thead><tbody>\n";
  for (const PastFinding& past : record.history) {
    out += "<tr><td>" + html_badge(past.state) + "</td>" + html_element("td", past.property) + "<td>" +
           html_element("code", past.subject) + "</td>" + html_element("td", past.first_seen) +
           html_element("td", past.last_seen) + html_cell(static_cast<std::uint64_t>(past.runs)) + "</tr>\n";
  }
  return out + "</tbody></table></div></section>\n";
}

Value property_series(const RunRecord& record) {
  using runner::Tally;
  static constexpr std::pair<const char*, std::uint64_t Tally::*> kSeries[] = {
      {"held", &Tally::held},
      {"violated", &Tally::violated},
      {"not reached", &Tally::skipped},
      {"not applicable", &Tally::not_applicable}};
  Value labels = Value::empty_list(), series = Value::empty_list();
  for (const auto& [name, tally] : record.summary.properties) labels.push_back(name);
  for (const auto& [name, member] : kSeries) {
    Value values = Value::empty_list();
    for (const auto& [property, tally] : record.summary.properties)
      values.push_back(static_cast<std::int64_t>(tally.*member));
    series.push_back({{"name", name}, {"values", std::move(values)}});
  }
  return {
      {"kind", "stacked"}, {"labels", std::move(labels)}, {"series", std::move(series)}, {"unit", "Cases"}};
}

/// One bar a row.
Value bars(const Counted& counted) {
  Value labels = Value::empty_list(), values = Value::empty_list();
  for (const auto& [name, count] : counted.rows) {
    labels.push_back(name);
    values.push_back(counted.shown(count));
  }
  const Value series{{"name", counted.unit}, {"values", std::move(values)}};
  return {{"kind", "bars"},
          {"labels", std::move(labels)},
          {"series", Value::list({series})},
          {"unit", counted.unit}};
}

Value latency_series(const RunRecord& record) {
  Value series = Value::empty_list();
  for (const LatencyRow& row : record.latencies) {
    series.push_back({{"name", row.injector + ", " + kilobytes_of(row) + " kB"},
                      {"values", Value::list({hundredths(row.p50), hundredths(row.p90), hundredths(row.p99),
                                              hundredths(row.max)})}});
  }
  return {{"kind", "lines"},
          {"labels", Value::list({"p50", "p90", "p99", "max"})},
          {"series", std::move(series)},
          {"unit", "µs"}};
}

std::string write_html(const RunRecord& record) {
  Page page{.title = headline_of(record),
            .failed = is_failed(record) || has_no_verdict(record) || !record.complete,
            .run = run_line(record),
            .main_id = "findings",
            .main_name = "findings",
            .data = {{"properties", property_series(record)},
                     {"drawn", bars(drawn_of(record))},
                     {"contents", bars(contents_of(record))},
                     {"latencies", latency_series(record)}}};
  const std::string costs = costs_section(curves_of(record.costs), page.data);
  const auto all = problems_of(record);
  page.main = tiles(record, all.size()) + problems(record, all) + findings(record) + charts(record) + costs +
              history(record) + others(record);
  return write_page(page);
}

}  // namespace

extern constinit const Format kHtml = {"html", "one file for a browser, offline", write_html};

}  // namespace fixpoint::reports
