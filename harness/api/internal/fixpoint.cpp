#include "harness/api/fixpoint.h"

#include <algorithm>

#include "harness/api/internal/in_process.h"
#include "injectors/bundled.h"
#include "reports/text.h"

namespace fixpoint {

namespace {

CheckReport report_of(const runner::RunSummary& summary) {
  CheckReport report{.cases = summary.cases};
  for (const auto& [subject, counts] : summary.acted) report.acted += counts.acted;
  for (const cases::Finding& finding : summary.findings) {
    report.findings.push_back(api::finding_of(finding));
    report.text += report.findings.back().text + "\n";
  }
  for (const auto& [property, tally] : summary.properties)
    if (tally.held + tally.violated > 0) report.decided[property] = tally.held + tally.violated;
  for (const runner::VacuityCheck& vacuity_check : summary.vacuity_checks) {
    if (vacuity_check.judged && !vacuity_check.held) report.failed_gates.push_back(vacuity_check.name);
  }
  report.text += reports::summary_text(summary);
  return report;
}

}  // namespace

Webhook::Webhook(std::string manifest, ReviewHandler handler)
    : hidden_(std::make_shared<Hidden>(std::move(manifest), std::move(handler))) {}

std::string Webhook::every_pod() {
  return R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration",
    "metadata":{"name":"own"},"webhooks":[{"name":"own.example.io","admissionReviewVersions":["v1"],
    "sideEffects":"None","reinvocationPolicy":"IfNeeded","rules":[{"apiGroups":[""],"apiVersions":["v1"],
    "operations":["CREATE"],"resources":["pods"]}]}]})";
}

const Webhook& Webhook::bundled() {
  static const Webhook all(std::make_shared<Hidden>());
  return all;
}

Webhook Webhook::bundled(const std::string& injector) { return Webhook(std::make_shared<Hidden>(injector)); }

std::string Webhook::name() const {
  const auto& subjects = hidden_->subjects;
  return subjects && subjects->size() == 1 ? subjects->front().name : "";
}

std::string Webhook::problem() const { return hidden_->subjects ? "" : hidden_->subjects.error().text(); }

const CheckReport& Webhook::report(const CheckOptions& options) const {
  const std::scoped_lock lock(hidden_->reports_mutex);
  const auto known = std::find_if(hidden_->reports.begin(), hidden_->reports.end(),
                                  [&](const auto& entry) { return entry.first == options; });
  if (known != hidden_->reports.end()) return known->second;
  return hidden_->reports.emplace_back(options, check(*this, options)).second;
}

CheckReport check(const Webhook& webhook, const CheckOptions& options) {
  const auto run = api::run_of(webhook.hidden(), options);
  if (!run) {
    const std::string problem = run.error().text();
    return {.problem = problem, .text = problem + "\n"};
  }
  runner::Listener nobody;
  return report_of(runner::run(run->options, nobody));
}

CheckReport check(const ReviewHandler& handler, const std::string& manifest, const CheckOptions& options) {
  return check(Webhook(manifest, handler), options);
}

std::vector<std::string> property_names() {
  std::vector<std::string> names;
  for (const properties::Property* property : injectors::bundled().catalog.of_cases())
    names.emplace_back(property->name);
  return names;
}

std::string claim_of(const std::string& property) {
  return std::string(injectors::bundled().catalog.claim_of(property));
}

std::string version() { return FIXPOINT_VERSION; }

}  // namespace fixpoint
