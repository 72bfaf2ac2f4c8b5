#include "harness/campaign/gate_text.h"

#include "harness/document/printable.h"
#include "reports/escape.h"
#include "reports/report_formats.h"
#include "reports/text.h"

namespace fixpoint::campaign {

namespace {

constexpr std::size_t kHeadlinesMax = 2;  ///< those in the first line; the lines below contain all

/// Returns the reasons in one line.
std::string why_of(const GateVerdict& verdict) {
  std::string why;
  for (std::size_t i = 0; i < verdict.reasons.size() && i < kHeadlinesMax; ++i)
    why += (i == 0 ? "" : "; ") + verdict.reasons[i].headline;
  if (verdict.reasons.size() > kHeadlinesMax)
    why += "; and " + std::to_string(verdict.reasons.size() - kHeadlinesMax) + " more";
  return why;
}

/// Returns a folded list in Markdown; nothing if the list is empty.
std::string folded(const std::string& summary, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text = "<details><summary>" + summary + "</summary>\n\n";
  for (const std::string& line : lines) text += "- " + reports::markdown_code(line) + "\n";
  return text + "\n</details>\n\n";
}

}  // namespace

std::string gate_text(const GateVerdict& verdict) {
  std::string text =
      verdict.passed() ? "GATE PASSED\n" : "GATE FAILED: " + document::printable(why_of(verdict)) + "\n";
  for (const Reason& reason : verdict.reasons)
    text += "\n- " + document::printable(reason.headline) + "\n" + reason.details;
  if (!verdict.news.empty()) text += "\n";
  for (const std::string& news : verdict.news) text += "NEWS   " + document::printable(news) + "\n";
  text += "\n";
  for (const std::string& line : verdict.accepted) text += "  " + document::printable(line) + "\n";
  for (const std::string& line : verdict.lines) text += "  " + document::printable(line) + "\n";
  return text;
}

std::string gate_markdown(const GateVerdict& verdict) {
  std::string text = verdict.passed() ? "# GATE PASSED\n\n" : "# GATE FAILED\n\n";
  for (const Reason& reason : verdict.reasons) {
    text += "- " + reports::markdown_code(reason.headline) + "\n";
    if (!reason.details.empty()) text += "\n" + reports::markdown_block(reason.details, "text") + "\n";
  }
  for (const std::string& news : verdict.news) text += "- news: " + reports::markdown_code(news) + "\n";
  if (!verdict.reasons.empty() || !verdict.news.empty()) text += "\n";
  text += folded(reports::plural(verdict.accepted.size(), "accepted problem", "accepted problems"),
                 verdict.accepted);
  return text + folded("What was checked", verdict.lines) + reports::write_as("markdown", verdict.record);
}

}  // namespace fixpoint::campaign
