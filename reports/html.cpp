#include <algorithm>

#include "harness/runner/replay_answer.h"
#include "reports/costs.h"
#include "reports/earlier_problem.h"
#include "reports/escape.h"
#include "reports/history_section.h"
#include "reports/latency_section.h"
#include "reports/page.h"
#include "reports/problem_section.h"
#include "reports/report_formats.h"
#include "reports/text.h"

namespace fixpoint::reports {

using document::Value;

namespace {

/// Returns the line that identifies the run.
std::string run_line(const RunRecord& record) {
  std::string subjects;
  for (const std::string& subject : record.subjects)
    subjects += (subjects.empty() ? "" : ", ") + html_element("code", subject);
  return subjects + "; seed " + html_element("code", record.seed) + "; fixpoint " + xml_text(record.version);
}

std::string tiles(const RunRecord& record, std::size_t problems) {
  const runner::RunSummary& run = record.summary;
  std::string out = "<section><h2>The run</h2>\n<dl class=\"tiles\">\n";
  const auto tile = [&](const char* name, const std::string& value) {
    out += "<div><dt>" + std::string(name) + "</dt><dd>" + xml_text(value) + "</dd></div>\n";
  };
  tile("problems", std::to_string(problems));
  tile("findings", std::to_string(record.findings.size()));
  tile("notes on neighbours", std::to_string(record.notes.size()));
  tile("Cases", std::to_string(run.cases));
  tile("checked with all properties", std::to_string(run.all_properties));
  if (run.sequences < run.cases) {
    tile("reinvoked", percent(run.reinvoked, run.cases));
    tile("refused", percent(run.rejected, run.cases));
    tile("with faults", percent(run.faults, run.cases));
  }
  if (run.sequences > 0) tile("Sequences", percent(run.sequences, run.cases));
  tile("stopped by", run.why.empty() ? "nothing: cut off" : run.why);
  return out + "</dl></section>\n";
}

constexpr std::size_t kOpenRowsMax = 20;  ///< longer lists are folded

std::string list_section(const char* title, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string out = "<section><h2>" + std::string(title) + "</h2><details" +
                    (items.size() <= kOpenRowsMax ? " open" : "") + "><summary>" +
                    std::to_string(items.size()) + " of them</summary><ul class=\"plain-list\">\n";
  for (const std::string& item : items) out += "<li>" + item + "</li>\n";
  return out + "</ul></details></section>\n";
}

std::string others(const RunRecord& record) {
  std::vector<std::string> regressions, vacuity_checks, notes, observations;
  for (const auto& one : record.regressions) {
    regressions.push_back(html_badge(runner::is_fixed(one.answer)    ? "fixed"
                                     : one.answer == "still failing" ? "error"
                                                                     : "other") +
                          html_element("code", one.file) + ": " + xml_text(one.answer));
  }
  for (const EarlierProblem& one : earlier_problems_of(record.retries, problems_of(record)))
    regressions.push_back(html_badge(one.state) + xml_text(one.title) +
                          (one.why.empty() ? "" : ": " + xml_text(one.why)));
  for (const auto& check : record.summary.vacuity_checks) {
    const char* word = !check.judged ? "not judged" : check.held ? "held" : "error";
    vacuity_checks.push_back(html_badge(word) + xml_text(check.name));
  }
  for (const auto& note : record.notes)
    notes.push_back(html_element("strong", note.property) + " " + html_element("code", subject_of(note)) +
                    ": " + xml_text(note.evidence.reason));
  for (const auto& [seen, cases] : record.summary.observations)
    observations.push_back(html_element("code", seen.webhook) + " " + xml_text(seen.reason) + ", in " +
                           plural(cases, "Case", "Cases"));
  return list_section("Regressions and known failures", regressions) +
         list_section("Vacuity checks: what must have happened", vacuity_checks) +
         list_section("Notes on neighbours", notes) + list_section("Observed, and no defect", observations);
}

/// The results of a property, with the share of violations where it held or was violated.
struct Share {
  std::string name;
  runner::Tally tally;
  std::uint64_t reached() const { return tally.held + tally.violated; }
  double violated() const {
    return reached() == 0 ? 0 : static_cast<double>(tally.violated) / static_cast<double>(reached());
  }
};

/// Returns the properties with the highest share of violations first, those that were never reached last.
std::vector<Share> shares_of(const RunRecord& record) {
  std::vector<Share> shares;
  for (const auto& [name, tally] : record.summary.properties) shares.push_back({name, tally});
  std::stable_sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) {
    return std::pair(a.violated(), a.reached() > 0) > std::pair(b.violated(), b.reached() > 0);
  });
  return shares;
}

