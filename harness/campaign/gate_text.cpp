#include "harness/campaign/gate_text.h"

#include "harness/document/printable.h"
#include "reports/escape.h"
#include "reports/report_formats.h"

namespace fixpoint::campaign {

namespace {

constexpr std::size_t kHeadlinesMax = 5;  ///< in the first line; all stand below it

/// Why, in one line.
std::string why_of(const GateVerdict& verdict) {
  std::string why;
  for (std::size_t i = 0; i < verdict.problems.size() && i < kHeadlinesMax; ++i)
    why += (i == 0 ? "" : "; ") + verdict.problems[i].headline;
  if (verdict.problems.size() > kHeadlinesMax)
    why += "; and " + std::to_string(verdict.problems.size() - kHeadlinesMax) + " more";
  return why;
}

}  // namespace

std::string gate_text(const GateVerdict& verdict) {
  std::string text =
      verdict.passed() ? "GATE PASSED\n" : "GATE FAILED: " + document::printable(why_of(verdict)) + "\n";
  for (const Problem& problem : verdict.problems)
    text += "\n- " + document::printable(problem.headline) + "\n" + problem.details;
  if (!verdict.news.empty()) text += "\n";
  for (const std::string& news : verdict.news) text += "NEWS   " + document::printable(news) + "\n";
  text += "\n";
  for (const std::string& line : verdict.lines) text += "  " + document::printable(line) + "\n";
  return text;
}

std::string gate_markdown(const GateVerdict& verdict) {
  std::string text = verdict.passed() ? "# GATE PASSED\n\n" : "# GATE FAILED\n\n";
  for (const Problem& problem : verdict.problems)
    text += "- " + reports::markdown_code(problem.headline) + "\n";
  for (const std::string& news : verdict.news) text += "- news: " + reports::markdown_code(news) + "\n";
  if (!verdict.problems.empty() || !verdict.news.empty()) text += "\n";
  text += "<details><summary>What was asked</summary>\n\n";
  for (const std::string& line : verdict.lines) text += "- " + reports::markdown_code(line) + "\n";
  return text + "\n</details>\n\n" + reports::write_as("markdown", verdict.record);
}

}  // namespace fixpoint::campaign
