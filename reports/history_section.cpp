#include "reports/history_section.h"

#include <algorithm>
#include <set>
#include <span>

#include "reports/assets.h"
#include "reports/escape.h"
#include "reports/html_file.h"
#include "reports/page.h"
#include "reports/text.h"

namespace fixpoint::reports {

using document::Value;

namespace {

std::string link(const std::string& address, std::string_view text) {
  return "<a href=\"" + xml_text(address) + "\">" + xml_text(text) + "</a>";
}

/// Returns a date for a table: without its seconds if it is a time.
std::string date_of(std::string_view date) {
  std::string shown(date);
  if (date.size() == 20 && date[10] == 'T' && date.ends_with("Z")) {
    shown.resize(16);
    shown[10] = ' ';
  }
  return "<time datetime=\"" + xml_text(date) + "\">" + xml_text(shown) + "</time>";
}

/// Returns a path that may wrap between its parts.
std::string code_of_path(std::string_view path) {
  std::string out = "<code>";
  for (const char c : xml_text(path)) {
    if (c == '[') out += "<wbr>";
    out += c;
    if (c == '.' || c == '/') out += "<wbr>";
  }
  return out + "</code>";
}

/// Returns the first names of the subjects: a run of all subjects has dozens.
std::string names_of(const std::vector<std::string>& subjects) {
  constexpr std::size_t kNamesMax = 2;
  std::string out;
  for (std::size_t i = 0; i < std::min(subjects.size(), kNamesMax); ++i)
    out += (i == 0 ? "" : ", ") + html_element("code", subjects[i]);
  if (subjects.size() > kNamesMax) out += " and " + std::to_string(subjects.size() - kNamesMax) + " more";
  return out;
}

/// The history section of one page.
class HistorySection {
 public:
  HistorySection(const RunRecord& record, const std::vector<ProblemView>& views) : record_(record) {
    for (const ProblemView& view : views) ids_.insert(view.problem.ids.begin(), view.problem.ids.end());
    const std::span<const PastRun> all = record.past_runs;
    left_out_ = all.size() - std::min(all.size(), kRunsShownMax);
    runs_ = all.subspan(left_out_);
  }

  std::string html(Value& data) const {
    std::string chart;
    if (runs_.size() > 1) {
      chart = html_canvas("trend", "Problems of each run: new, known and fixed; the table has the figures");
      data.set("trend", trend());
    }
    const std::string of_runs = runs_.empty() ? "" : runs(),
                      of_problems = record_.past_problems.empty() ? "" : problems();
    return filled_html(history_html(), {{"trend", chart}, {"tables", of_runs + of_problems}});
  }

 private:
  static std::string address_in(const PastRun& run, const std::string& id) {
    return uri_of_path(run.report) + "#problem-" + id;
  }
  /// Returns the id of a problem on this page; empty if the problem is not on it.
  std::string id_here(const PastProblem& problem) const {
    const auto found = std::find_if(problem.ids.begin(), problem.ids.end(),
                                    [&](const std::string& id) { return ids_.contains(id); });
    return found == problem.ids.end() ? "" : *found;
  }
  static bool shows(const PastRun& run, std::size_t problem) {
    const auto has = [&](const std::vector<std::size_t>& some) {
      return std::find(some.begin(), some.end(), problem) != some.end();
    };
    return !run.report.empty() && (has(run.fresh) || has(run.known));
  }
  /// Returns a link to the problem on this page, else in the report of the run, else in the newest report
  /// that shows it.
  std::string problem_link(std::size_t at, const PastRun* run = nullptr) const {
    const PastProblem& problem = record_.past_problems[at];
    const std::string id = id_here(problem), &first = problem.ids.front();
    if (!id.empty()) return link("#problem-" + id, id);
    if (run != nullptr && shows(*run, at)) return link(address_in(*run, first), first);
    for (auto other = runs_.rbegin(); other != runs_.rend(); ++other)
      if (shows(*other, at)) return link(address_in(*other, first), first);
    return xml_text(first);
  }
  std::string links(const std::vector<std::size_t>& problems, const PastRun& run) const {
    std::string out;
    for (const std::size_t at : problems) out += (out.empty() ? "" : " ") + problem_link(at, &run);
    return out;
  }

