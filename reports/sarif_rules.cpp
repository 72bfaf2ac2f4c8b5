#include "reports/sarif_rules.h"

#include <algorithm>

#include "harness/document/printable.h"

namespace fixpoint::reports {

using document::Value;

namespace {

/// The texts of a rule.
struct RuleText {
  std::string claim;
  std::string matters;  ///< its effect in a cluster
  std::string example = {};
  std::string fix;
};

RuleText text_of(const std::string& name, const properties::Catalog& catalog) {
  if (const auto* more = catalog.explanation_of(name))
    return {.claim = std::string(catalog.claim_of(name)),
            .matters = std::string(more->matters),
            .example = std::string(more->example),
            .fix = std::string(more->fix)};
  if (name == kRegressionRule)
    return {.claim = "No stored finding shows its defect again.",
            .matters = "The defect is known, and users of the webhook still have it.",
            .fix = "Replay the stored finding with `fixpoint replay`, and repair what it shows."};
  const auto kinds = properties::observation_kinds();
  if (std::find(kinds.begin(), kinds.end(), name) != kinds.end())
    return {.claim = "Observed: " + name + ".",
            .matters = "What is observed is true of the webhook and no defect: it fails no run.",
            .fix = "None is needed where the webhook means to do so."};
  return {.claim = name + " holds.",
          .matters = "A version of fixpoint that has no explanation of " + name + " wrote this report.",
          .fix = "Replay the finding with `fixpoint replay`, and repair what it shows."};
}

Value text(const std::string& text) { return {{"text", text}}; }

}  // namespace

std::string sarif_line(std::string_view text) {
  std::string line(text);
  std::replace_if(line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  line = document::printable(line);
  for (auto at = line.find("]("); at != std::string::npos; at = line.find("](", at + 3))
    line.replace(at, 2, "] (");
  return line;
}

Value sarif_message(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += (all.empty() ? "" : "\n") + sarif_line(line);
  return text(all);
}

Value sarif_rule(const std::string& name, const properties::Catalog& catalog) {
  const RuleText said = text_of(name, catalog);
  std::string plain = "In a cluster: " + said.matters, markdown = "**In a cluster.** " + said.matters;
  if (!said.example.empty()) {
    plain += "\nFor example: " + said.example;
    markdown += "\n\n**For example.** " + said.example;
  }
  plain += "\nUsual fix: " + said.fix;
  markdown += "\n\n**Usual fix.** " + said.fix;
  return {{"id", name},
          {"shortDescription", text(said.claim)},
          {"fullDescription", text(said.claim + " " + said.matters)},
          {"help", {{"text", plain}, {"markdown", markdown}}},
          {"helpUri", kInformationUri}};
}

}  // namespace fixpoint::reports
