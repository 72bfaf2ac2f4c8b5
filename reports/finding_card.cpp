#include "reports/finding_card.h"

#include <algorithm>

#include "harness/document/yaml.h"
#include "reports/assets.h"
#include "reports/escape.h"
#include "reports/html_file.h"
#include "reports/page.h"

namespace fixpoint::reports {

namespace {

std::string diff_table(const CallDiff& call_diff) {
  std::string out =
      "<table class=\"diff\"><thead><tr><th scope=\"col\">before</th><th scope=\"col\">after</th>"
      "</tr></thead><tbody>\n";
  for (const DiffLine& line : call_diff.lines) {
    std::string kind = line.gap ? "gap" : line.again ? "changed twice" : line.changed ? "changed" : "";
    if (line.offending) kind += " offending";
    out += "<tr class=\"" + kind + "\">" + html_element("td", line.before) + html_element("td", line.after) +
           "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

/// Returns the item of a call. The diff of its Pods is unfolded for the last call, and if an element was
/// added again.
std::string call_item(const cases::Finding& finding, const cases::TraceStep& call, const CallDiff* call_diff,
                      bool is_last) {
  const std::string number = (finding.sequence ? "step " : "pass ") + std::to_string(call.pass);
  std::string out = "<li><strong>" + (call.check.empty() ? number : "check") + "</strong> " +
                    html_element("code", call.webhook);
  if (!call.check.empty()) out += " " + xml_text(call.check);
  if (call.effect.empty()) return out + " <span>(nothing)</span></li>\n";
  out += "<ul>";
  for (const std::string& effect : call.effect) {
    const bool again = std::find(call.again.begin(), call.again.end(), effect) != call.again.end();
    out +=
        "<li>" +
        (again ? "<span class=\"again\">" + xml_text(effect) + " (added again)</span>" : xml_text(effect)) +
        "</li>";
  }
  out += "</ul>";
  if (call_diff != nullptr && !call_diff->lines.empty()) {
    out += "<details" + std::string(call.again.empty() && !is_last ? "" : " open") +
           "><summary>The Pod before and after" + "</summary>\n" + diff_table(*call_diff) + "</details>";
  }
  return out + "</li>\n";
}

/// Returns the diff for the trace's call of that number. The indices are the same if all calls could be
/// repeated.
const CallDiff* result_of_call(const RecordedFinding& recorded, std::size_t number) {
  const cases::TraceStep& call = recorded.finding.evidence.calls[number];
  const auto is_it = [&](const CallDiff& call_diff) {
    return call_diff.pass == call.pass && call_diff.webhook == call.webhook && call_diff.check == call.check;
  };
  const auto& call_diffs = recorded.call_diffs;
  if (number < call_diffs.size() && is_it(call_diffs[number])) return &call_diffs[number];
  const auto found = std::find_if(call_diffs.begin(), call_diffs.end(), is_it);
  return found == call_diffs.end() ? nullptr : &*found;
}

std::string copied(const std::string& text, const char* kind) {
  return "<div class=\"copied\"><pre class=\"" + std::string(kind) + "\" tabindex=\"0\">" + xml_block(text) +
         "</pre></div>\n";
}

std::string yaml_of(const cases::Finding& finding) {
  return document::write_yaml(finding.sequence ? cases::write_sequence(*finding.sequence)
                                               : cases::write_case(finding.value));
}

}  // namespace

std::string excerpt_html(const cases::Finding& finding) {
  const std::string& excerpt = finding.evidence.excerpt;
  return excerpt.empty() ? "" : "<pre class=\"excerpt\" tabindex=\"0\">" + xml_block(excerpt) + "</pre>\n";
}

std::string finding_card(const RecordedFinding& recorded, const RunRecord& record, bool is_open) {
  const cases::Finding& finding = recorded.finding;
  const std::string severity = finding.severity == "error" ? "error" : "warning";
  std::string badges = html_badge(severity), calls;
  if (!finding.verdict.empty()) badges += html_badge(finding.verdict);
  if (!recorded.state.empty()) badges += html_badge(state_word(recorded.state));
  const auto& calls_made = finding.evidence.calls;
  for (std::size_t i = 0; i < calls_made.size(); ++i)
    calls += call_item(finding, calls_made[i], result_of_call(recorded, i), i + 1 == calls_made.size());
  return filled_html(finding_html(), {{"severity", severity},
                                      {"fingerprint", finding.fingerprint},
                                      {"open", is_open ? " open" : ""},
                                      {"badges", badges},
                                      {"property", finding.property},
                                      {"subject", subject_of(finding)},
                                      {"because", finding.evidence.reason},
                                      {"excerpt", excerpt_html(finding)},
                                      {"steps", finding.sequence ? "steps" : "calls"},
                                      {"calls", calls},
                                      {"case", finding.sequence ? "Sequence" : "Case"},
                                      {"yaml", copied(yaml_of(finding), "case")},
                                      {"replay", copied(replay_command(record, finding), "line")}});
}

}  // namespace fixpoint::reports
