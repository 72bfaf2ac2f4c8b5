#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "corpus/regression.h"
#include "harness/campaign/run_reader.h"
#include "harness/cases/redaction.h"
#include "harness/cases/replay_flags.h"
#include "harness/cli/claims.h"
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/cli/properties_page.h"
#include "harness/document/fields.h"
#include "harness/document/shell_word.h"
#include "harness/external/backends/stored_case.h"
#include "harness/properties/packs/pack.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"
#include "injectors/reconcilers.h"
#include "reports/first_screen.h"
#include "reports/telling_finding.h"
#include "reports/text.h"

namespace fixpoint::cli {

namespace {

using document::Error;
using document::Result;

void print_property(const Claim& property, const properties::Explanation* more) {
  std::printf("%s\n  %s\n", std::string(property.name).c_str(), property.whole().c_str());
  if (more == nullptr) return;
  const std::pair<const char*, std::string_view> parts[] = {
      {"For example", more->example}, {"In a cluster", more->matters}, {"Usual fix", more->fix}};
  for (const auto& [title, text] : parts) std::printf("\n%s\n  %s\n", title, std::string(text).c_str());
  for (const auto& injector : injectors::all()) {
    if (injectors::caught_by(injector) != property.name) continue;
    std::printf("\nTry it: fixpoint fuzz %s\n", std::string(injector.name).c_str());
    return;
  }
}

/// A problem of a run and its findings, with no value hidden.
struct FoundProblem {
  cases::Problem problem;
  std::vector<cases::Finding> findings;
  std::string known_as = {};
};

/// Finds the problem of which an id, or the fingerprint of a finding, begins with this text.
Result<FoundProblem> find_problem(const std::string& id, const std::string& folder) {
  const auto record = campaign::read_run(folder, {.shows_values = true});
  if (!record) return record.error();
  const auto begins = [&](const std::string& text) { return text.starts_with(id); };
  for (cases::Problem& problem : reports::problems_of(*record)) {
    if (std::none_of(problem.ids.begin(), problem.ids.end(), begins) &&
        std::none_of(problem.findings.begin(), problem.findings.end(), begins))
      continue;
    FoundProblem found{std::move(problem), {}};
    found.findings = reports::members_of(found.problem, *record);
    found.known_as = cases::known_as(found.problem, record->known);
    return found;
  }
  return Error{"no problem or finding begins with \"" + id + "\"", folder};
}

/// Returns the releases of the injector by their answers, after a replay with each.
std::string releases_text(const cases::Finding& finding) {
  std::map<std::string, std::string> releases;  // by answer
  const auto with = external::replay_with(injectors::bundled());
  for (const auto& [name, known] : injectors::all_releases()) {
    if (known.size() < 2) continue;
    for (const std::string_view release : known) {
      const std::string subject = std::string(name).append("@").append(release);
      const cases::Finding other = corpus::with_release(finding, subject, injectors::bundled());
      if (!corpus::concerns(other, subject)) break;
      std::string& list = releases[text_of(runner::answer_of(other, with))];
      list.append(list.empty() ? "" : ", ").append(release);
    }
  }
  if (releases.empty()) return "";
  std::string text = "\nReleases\n";
  for (const auto& [answer, list] : releases) text += "  " + answer + ": " + list + "\n";
  return text;
}

int explain_problem(const std::string& id, const std::string& folder) {
  const auto found = find_problem(id, folder);
  if (!found) return bad_input(found.error());
  std::vector<cases::Finding> shown;
  for (const cases::Finding& finding : found->findings) shown.push_back(cases::redacted(finding));
  std::fputs(reports::problem_text(found->problem, shown, injectors::bundled().catalog,
                                   cases::published_as(found->known_as))
                 .c_str(),
             stdout);
  std::fputs("\nIts calls\n\n", stdout);
  const cases::Finding& smallest = reports::telling_of(shown);
  const std::string file = folder + "/findings/" + smallest.fingerprint + ".json";
  const std::string replay =
      invoked_as() + " replay " + document::shell_word(file) + cases::replay_flags(smallest.value);
  std::fputs(reports::finding_text(smallest, replay).c_str(), stdout);
  for (const cases::Finding& finding : found->findings)
    if (finding.fingerprint == smallest.fingerprint) std::fputs(releases_text(finding).c_str(), stdout);
  return kNothingFound;
}

bool is_id(const std::string& text) {
  return text.size() >= 6 && text.size() <= 12 &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

int explain(const Arguments& arguments) {
  std::string name, folder = "run";
  bool markdown = false;
  Options line(
      "explain",
      "A property: what it claims, why it matters, how its violations are fixed. A problem of a run: what "
      "is broken and for whom, the repair and its proof, the smallest Case, and the releases that have it.",
      "  fixpoint explain idempotent\n  fixpoint explain 7364fb06de55 --run run");
  line.positional("NAME", name, "a property from `fixpoint list`, or the id of a problem or a finding",
                  false);
  line.value("--run DIR", folder, "the folder of the run that has the problem (default run/)");
  line.flag("--markdown", markdown, "print all properties as a page of Markdown");
  if (const auto code = line.parse(arguments)) return *code;
  if (name.empty() != markdown) return bad_input("explain: expected either NAME or --markdown");
  if (markdown) {
    std::fputs(properties_page(injectors::bundled().catalog).c_str(), stdout);
    return kNothingFound;
  }
  if (is_id(name)) return explain_problem(name, folder);
  std::vector<std::string_view> names;
  const auto& catalog = injectors::bundled().catalog;
  for (const Claim& property : claims(catalog)) {
    names.push_back(property.name);
    if (property.name != name) continue;
    print_property(property, catalog.explanation_of(name));
    return kNothingFound;
  }
  return bad_input("there is no property \"" + name + "\"" + document::did_you_mean_suffix(name, names) +
                   "; fixpoint list has them, and the id of a problem has six to twelve of 0-9 and a-f");
}

}  // namespace fixpoint::cli