  /// Returns the cell of a run's problems. New and fixed ones are unfolded; the known ones would fill the
  /// page.
  std::string problem_cell(const PastRun& run) const {
    std::string out = "<td class=\"ids\">";
    if (!run.fresh.empty()) out += html_badge("new") + links(run.fresh, run) + " ";
    if (!run.fixed.empty()) out += html_badge("fixed") + links(run.fixed, run) + " ";
    if (!run.known.empty())
      out += "<details><summary>" + std::to_string(run.known.size()) + " known</summary>" +
             links(run.known, run) + "</details>";
    return out + "</td>";
  }

  std::string row(const PastRun& run) const {
    const std::string folder = run.folder.empty() ? "–" : code_of_path(run.folder);
    const std::string report = run.report.empty() ? "–" : link(uri_of_path(run.report), "report");
    return "<tr><td>" + date_of(run.date) + (run.is_this ? " (this run)" : "") + "</td><td>" +
           names_of(run.subjects) + "</td><td>" + html_element("code", run.seed) + "</td>" +
           html_cell(run.cases) + html_cell(run.fresh.size()) + html_cell(run.known.size()) +
           html_cell(run.fixed.size()) + "<td>" + folder + (run.is_moved ? " (used again since)" : "") +
           "</td><td>" + report + "</td>" + problem_cell(run) + "</tr>\n";
  }

  std::string runs() const {
    std::string rows;
    for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) rows += row(*run);
    const std::string more = left_out_ == 0
                                 ? ""
                                 : "<p class=\"run\">The history has " +
                                       plural(left_out_, "earlier run", "earlier runs") + ", which " +
                                       (left_out_ == 1 ? "is" : "are") + " not shown.</p>\n";
    return "<h3>Runs, the newest first</h3>\n" +
           html_table({"run (UTC)", "subjects", "seed", "Cases", "new", "known", "fixed", "folder", "report",
                       "problems"},
                      rows) +
           more;
  }

  std::string problems() const {
    std::string rows;
    for (std::size_t at = 0; at < record_.past_problems.size(); ++at) {
      const PastProblem& problem = record_.past_problems[at];
      rows += "<tr><td>" + html_badge(state_word(problem.state)) + "</td><td>" + problem_link(at) +
              "</td><td class=\"words\">" + html_element("code", problem.part) + " " +
              xml_text(problem.title) + "</td><td class=\"path\">" + code_of_path(problem.place) +
              "</td><td>" + date_of(problem.first_seen) + "</td><td>" + date_of(problem.last_seen) + "</td>" +
              html_cell(static_cast<std::uint64_t>(problem.runs)) + "</tr>\n";
    }
    return "<h3>Problems of all runs</h3>\n" +
           html_table({"state", "id", "problem", "path", "first seen", "last seen (UTC)", "runs"}, rows);
  }

  Value trend() const {
    Value dates = Value::empty_list(), fresh = Value::empty_list(), known = Value::empty_list(),
          fixed = Value::empty_list();
    const auto count = [](const std::vector<std::size_t>& problems) {
      return Value::number(std::to_string(problems.size()));
    };
    for (const PastRun& run : runs_) {
      dates.push_back(run.date);
      fresh.push_back(count(run.fresh));
      known.push_back(count(run.known));
      fixed.push_back(count(run.fixed));
    }
    return {{"kind", "trend"},
            {"labels", std::move(dates)},
            {"series", Value::list({{{"name", "new"}, {"values", std::move(fresh)}},
                                    {{"name", "known"}, {"values", std::move(known)}},
                                    {{"name", "fixed"}, {"values", std::move(fixed)}}})},
            {"unit", "problems"}};
  }

  const RunRecord& record_;
  std::span<const PastRun> runs_ = {};
  std::size_t left_out_ = 0;
  std::set<std::string> ids_ = {};  ///< of the problems on this page
};

}  // namespace

std::string history_section(const RunRecord& record, const std::vector<ProblemView>& views, Value& data) {
  if (record.past_runs.empty()) return "";
  return HistorySection(record, views).html(data);
}

}  // namespace fixpoint::reports
