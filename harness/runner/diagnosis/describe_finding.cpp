#include "harness/runner/diagnosis/describe_finding.h"

#include <utility>

#include "harness/runner/diagnosis/cause.h"
#include "harness/runner/diagnosis/guard.h"
#include "harness/runner/diagnosis/repair.h"
#include "harness/runner/diagnosis/title.h"
#include "harness/runner/trace.h"

namespace fixpoint::runner {

cases::Finding undescribed(const Shrunk& shrunk, const properties::Property& property,
                           const std::string& fingerprint) {
  const properties::Violation& violation = shrunk.violation;
  cases::Finding finding{.property = std::string(property.name),
                         .severity = std::string(word(violation.severity)),
                         .webhook = violation.webhook,
                         .verdict = violation.verdict,
                         .value = shrunk.value,
                         .fingerprint = fingerprint};
  finding.evidence = {.path = violation.path,
                      .value = violation.value,
                      .reason = violation.reason,
                      .excerpt = violation.excerpt};
  return finding;
}

cases::Finding describe(const Shrunk& shrunk, const properties::Property& property,
                        const std::string& fingerprint, const webhooks::Resolve& resolve,
                        const Limits& limits) {
  cases::Finding finding = undescribed(shrunk, property, fingerprint);
  if (const auto prepared = prepare(shrunk.value, resolve, limits, kWithoutWarnings))
    finding.evidence.calls = trace_of(prepared->admission, shrunk.violation.calls);
  return finding;
}

void classify(cases::Finding& finding, const properties::Property& property, properties::Violation violation,
              const webhooks::Resolve& resolve, const Limits& limits,
              std::span<const document::Value> examples) {
  const std::uint64_t skipped_calls = resolve.calls_skipped_so_far();
  const auto prepared = prepare(finding.value, resolve, limits, kWithoutWarnings);
  if (!prepared) return;
  violation.webhook = finding.webhook;
  cases::Cause cause = cause_of(*prepared, property, violation, resolve, limits, examples);
  auto repair = find_repair(*prepared, property, finding.fingerprint, finding.webhook, cause, limits);
  if (resolve.calls_skipped_so_far() != skipped_calls) return;
  if (has_word(cause, kOnlyIf) || has_word(cause, kByDesign) || has_word(cause, kMisconfigured))
    finding.severity = word(properties::Severity::warning);
  if (repair && is_replaced_whole(finding)) repair = cases::Repair{"merge", cause.place};
  finding.cause = std::move(cause);
  finding.repair = std::move(repair);
}

cases::Finding finding_of(const ShrunkSequence& shrunk, const properties::sequences::Property& property) {
  const properties::Violation& violation = shrunk.violation;
  cases::Finding finding{.property = std::string(property.name),
                         .severity = std::string(word(violation.severity)),
                         .verdict = violation.verdict,
                         .sequence = shrunk.prepared.value};
  finding.evidence = {.path = violation.path, .value = violation.value, .reason = violation.reason};
  finding.evidence.calls = trace_of(shrunk.prepared.value, shrunk.prepared.results);
  finding.cause = cause_of(shrunk.prepared.value, property.name, violation);
  finding.fingerprint = fingerprint(shrunk.prepared.value, property.name, violation);
  return finding;
}

}  // namespace fixpoint::runner
