#include "harness/campaign/gate_problems.h"

#include <algorithm>

#include "harness/cases/redaction.h"
#include "harness/document/shell_word.h"
#include "harness/runner/diagnosis/problems.h"
#include "reports/first_screen.h"
#include "reports/telling_finding.h"
#include "reports/text.h"

namespace fixpoint::campaign {

using reports::RecordedFinding;

void GateProblems::judge() {
  judge_findings();
  judge_regressions();
  judge_accepted();
}

void GateProblems::judge_findings() {
  std::vector<cases::Finding> unknown;
  for (RecordedFinding& recorded : context_.verdict.record.findings) {
    const cases::Finding& finding = recorded.finding;
    seen_.insert(finding.fingerprint);
    note_accepted(finding);
    if (is_expected(finding)) recorded.state = "expected";
    if (recorded.state != "expected" && counts(finding)) unknown.push_back(finding);
  }
  for (const cases::Problem& problem : runner::problems_of(unknown)) judge_problem(problem);
  context_.verdict.reasons.insert(context_.verdict.reasons.begin(), new_.begin(), new_.end());
}

bool GateProblems::counts(const cases::Finding& finding) const {
  const auto& classes = context_.policy.fail_on_classes;
  const bool is_of_class =
      finding.cause && std::find(classes.begin(), classes.end(), finding.cause->symptom) != classes.end();
  return is_of_class || context_.policy.fail_on == "warning" || finding.severity == "error";
}

bool GateProblems::is_expected(const cases::Finding& finding) const {
  return std::any_of(evidence_.accepted.begin(), evidence_.accepted.end(),
                     [&](const AcceptedNow& one) { return one.covers(finding); });
}

/// Remembers which accepted problems still exist.
void GateProblems::note_accepted(const cases::Finding& finding) {
  for (const AcceptedNow& now : evidence_.accepted)
    if (now.covers(finding)) still_there_.insert(now.accepted.problem);
}

/// Fails the gate for a problem that is not accepted, unless the older release has all of it, too.
void GateProblems::judge_problem(const cases::Problem& problem) {
  const auto members = reports::members_of(problem, context_.verdict.record);
  const std::string what = "problem " + problem.id + ": " + problem.part + " " + problem.title + " (" +
                           reports::plural(problem.findings.size(), "finding", "findings") + ")";
  if (!evidence_.older) return context_.verdict.reasons.push_back(reason_of(members, "new " + what));
  const OlderRelease::Answers answers = evidence_.older->ask(problem, members);
  if (answers.is_unknown)
    return context_.verdict.reasons.push_back(
        reason_of(members, "not known of " + evidence_.older->name() + ": " + what));
  if (!answers.fresh.empty()) return judge_fresh(answers, what);
  if (!answers.cannot_compare.empty()) {
    const std::string why = answers.cannot_compare.front();
    return context_.verdict.undecided.push_back(
        reason_of(members, "cannot compare with " + evidence_.older->name() + ": " + why + ": " + what));
  }
  context_.verdict.accepted.push_back(evidence_.older->name() + " has it, too: " + what);
  mark_expected(members);
}

void GateProblems::judge_fresh(const OlderRelease::Answers& answers, const std::string& what) {
  const std::string more = reports::plural(answers.fresh.size(), "finding", "findings") + " more";
  new_.push_back(reason_of(answers.fresh, answers.older == 0
                                              ? "new since " + evidence_.older->name() + ": " + what
                                              : evidence_.older->name() + " has it, too, and " + more +
                                                    (answers.fresh.size() == 1 ? " is" : " are") +
                                                    " new: " + what));
}

void GateProblems::mark_expected(const std::vector<cases::Finding>& findings) {
  for (RecordedFinding& recorded : context_.verdict.record.findings) {
    if (std::any_of(findings.begin(), findings.end(), [&](const cases::Finding& one) {
          return one.fingerprint == recorded.finding.fingerprint;
        }))
      recorded.state = "expected";
  }
}

/// Returns a reason with the smallest of the findings.
Reason GateProblems::reason_of(const std::vector<cases::Finding>& members, std::string headline) const {
  const cases::Finding smallest = cases::redacted(reports::smallest_of(members));
  const std::string file =
      evidence_.folders.at(smallest.fingerprint) + "/findings/" + smallest.fingerprint + ".json";
  return {.headline = std::move(headline),
          .details = reports::finding_text(smallest, context_.options.program + " replay " +
                                                         document::shell_word(file) +
                                                         context_.outside.flags_to_replay(smallest.value))};
}

/// Treats a regression that still fails like any other finding; one that the runs also found is reported
/// once.
void GateProblems::judge_regressions() {
  for (reports::RegressionAnswer& answer : context_.verdict.record.regressions) {
    if (answer.answer != "still failing") continue;
    const auto stored = evidence_.stored.find(answer.file);
    const std::string fingerprint = stored == evidence_.stored.end() ? "" : stored->second.fingerprint;
    if (stored != evidence_.stored.end() && counts(stored->second)) note_accepted(stored->second);
    const bool is_known =
        stored != evidence_.stored.end() && (!counts(stored->second) || is_expected(stored->second));
    const bool is_seen = seen_.contains(fingerprint);
    seen_.insert(fingerprint);
    if (is_known) answer.answer = "still failing, as expected";
    if (is_known || is_seen) continue;
    if (stored != evidence_.stored.end() && evidence_.older && evidence_.older->shows(stored->second)) {
      answer.answer = "still failing, as in " + evidence_.older->name();
      context_.verdict.accepted.push_back(evidence_.older->name() + " has it, too: the regression " +
                                          answer.file);
      continue;
    }
    context_.verdict.reasons.push_back({.headline = "the regression " + answer.file + " fails",
                                        .details = "  fingerprint " + fingerprint + "\n"});
  }
}

/// Reports the accepted problems. One that is fixed is good news, one that still fails is covered; of any
/// other nobody can tell, and it fails the gate.
void GateProblems::judge_accepted() {
  for (const AcceptedNow& now : evidence_.accepted) {
    const AcceptedProblem& accepted = now.accepted;
    const bool expired = context_.options.today > accepted.until;
    const std::string what = accepted.problem + " (" + accepted.reason + ")";
    if (expired) {
      context_.verdict.reasons.push_back(
          {.headline = "the acceptance of problem " + what + " expired on " + accepted.until,
           .details = "  repair it, or give it a new day in " + context_.policy.file + "\n"});
    }
    context_.add_gate("the acceptance of problem " + accepted.problem + " holds until " + accepted.until,
                      !expired);
    if (now.is_fixed())
      context_.verdict.news.push_back("the accepted problem " + what + " is " + runner::text_of(*now.answer) +
                                      ": take it out of " + context_.policy.file);
    if (!now.is_good()) judge_open(now, what);
    context_.verdict.accepted.push_back("accepted until " + accepted.until + ": " + what + ": " +
                                        now.text(still_there_.contains(accepted.problem)));
  }
}

/// Fails the gate for an accepted problem of which nobody can tell whether it is fixed.
void GateProblems::judge_open(const AcceptedNow& now, const std::string& what) {
  context_.add_gate("the stored Case of problem " + now.accepted.problem + " says whether it is fixed",
                    false);
  context_.verdict.reasons.push_back({.headline = "cannot tell whether the accepted problem " + what +
                                                  " is fixed: " + runner::text_of(*now.answer),
                                      .details = advice_for(*now.answer, now.accepted.finding_file)});
}

std::string GateProblems::advice_for(const runner::Answer& answer, const std::string& file) const {
  std::string replay = context_.options.program + " replay " + document::shell_word(file);
  for (const std::string& webhook : context_.policy.webhooks)
    replay += " --webhook " + document::shell_word(webhook);
  if (context_.options.external_webhooks.allow_exec) replay += " --allow-exec";
  if (context_.options.external_webhooks.allow_remote) replay += " --allow-remote";
  if (answer.kind == runner::Answer::Kind::not_run) return "  see that everything runs: " + replay + "\n";
  if (answer.kind == runner::Answer::Kind::fails_otherwise)
    return "  repair what fails now: " + replay + " --trace\n";
  return "  look at " + replay + " --trace; if the problem is repaired, take it out of " +
         context_.policy.file + "\n";
}

}  // namespace fixpoint::campaign
