#include "harness/api/internal/judged_case.h"

#include <algorithm>

#include "harness/cases/kind.h"
#include "harness/runner/diagnosis/describe_finding.h"
#include "harness/runner/loop/case_result.h"

namespace fixpoint::api {

namespace {

/// Returns the webhook to blame for a violation, empty if unknown; nothing if it is not under test.
std::optional<std::string> webhook_to_blame(const JudgedCase& judged, const properties::Property& property,
                                            const properties::Violation& violation,
                                            const std::string& fingerprint) {
  const auto is_under_test = [&](const std::string& webhook) {
    return is_judged(judged.run.subjects, judged.value, cases::webhook_ref(judged.value, webhook));
  };
  if (!violation.webhook.empty() && is_under_test(violation.webhook)) return violation.webhook;
  const auto guilty = runner::blame(judged.value, property, fingerprint, judged.run.subjects.resolve,
                                    judged.run.effort.limits);
  const auto own = std::find_if(guilty.rbegin(), guilty.rend(), is_under_test);
  if (own != guilty.rend()) return *own;
  return guilty.empty() && is_under_test(violation.webhook) ? std::optional(violation.webhook) : std::nullopt;
}

cases::Finding describe(const runner::Shrunk& shrunk, const OwnViolation& violation,
                        const runner::RunOptions& run) {
  cases::Finding finding = runner::describe(shrunk, *violation.property, violation.fingerprint,
                                            run.subjects.resolve, run.effort.limits);
  finding.webhook = violation.webhook;
  return finding;
}

}  // namespace

document::Result<JudgedCase> run_case(const cases::Case& value, const Webhook& webhook,
                                      const apiserver::AdmitOptions& options) {
  const runner::RunOptions& run = webhook.hidden().run();
  cases::Case own = with_webhook(value, webhook);
  auto prepared = runner::prepare(own, run.subjects.resolve, run.effort.limits, options);
  if (!prepared) return std::move(prepared).error();
  return JudgedCase{std::move(own), *std::move(prepared), run};
}

std::vector<OwnViolation> own_violations(const JudgedCase& judged, const runner::JudgeOptions& options) {
  const runner::RunOptions& run = judged.run;
  std::vector<OwnViolation> found;
  for (const runner::PropertyJudgement& asked :
       runner::ask(judged.prepared, run.subjects.catalog.of_cases(), options, run.effort.limits,
                   run.subjects.resolve)) {
    const auto* violated = std::get_if<properties::Violated>(&asked.judgement);
    if (violated == nullptr) continue;
    for (const properties::Violation& violation : violated->violations) {
      std::string print = runner::fingerprint(judged.value, asked.property->name, violation);
      auto webhook = webhook_to_blame(judged, *asked.property, violation, print);
      if (webhook) found.push_back({asked.property, violation, std::move(print), *std::move(webhook)});
    }
  }
  return found;
}

cases::Finding describe(const JudgedCase& judged, const OwnViolation& violation) {
  return describe({.value = judged.value, .violation = violation.violation}, violation, judged.run);
}

cases::Finding shrink(const JudgedCase& judged, const OwnViolation& violation) {
  const runner::RunOptions& run = judged.run;
  const auto shrunk = runner::shrink(judged.value, *violation.property, violation.fingerprint,
                                     run.subjects.resolve, reduction_of(run), run.effort.limits);
  if (!shrunk) return describe(judged, violation);
  cases::Finding finding = describe(*shrunk, violation, run);
  finding.found.shrinks = shrunk->steps;
  runner::classify(finding, *violation.property, shrunk->violation, run.subjects.resolve, run.effort.limits);
  return finding;
}

runner::Reduce reduction_of(const runner::RunOptions& run) {
  return [&run](cases::Case value, const std::function<bool(const cases::Case&)>& take) {
    const cases::Case original = value;
    run.drawing.reduce(std::move(value), [&](const cases::Case& candidate) {
      return cases::find_kind(candidate.request, candidate.cluster) &&
             keeps_subjects(run.subjects, original, candidate) && take(candidate);
    });
  };
}

}  // namespace fixpoint::api
