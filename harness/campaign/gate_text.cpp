#include "harness/campaign/gate_text.h"

#include <algorithm>

#include "harness/document/printable.h"
#include "reports/escape.h"
#include "reports/report_formats.h"
#include "reports/text.h"

namespace fixpoint::campaign {

namespace {

constexpr std::size_t kHeadlinesMax = 2;  ///< those in the first line; the lines below contain all

/// Returns the reasons in one line.
std::string why_of(const std::vector<Reason>& reasons) {
  std::string why;
  for (std::size_t i = 0; i < reasons.size() && i < kHeadlinesMax; ++i)
    why += (i == 0 ? "" : "; ") + reasons[i].headline;
  if (reasons.size() > kHeadlinesMax)
    why += "; and " + std::to_string(reasons.size() - kHeadlinesMax) + " more";
  return why;
}

std::string word_of(const GateVerdict& verdict) {
  return verdict.passed() ? "GATE PASSED" : verdict.reasons.empty() ? "GATE WITHOUT VERDICT" : "GATE FAILED";
}

/// Returns the reasons to fail, then those for which there is no verdict.
std::vector<Reason> all_reasons(const GateVerdict& verdict) {
  std::vector<Reason> all = verdict.reasons;
  all.insert(all.end(), verdict.undecided.begin(), verdict.undecided.end());
  return all;
}

/// Returns a folded list in Markdown; nothing if the list is empty.
std::string folded(const std::string& summary, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text = "<details><summary>" + summary + "</summary>\n\n";
  for (const std::string& line : lines) text += "- " + reports::markdown_code(line) + "\n";
  return text + "\n</details>\n\n";
}

}  // namespace

std::string gate_text(const GateVerdict& verdict, const std::string& accept) {
  const std::string why = why_of(all_reasons(verdict));
  std::string text = word_of(verdict) + (why.empty() ? "" : ": " + document::printable(why)) + "\n";
  for (const Reason& reason : all_reasons(verdict))
    text += "\n- " + document::printable(reason.headline) + "\n" + reason.details;
  const auto& findings = verdict.record.findings;
  const bool has_problems =
      std::any_of(findings.begin(), findings.end(), [](const auto& one) { return one.state != "expected"; });
  if (has_problems && !accept.empty()) text += "\naccept: " + document::printable(accept) + "\n";
  if (!verdict.news.empty()) text += "\n";
  for (const std::string& news : verdict.news) text += "NEWS   " + document::printable(news) + "\n";
  text += "\n";
  for (const std::string& line : verdict.accepted) text += "  " + document::printable(line) + "\n";
  for (const std::string& line : verdict.lines) text += "  " + document::printable(line) + "\n";
  return text;
}

std::string gate_markdown(const GateVerdict& verdict) {
  std::string text = "# " + word_of(verdict) + "\n\n";
  for (const Reason& reason : all_reasons(verdict)) {
    text += "- " + reports::markdown_code(reason.headline) + "\n";
    if (!reason.details.empty()) text += "\n" + reports::markdown_block(reason.details, "text") + "\n";
  }
  for (const std::string& news : verdict.news) text += "- news: " + reports::markdown_code(news) + "\n";
  if (!verdict.passed() || !verdict.news.empty()) text += "\n";
  text += folded(reports::plural(verdict.accepted.size(), "accepted problem", "accepted problems"),
                 verdict.accepted);
  return text + folded("What was checked", verdict.lines) + reports::write_as("markdown", verdict.record);
}

}  // namespace fixpoint::campaign
