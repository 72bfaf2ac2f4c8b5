#include "reports/text.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "harness/cases/kind_words.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/printable.h"
#include "harness/runner/shrink_finding.h"

namespace fixpoint::reports {

using document::Value;

namespace {

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

}  // namespace

std::string short_name(const cases::Case& value, const std::string& webhook) {
  const auto backend = value.webhooks.find(webhook);
  if (backend != value.webhooks.end()) {
    if (const auto* injector = std::get_if<cases::InjectorName>(&backend->second)) return injector->name;
  }
  return webhook;
}

std::string cut_columns(std::string text, std::size_t columns) {
  std::size_t at = 0, count = 0;
  while (at < text.size() && count < columns) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
    ++count;
  }
  if (at >= text.size()) return text;
  text.resize(at);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  text.pop_back();
  return text + "…";
}

std::string plural(std::size_t count, const char* one, const char* more) {
  return std::to_string(count) + " " + (count == 1 ? one : more);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f%%",
                whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

Value hundredths(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", number);
  return Value::number(text);
}

namespace {

std::string who_of(const cases::Finding& finding) {
  if (finding.sequence) return finding.sequence->subject;
  return finding.webhook.empty() ? "the chain" : short_name(finding.value, finding.webhook);
}

/// The width of the lines about a call; continuation lines are indented.
constexpr std::size_t kColumnsMax = 110;

std::string call_line(const cases::Finding& finding, const cases::TraceStep& call) {
  const std::string actor = finding.sequence ? call.webhook : short_name(finding.value, call.webhook);
  std::string text = call.check.empty() ? (finding.sequence ? "  step " : "  pass ") : "  check ";
  if (call.check.empty()) text += std::to_string(call.pass);
  text += "  ";
  const std::size_t indent = text.size() + (finding.sequence ? 14 : 30) + 2;
  text += padded(document::printable(actor), finding.sequence ? 14 : 30) + "  ";
  std::size_t column = text.size();
  const auto put = [&](const std::string& part) {
    if (column > indent && column + part.size() > kColumnsMax) {
      text.erase(text.find_last_not_of(' ') + 1);
      text += "\n" + std::string(indent, ' ');
      column = indent;
    }
    text += part;
    column += part.size();
  };
  if (!call.check.empty()) put(document::printable(call.check) + ": ");
  if (call.effect.empty()) put("(nothing)");
  for (std::size_t i = 0; i < call.effect.size(); ++i)
    put(document::printable(call.effect[i]) + (i + 1 < call.effect.size() ? ", " : ""));
  if (!call.again.empty()) put("   <- added again");
  return text + "\n";
}

std::string size_of(const cases::Finding& finding) {
  if (finding.sequence) {
    return "  smallest Sequence: " + plural(finding.sequence->steps.size(), "command", "commands") +
           (finding.sequence->initial.is_null() ? "" : " after what is stored at first") + "\n";
  }
  return "  smallest Case: " + plural(runner::scalar_count(finding.value.request.object), "value", "values") +
         cases::said_of(finding.value.request, " of the Pod, ") + chain_size_of(finding.value) +
         (finding.before.empty() ? ""
                                 : ", after " + plural(finding.before.size(), "other Case", "other Cases")) +
         (finding.found.unfinished ? " (the clock ended the shrinking: `fixpoint shrink` goes on)" : "") +
         "\n";
}

/// Returns a line for each ConfigMap of the webhook's chart whose settings the Case changed.
std::string settings_of(const cases::Finding& finding) {
  std::string text;
  for (const Value& object : finding.value.cluster.objects) {
    const std::string_view changed = object["metadata"]["annotations"][cases::kChangedSettings].text();
    if (changed.empty()) continue;
    text += "  only with other settings, ConfigMap " + std::string(object["metadata"]["name"].text()) + ": " +
            document::printable(changed) + "\n";
  }
  return text;
}

}  // namespace

std::string chain_size_of(const cases::Case& value) {
  const auto policies = static_cast<std::size_t>(
      std::count_if(value.cluster.objects.begin(), value.cluster.objects.end(), cases::is_policy));
  const std::string of_policies = plural(policies, "policy", "policies");
  if (value.webhooks.empty() && policies > 0) return of_policies;
  return plural(value.webhooks.size(), "webhook", "webhooks") + (policies > 0 ? ", " + of_policies : "");
}

const char* kind_of_subject(const cases::Finding& finding) {
  return finding.blamed().is_policy ? "policy" : "webhook";
}

std::string calls_text(const cases::Finding& finding) {
  std::string text;
  for (const cases::TraceStep& call : finding.evidence.calls) text += call_line(finding, call);
  return text;
}

std::string excerpt_text(const cases::Finding& finding) {
  std::istringstream lines(finding.evidence.excerpt);
  std::string text;
  for (std::string line; std::getline(lines, line);) text += "      " + document::printable(line) + "\n";
  return text;
}

std::string finding_text(const cases::Finding& finding, const std::string& replay) {
  std::string text = "FOUND  " + padded(finding.property, 20) + " " + document::printable(who_of(finding));
  text += "   " + (finding.verdict.empty() ? "" : finding.verdict + "   ") + finding.severity + "\n";
  text += "  " + document::printable(finding.evidence.reason) + "\n" + excerpt_text(finding);
  return text + calls_text(finding) + size_of(finding) + settings_of(finding) + "  replay: " + replay + "\n";
}

namespace {

/// Returns the shares of the drawn Cases, such as those with reinvoked or refused webhooks, or with faults.
std::string shares_of(const runner::RunSummary& summary) {
  std::string text;
  if (summary.sequences < summary.cases || summary.cases == 0) {
    text += "reinvoked " + percent(summary.reinvoked, summary.cases) + ", refused " +
            percent(summary.rejected, summary.cases) + ", with faults " +
            percent(summary.faults, summary.cases) + "; ";
  }
  if (summary.sequences > 0) text += "Sequences " + percent(summary.sequences, summary.cases) + "; ";
  return text;
}

/// Returns the average contents of a Case.
std::string drawn_text(const runner::RunSummary& summary) {
  const runner::CaseCounts& drawn = summary.drawn;
  const std::uint64_t cases = summary.cases - summary.sequences;
  if (cases == 0) return "";
  const auto each = [&](std::uint64_t number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", static_cast<double>(number) / static_cast<double>(cases));
    return std::string(text);
  };
  return "drawn: a Case has " + each(drawn.containers) + " containers, " + each(drawn.init_containers) +
         " init containers, " + each(drawn.probes) + " probes and " + each(drawn.webhooks) + " webhooks, " +
         percent(drawn.if_needed, drawn.webhooks) + " of them IfNeeded; updates " +
         percent(drawn.updates, cases) + ", dry runs " + percent(drawn.dry_runs, cases) + "\n";
}

/// Returns true if a property was checked often but rarely decided: the lack of violations then proves
/// little.
bool is_seldom(const runner::Tally& tally) {
  const std::uint64_t answered = tally.held + tally.violated, could = tally.asked - tally.not_applicable;
  return could > 0 && 10 * answered < could;
}

std::string kind_line(const std::string& kind, const runner::KindCounts& counts) {
  return "  " + document::printable(kind) + ": " + plural(counts.cases, "Case", "Cases") + ", acted in " +
         percent(counts.acted, counts.cases) + "\n";
}

std::string row_of(const std::string& name, const runner::Tally& tally, std::size_t width) {
  const auto cell = [](const char* word, std::uint64_t number) {
    return word + padded(std::to_string(number), 9);
  };
  return "  " + padded(name, width) + cell(" asked ", tally.asked) + cell("held ", tally.held) +
         cell("violated ", tally.violated) + cell("not reached ", tally.skipped) + "not applicable " +
         std::to_string(tally.not_applicable) + (is_seldom(tally) ? "   <- seldom reached\n" : "\n");
}

}  // namespace

std::string advice_without_verdict(const runner::RunSummary& summary) {
  const bool has_acted = std::any_of(summary.acted.begin(), summary.acted.end(),
                                     [](const auto& each) { return each.second.acted > 0; });
  const std::string object = summary.is_about_pods() ? "Pod" : "object";
  if (summary.cases == 0 || has_acted)
    return "Too little was asked: give the run more time (--time), and the subject what it needs to change " +
           std::string(object == "Pod" ? "a Pod" : "an object") + "\n(an example " + object +
           ": --example FILE).\n";
  return "Nothing is known of a subject that changed no " + object + " and refused none: give an example " +
         object +
         " that it changes\n"
         "(--example FILE), or name what makes it act in its configuration (an objectSelector, a "
         "matchCondition)\n"
         "or in the triggers of a Subject file.\n";
}

std::string note_text(const cases::Finding& note) {
  return "NOTE   " + note.property + " in the neighbour " + document::printable(note.webhook) + ": " +
         document::printable(note.evidence.reason) + "\n";
}

std::string observations_text(const runner::RunSummary& summary) {
  if (summary.observations.empty()) return "";
  std::string text = "observed, and no defect:\n";
  for (const runner::Observed& observed : summary.observations) {
    text += "  " + document::printable(observed.observation.webhook) + " " +
            document::printable(observed.observation.reason) + "   (" +
            plural(observed.cases, "Case", "Cases") + ")\n";
  }
  return text;
}

std::string kinds_text(const runner::RunSummary& summary) {
  std::string text;
  if (summary.kinds.size() > 1)
    for (const auto& [kind, counts] : summary.kinds) text += kind_line(kind, counts);
  return text;
}

std::string summary_text(const runner::RunSummary& summary) {
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.0f",
                summary.seconds > 0 ? static_cast<double>(summary.cases) / summary.seconds : 0.0);
  std::string text = std::to_string(summary.cases) + " Cases, " + rate + "/s; " + shares_of(summary) +
                     std::to_string(summary.all_properties) + " checked with all properties; stopped by " +
                     summary.why + "\n";
  std::size_t width = 20;
  for (const auto& [name, tally] : summary.properties) width = std::max(width, name.size());
  text += drawn_text(summary);
  for (const auto& [name, tally] : summary.properties) text += row_of(name, tally, width);
  if (summary.kinds.size() > 1) {
    for (const auto& [kind, counts] : summary.kinds) {
      text += kind_line(kind, counts);
      for (const auto& [name, tally] : counts.properties)
        if (tally.not_applicable < tally.asked) text += row_of(name, tally, width);
    }
  }
  for (const runner::VacuityCheck& vacuity_check : summary.vacuity_checks) {
    if (vacuity_check.judged && !vacuity_check.held) text += "GATE   failed: " + vacuity_check.name + "\n";
  }
  if (!summary.vacuity_checks.empty() && !summary.vacuity_checks.front().judged) {
    text += "vacuity checks not judged: the run was too short\n";
  }
  for (const std::string& what : summary.not_simulated)
    text += "not simulated: " + document::printable(what) + "\n";
  const auto missing = runner::missing_verdicts(summary);
  for (const std::string& sentence : missing) text += "NO VERDICT: " + document::printable(sentence) + "\n";
  if (!missing.empty()) text += advice_without_verdict(summary);
  if (!summary.findings.empty())
    text += plural(summary.findings.size(), "finding", "findings");
  else
    text += missing.empty() ? "nothing found" : "no verdict";
  text += summary.notes.empty() ? "\n"
                                : ", " + plural(summary.notes.size(), "note", "notes") + " on neighbours\n";
  return text;
}

}  // namespace fixpoint::reports