std::string property_table(const RunRecord& record) {
  std::string rows;
  for (const Share& share : shares_of(record)) {
    const runner::Tally& tally = share.tally;
    rows += "<tr>" + html_element("td", share.name) +
            html_figure(share.reached() == 0 ? "–" : percent(tally.violated, share.reached())) +
            html_cell(tally.violated) + html_cell(tally.held) + html_cell(tally.skipped) +
            html_cell(tally.not_applicable) + "</tr>\n";
  }
  return html_folded_table(
      {"property", "violated of reached", "violated", "held", "not reached", "not applicable"}, rows);
}

/// Counts, and the scale on which they are shown.
struct Counted {
  std::vector<std::pair<const char*, std::uint64_t>> rows = {};
  std::uint64_t cases = 0;
  double per = 1;             ///< the factor for each shown figure
  const char* unit = "";      ///< the unit of the shown figures
  const char* count_of = "";  ///< the head of the column of counts

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

std::string charts(const RunRecord& record) {
  std::string out;
  if (!record.summary.properties.empty()) {
    out += "<div><h2>Properties, the worst first</h2>\n" +
           html_canvas("properties", "How often each property held where it was reached") +
           property_table(record) + "</div>\n";
  }
  if (record.complete) {
    out += "<div><h2>What was drawn</h2>\n" + html_canvas("drawn", "Shares of the Cases drawn") +
           counted_table("what", drawn_of(record)) +
           html_canvas("contents", "What a drawn Case has on average") +
           counted_table("part", contents_of(record)) + "</div>\n";
  }
  return out.empty() ? "" : "<section class=\"charts\">\n" + out + "</section>\n";
}

Value property_series(const RunRecord& record) {
  Value labels = Value::empty_list(), held = Value::empty_list(), violated = Value::empty_list();
  for (const Share& share : shares_of(record)) {
    if (share.reached() == 0) continue;
    labels.push_back(share.name);
    held.push_back(hundredths(100 * (1 - share.violated())));
    violated.push_back(hundredths(100 * share.violated()));
  }
  return {{"kind", "stacked"},
          {"labels", std::move(labels)},
          {"series", Value::list({{{"name", "held"}, {"values", std::move(held)}},
                                  {{"name", "violated"}, {"values", std::move(violated)}}})},
          {"unit", "% of the Cases that reached it"}};
}

/// Returns the data of a chart with one bar for each row.
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

std::string write_html(const RunRecord& record) {
  Page page{.title = headline_of(record),
            .failed = is_failed(record) || has_no_verdict(record) || !record.complete,
            .run = run_line(record),
            .main_id = "problems",
            .main_name = "problems",
            .data = {{"properties", property_series(record)},
                     {"drawn", bars(drawn_of(record))},
                     {"contents", bars(contents_of(record))}}};
  const std::string latency = latency_section(record, page.data);
  const std::string costs = costs_section(curves_of(record.costs), page.data);
  const std::vector<ProblemView> views = views_of(record);
  const std::string history = history_section(record, views, page.data);
  page.main = problem_section(views, record) + tiles(record, views.size()) + charts(record) + latency +
              costs + history + others(record);
  return write_page(page);
}

}  // namespace

extern constinit const Format kHtml = {"html", "one file for a browser, offline", write_html};

}  // namespace fixpoint::reports
