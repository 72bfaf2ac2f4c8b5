#include "reports/problem_section.h"

#include <algorithm>
#include <map>

#include "harness/cases/kind_words.h"
#include "reports/assets.h"
#include "reports/escape.h"
#include "reports/finding_card.h"
#include "reports/html_file.h"
#include "reports/page.h"
#include "reports/telling_finding.h"
#include "reports/text.h"

namespace fixpoint::reports {

namespace {

/// The number of problems for each value of a filter.
using Counts = std::map<std::string, std::size_t>;

struct Facets {
  Counts subjects, properties, severities, states;
};
Facets facets_of(const std::vector<ProblemView>& views) {
  Facets facets;
  for (const ProblemView& view : views) {
    for (const std::string& subject : view.problem.subjects) ++facets.subjects[subject];
    for (const auto& [property, findings] : view.properties) ++facets.properties[property];
    ++facets.severities[view.problem.severity];
    if (!view.state.empty()) ++facets.states[view.state];
  }
  return facets;
}

std::string choice(const std::string& name, const Counts& counts) {
  std::string out =
      "<label><span>" + name + "</span> <select name=\"" + name + "\"><option value=\"\">all</option>";
  for (const auto& [value, count] : counts)
    out += "<option value=\"" + xml_text(value) + "\" data-text=\"" + xml_text(value) + "\">" +
           xml_text(value) + " (" + std::to_string(count) + ")</option>";
  return out + "</select></label>\n";
}

std::string boxes(const std::string& name, const Counts& counts) {
  if (counts.empty()) return "";
  std::string out = "<fieldset><legend>" + name + "</legend>";
  for (const auto& [value, count] : counts)
    out += "<label><input type=\"checkbox\" name=\"" + name + "\" value=\"" + xml_text(value) +
           "\" checked> " + xml_text(value) + " <span class=\"count\">" + std::to_string(count) +
           "</span></label>";
  return out + "</fieldset>\n";
}

/// Returns the filter, which is hidden until its script runs.
std::string filter(const std::vector<ProblemView>& views) {
  const Facets facets = facets_of(views);
  return filled_html(
      filter_html(),
      {{"choices", boxes("severity", facets.severities) + boxes("state", facets.states) +
                       choice("subject", facets.subjects) + choice("property", facets.properties)}});
}

/// Returns the values of an attribute, one line each.
template <class Values, class Name>
std::string lines_of(const Values& values, const Name& name) {
  std::string out;
  for (const auto& value : values) out += (out.empty() ? "" : "&#10;") + xml_text(name(value));
  return out;
}

std::string fact(const char* name, const std::string& html) {
  return "<div><dt>" + std::string(name) + "</dt><dd>" + html + "</dd></div>\n";
}

std::string facts(const ProblemView& view) {
  const cases::Problem& problem = view.problem;
  std::string subjects;
  for (const std::string& subject : problem.subjects)
    subjects += (subjects.empty() ? "" : ", ") + html_element("code", subject);
  std::string out = "<dl class=\"facts\">\n" + fact("place", html_element("code", problem.place));
  if (!problem.webhook.empty())
    out += fact(kind_of_subject(view.smallest()), html_element("code", problem.webhook));
  if (!view.known_as.empty()) out += fact("known from", xml_text(view.known_as));
  return out + fact("subjects", subjects) + fact("found by", xml_text(tally_of(view))) +
         fact("problem",
              "<a href=\"#problem-" + xml_text(problem.id) + "\">" + xml_text(problem.id) + "</a>") +
         "</dl>\n";
}

/// Returns lines as the content of an element that keeps them.
std::string xml_lines(const std::string& text) {
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const auto to = std::min(text.find('\n', from), text.size());
    out += xml_text(text.substr(from, to - from)) + "\n";
    from = to + 1;
  }
  return out;
}

/// Returns the explanation of a problem: the defect and the part to blame, the repair, and its proof.
std::string account(const ProblemView& view, const properties::Catalog& catalog) {
  const cases::Problem& problem = view.problem;
  const auto* more = catalog.explanation_of(view.smallest().property);
  constexpr std::size_t kExampleColumns = 96;
  std::string out = "<h3>Example</h3>\n<pre class=\"example\">" +
                    xml_lines(unindented_example(view.smallest(), kExampleColumns)) +
                    "</pre>\n<h3>Meaning</h3>\n" + html_element("p", view.smallest().evidence.reason) +
                    excerpt_html(view.smallest());
  if (more != nullptr)
    out += html_element("p", cases::said_of(view.smallest().value.request, std::string(more->matters)));
  if (problem.repair) {
    out += "\n<h3>Repair</h3>\n" + html_element("p", cases::sentence_of(*problem.repair)) +
           "\n<h3>Proof</h3>\n" +
           html_element("p", "A webhook that does so shows " + std::to_string(problem.healed) + " of " +
                                 plural(view.findings.size(), "finding", "findings") + " no more.");
  } else {
    if (more != nullptr) out += "\n<h3>Usual fix</h3>\n" + html_element("p", more->fix);
    const std::string proof = proof_of(problem);
    out += "\n<h3>Proof</h3>\n" + html_element("p", (proof.empty() ? "No repair was found that heals it"
                                                                   : "The repair is " + proof) +
                                                        "; the smallest Case below shows it.");
  }
  return out + "\n";
}

std::string article(const ProblemView& view, const RunRecord& record) {
  const cases::Problem& problem = view.problem;
  const std::string severity = problem.severity == "error" ? "error" : "warning";
  std::string aliases, findings;
  for (const std::string& id : problem.ids)
    if (id != problem.id) aliases += "<span id=\"problem-" + xml_text(id) + "\"></span>";
  for (const RecordedFinding* recorded : view.findings)
    findings += finding_card(*recorded, record, recorded == view.findings.front());
  return filled_html(
      problem_html(),
      {{"severity", severity},
       {"id", problem.id},
       {"state", view.state},
       {"subjects", lines_of(problem.subjects, [](const std::string& subject) { return subject; })},
       {"properties", lines_of(view.properties, [](const auto& counted) { return counted.first; })},
       {"aliases", aliases},
       {"badges", html_badge(severity) + (view.word.empty() ? "" : html_badge(view.word))},
       {"part", problem.part},
       {"title", problem.title},
       {"count", plural(view.findings.size(), "finding", "findings")},
       {"account", account(view, record.catalog)},
       {"facts", facts(view)},
       {"findings", findings}});
}

/// Returns problems that are reported in one line, folded.
std::string folded_row(const std::vector<cases::Problem>& row, const std::string& articles) {
  const cases::Problem& first = row.front();
  return "<details class=\"row " + std::string(first.severity == "error" ? "error" : "warning") +
         "\"><summary>" + html_badge(first.severity) + html_element("code", first.part) + " " +
         html_element("strong", cases::title_of_row(row)) + "</summary>\n" + articles + "</details>\n";
}

}  // namespace

std::string problem_section(const std::vector<ProblemView>& views, const RunRecord& record) {
  std::string out =
      "<section id=\"problems\" aria-labelledby=\"h-problems\"><h2 id=\"h-problems\">Problems</h2>\n";
  if (views.empty()) return out + "<p>Nothing was found.</p></section>\n";
  out += filter(views);
  if (!record.shows_values)
    out +=
        "<p class=\"run\">Values that may be secrets are hidden; the files in the run's folder have "
        "them.</p>\n";
  std::vector<cases::Problem> problems;
  std::map<std::string, const ProblemView*> by_id;
  for (const ProblemView& view : views) {
    problems.push_back(view.problem);
    by_id[view.problem.id] = &view;
  }
  for (const std::vector<cases::Problem>& row : cases::rows_of(problems)) {
    std::string articles;
    for (const cases::Problem& problem : row) articles += article(*by_id.at(problem.id), record);
    out += row.size() == 1 ? articles : folded_row(row, articles);
  }
  return out + "</section>\n";
}

}  // namespace fixpoint::reports
