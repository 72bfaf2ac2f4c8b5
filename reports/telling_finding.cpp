#include "reports/telling_finding.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "harness/cases/webhook_configuration.h"
#include "harness/document/joined.h"
#include "harness/document/printable.h"
#include "harness/document/yaml.h"
#include "harness/runner/shrink_finding.h"
#include "reports/text.h"

namespace fixpoint::reports {

namespace {

using cases::Finding;
using cases::TraceStep;
using document::Value;

constexpr std::size_t kCallsMax = 6, kLinesOfObjectMax = 2;
constexpr std::string_view kIndent = "       ";

/// Returns for each call if its webhook did one of its changes in an earlier call already.
std::vector<bool> repeated(const Finding& finding) {
  std::map<std::string, std::set<std::string>> earlier;
  std::vector<bool> all;
  for (const TraceStep& call : finding.evidence.calls) {
    std::set<std::string>& known = earlier[call.webhook];
    all.push_back(!call.again.empty() ||
                  std::any_of(call.effect.begin(), call.effect.end(),
                              [&](const auto& effect) { return known.contains(effect); }));
    known.insert(call.effect.begin(), call.effect.end());
  }
  return all;
}

/// The ways in which a finding shows that a webhook does a thing again, the plainest first: in the passes of
/// the admission, in a call that the property made, or not at all.
enum class Repetition { in_admission, in_check, none };

Repetition repetition_of(const Finding& finding) {
  const auto all = repeated(finding);
  Repetition best = Repetition::none;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_own = finding.evidence.calls[i].check.empty();
    if (all[i]) best = std::min(best, is_own ? Repetition::in_admission : Repetition::in_check);
  }
  return best;
}

/// The ways in which a finding shows that the API server refuses the object, the plainest first.
enum class Refusal { outright, after_more, none };

Refusal refusal_of(const Finding& finding) {
  const std::string& reason = finding.evidence.reason;
  if (reason.find("(422)") != std::string::npos) return Refusal::outright;
  return reason.find(" is refused ") != std::string::npos ? Refusal::after_more : Refusal::none;
}

/// Returns a text in lines of so many columns, the later ones indented further; `lines_max` cuts it.
std::string folded(const std::string& label, const std::string& text, std::size_t columns,
                   std::size_t lines_max) {
  std::string out, rest = std::string(kIndent) + label + document::printable(text);
  const std::string indent(kIndent.size() + 2, ' ');
  for (std::size_t line = 1; rest.size() > columns; ++line) {
    auto blank = rest.rfind(' ', columns);
    if (blank == std::string::npos || blank <= indent.size()) blank = columns;
    if (line == lines_max) return out + cut_columns(rest, columns) + "\n";
    out += rest.substr(0, blank) + "\n";
    rest = indent + rest.substr(rest.find_first_not_of(' ', blank));
  }
  return out + rest + "\n";
}

std::string object_lines(const Finding& finding, std::size_t columns) {
  const cases::Request& request = finding.value.request;
  const std::string_view kind = request.object["kind"].text();
  Value object = request.object;
  object.remove("apiVersion");
  object.remove("kind");
  const std::string label = kind.empty() ? "Pod" : std::string(kind);
  std::string out;
  if (!request.old_object.is_null()) {
    Value old = request.old_object;
    old.remove("apiVersion");
    old.remove("kind");
    out += folded("old " + label + ": ", document::write_yaml_line(old), columns, kLinesOfObjectMax);
  }
  return out + folded(label + ": ", document::write_yaml_line(object), columns, kLinesOfObjectMax);
}

std::string call_lines(const Finding& finding, std::size_t columns) {
  const auto& calls = finding.evidence.calls;
  std::set<std::string> webhooks;
  for (const TraceStep& call : calls) webhooks.insert(call.webhook);
  std::map<std::string, int> number;
  const std::vector<bool> again = repeated(finding);
  std::string out;
  for (std::size_t i = 0; i < calls.size() && i < kCallsMax; ++i) {
    const std::string& key = calls[i].webhook;
    const std::string full = short_name(finding.value, key);
    const std::string name = full == key ? cases::webhook_ref(finding.value, key).name : full;
    std::string label =
        finding.sequence ? "step " + std::to_string(i + 1) : "call " + std::to_string(++number[key]);
    if (webhooks.size() > 1) label += " of " + name;
    const std::string effect = calls[i].effect.empty() ? "(nothing)" : document::joined(calls[i].effect);
    const std::string mark = again[i] ? "   <- again" : "";
    std::string line = std::string(kIndent) + document::printable(label + ": " + effect);
    out += cut_columns(std::move(line), columns - mark.size()) + mark + "\n";
  }
  if (calls.size() > kCallsMax)
    out += std::string(kIndent) + "… and " + plural(calls.size() - kCallsMax, "call", "calls") + " more\n";
  return out;
}

}  // namespace

const Finding& telling_of(const std::vector<Finding>& findings) {
  return *std::min_element(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    const auto key = [](const Finding& one) {
      const Repetition repetition = repetition_of(one);
      const Refusal refusal = refusal_of(one);
      return std::tuple(one.severity != "error", repetition == Repetition::none, refusal == Refusal::none,
                        repetition, refusal, one.value.webhooks.size(),
                        runner::scalar_count(one.value.request.object), one.fingerprint);
    };
    return key(a) < key(b);
  });
}

const Finding& smallest_of(const std::vector<Finding>& findings) {
  return *std::min_element(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    const auto key = [](const Finding& one) {
      return std::tuple(one.severity != "error", runner::scalar_count(one.value.request.object),
                        one.fingerprint);
    };
    return key(a) < key(b);
  });
}

std::string example_lines(const Finding& finding, std::size_t columns) {
  constexpr std::size_t kLinesOfReasonMax = 3;
  return (finding.sequence ? "" : object_lines(finding, columns)) + call_lines(finding, columns) +
         folded(refusal_of(finding) != Refusal::none ? "server (422): " : "then: ", finding.evidence.reason,
                columns, kLinesOfReasonMax);
}

std::string unindented_example(const Finding& finding, std::size_t columns) {
  std::string lines = "\n" + example_lines(finding, columns + kIndent.size());
  const std::string indent = "\n" + std::string(kIndent);
  for (auto at = lines.find(indent); at != std::string::npos; at = lines.find(indent, at + 1))
    lines.erase(at + 1, kIndent.size());
  return lines.substr(1);
}

}  // namespace fixpoint::reports
