#include "harness/api/cases.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "harness/api/internal/in_process.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"
#include "harness/runner/case_result.h"
#include "harness/runner/describe_finding.h"
#include "harness/runner/examine.h"

namespace fixpoint {

namespace {

using document::Value;

Case case_of(cases::Case value) { return Case(std::make_shared<const cases::Case>(std::move(value))); }

bool is_of_policies(const Value& object) {
  return cases::is_policy(object) || cases::is_policy_binding(object);
}
bool is_of_webhooks(const Value& object) {
  return cases::is_webhook_configuration(object) || cases::is_validating_configuration(object);
}

/// Returns the kinds of the parameters that policies of the cluster have.
bool is_parameter(const Value& object, const cases::Cluster& cluster) {
  return std::any_of(cluster.objects.begin(), cluster.objects.end(), [&](const Value& policy) {
    return cases::is_policy(policy) && !object["kind"].is_null() &&
           policy["spec"]["paramKind"]["kind"] == object["kind"];
  });
}

/// Draws from decisions, of which a Case may take any number.
Case draw_from(runner::Choices& choices, const runner::RunOptions& run) {
  return case_of(std::get<cases::Case>(run.draw(choices, run.steering)));
}

bool has_part(const Case& value, Part part) {
  return part != Part::policies || !cases::bound_policies(value.value().cluster).empty();
}

/// A Case that is ready to be judged.
struct Ready {
  cases::Case value;
  runner::Prepared prepared;
  const runner::RunOptions& run;
};
Ready ready(const Case& value, const Webhook& webhook, const apiserver::AdmitOptions& options) {
  const runner::RunOptions& run = webhook.hidden().run();
  cases::Case own = api::with_webhook(value.value(), webhook);
  auto prepared = runner::prepare(own, run.resolve, run.limits, options);
  if (!prepared) throw std::invalid_argument("Case: " + prepared.error().text());
  return {std::move(own), *std::move(prepared), run};
}

/// Returns the webhook to blame for a violation, empty if unknown; nothing if it is not under test.
std::optional<std::string> judged_webhook(const Ready& ready, const properties::Property& property,
                                          const properties::Violation& violation,
                                          const std::string& fingerprint) {
  const auto is_under_test = [&](const std::string& webhook) {
    return is_judged(ready.run, ready.value, webhook);
  };
  if (!violation.webhook.empty() && is_under_test(violation.webhook)) return violation.webhook;
  const auto guilty = runner::blame(ready.value, property, fingerprint, ready.run.resolve, ready.run.limits);
  const auto own = std::find_if(guilty.rbegin(), guilty.rend(), is_under_test);
  if (own != guilty.rend()) return *own;
  return guilty.empty() && is_under_test(violation.webhook) ? std::optional(violation.webhook) : std::nullopt;
}

}  // namespace

Case::Case()
    : value_(std::make_shared<const cases::Case>(cases::Case{.request = {.object = Value::empty_object()}})) {
}

Case Case::read(const std::string& text) {
  const auto documents = document::read_stream(text);
  if (!documents) throw std::invalid_argument(documents.error().text());
  if (documents->size() != 1) throw std::invalid_argument("expected one Case or Finding");
  const Value& document = documents->front();
  if (document["kind"].text() == "Finding") {
    auto finding = cases::read_finding(document);
    if (!finding) throw std::invalid_argument(finding.error().text());
    if (finding->sequence)
      throw std::invalid_argument("expected the Finding of a webhook, not of a reconciler");
    return case_of(std::move(finding->value));
  }
  auto value = cases::read_case(document);
  if (!value) throw std::invalid_argument(value.error().text());
  return case_of(*std::move(value));
}

std::string Case::text() const { return cases::canonical_text(*value_); }
std::string Case::pod() const { return document::write_json(value_->request.object); }
std::string Case::old_pod() const { return document::write_json(value_->request.old_object); }

std::string Case::part(Part part) const {
  if (part == Part::pod) return pod();
  const Value written = cases::write_case(*only(part).value_);
  if (part == Part::request) return document::write_json(written["request"]);
  return document::write_json(part == Part::cluster ? written["cluster"] : written);
}

std::vector<std::string> Case::webhooks() const { return cases::configured_webhooks(value_->cluster); }

Case Case::with_pod(const std::string& pod) const {
  auto read = document::read_json(pod);
  if (!read) throw std::invalid_argument("Pod: " + read.error().text());
  cases::Case value = *value_;
  value.request.object = *std::move(read);
  return case_of(std::move(value));
}

Case Case::with_webhook(const Webhook& webhook) const { return case_of(api::with_webhook(*value_, webhook)); }

Case Case::only(Part part) const {
  cases::Case value;
  value.cluster.version = value_->cluster.version;
  value.request.object = Value::empty_object();
  const auto take_objects = [&](const auto& is_taken) {
    for (const Value& object : value_->cluster.objects)
      if (is_taken(object)) value.cluster.objects.push_back(object);
  };
  switch (part) {
    case Part::pod:
      value.request.object = value_->request.object;
      break;
    case Part::request:
      value.request = value_->request;
      break;
    case Part::chain:
      value.webhooks = value_->webhooks;
      value.faults = value_->faults;
      value.neighbours = value_->neighbours;
      take_objects(is_of_webhooks);
      break;
    case Part::cluster:
      value.cluster = value_->cluster;
      value.cluster.policy_order.clear();
      std::erase_if(value.cluster.objects,
                    [](const Value& object) { return is_of_webhooks(object) || is_of_policies(object); });
      break;
    case Part::policies:
      value.cluster.feature_gates = value_->cluster.feature_gates;
      value.cluster.policy_order = value_->cluster.policy_order;
      if (value_->neighbours) {
        value.neighbours.emplace();
        for (const std::string& name : *value_->neighbours) {
          const Value* neighbour = cases::find_configuration(value_->cluster, name);
          if (neighbour != nullptr && cases::is_policy(*neighbour)) value.neighbours->push_back(name);
        }
      }
      take_objects([&](const Value& object) {
        return is_of_policies(object) || is_parameter(object, value_->cluster);
      });
  }
  return case_of(std::move(value));
}

bool Case::equals(const Case& other) const { return value_ == other.value_ || *value_ == *other.value_; }

Case draw_case(std::uint64_t seed, std::uint64_t number, const Webhook& webhook) {
  runner::Choices choices(seed, number);
  return draw_from(choices, webhook.hidden().run());
}

Case draw_case(const std::vector<std::uint64_t>& decisions, const Webhook& webhook) {
  runner::Choices choices(decisions);
  return draw_from(choices, webhook.hidden().run());
}

Case draw_part(Part part, std::uint64_t seed, std::uint64_t number, const Webhook& webhook) {
  runner::Choices choices(seed, number);
  Case value = draw_from(choices, webhook.hidden().run());
  while (!has_part(value, part)) value = draw_from(choices, webhook.hidden().run());
  return value.only(part);
}

std::vector<Case> shrink_candidates(const Case& value, const Webhook& webhook) {
  const runner::RunOptions& run = webhook.hidden().run();
  std::vector<Case> candidates;
  run.reduce(value.value(), [&](const cases::Case& candidate) {
    if (keeps_subjects(run, value.value(), candidate)) candidates.push_back(case_of(candidate));
    return false;
  });
  return candidates;
}

std::vector<Case> shrink_candidates(Part part, const Case& value, const Webhook& webhook) {
  const Case whole = value.only(part);
  std::vector<Case> parts;
  for (const Case& candidate : shrink_candidates(whole, webhook)) {
    Case smaller = candidate.only(part);
    if (has_part(smaller, part) && !(smaller == whole)) parts.push_back(std::move(smaller));
  }
  return parts;
}

Case shrink_case(const Case& value, const std::function<bool(const Case&)>& fails, const Webhook& webhook,
                 std::uint64_t tries_max) {
  const runner::RunOptions& run = webhook.hidden().run();
  Case best = value;
  std::uint64_t tries = 0;
  for (bool progress = true; progress && tries < tries_max;) {
    progress = false;
    const Case begin = best;
    run.reduce(begin.value(), [&](const cases::Case& candidate) {
      if (tries >= tries_max || !keeps_subjects(run, begin.value(), candidate)) return false;
      ++tries;
      Case tried = case_of(candidate);
      if (!fails(tried)) return false;
      best = std::move(tried);
      return progress = true;
    });
  }
  return best;
}

Admitted admit(const Case& value, const Webhook& webhook) {
  const Ready judged = ready(value, webhook, {});
  const apiserver::Admission& admission = judged.prepared.admission;
  Admitted admitted{.allowed = admission.allowed,
                    .pod = document::write_json(admission.object),
                    .passes = admission.passes,
                    .document = document::write_json_pretty(
                        cases::write_outcome(apiserver::outcome_of(judged.value, admission)))};
  if (admission.status) {
    admitted.code = admission.status->code;
    admitted.message = admission.status->message;
  }
  return admitted;
}

std::vector<CheckFinding> violations(const Case& value, const Webhook& webhook) {
  const Ready judged = ready(value, webhook, runner::kWithoutWarnings);
  const runner::RunOptions& run = judged.run;
  std::vector<CheckFinding> found;
  for (const runner::PropertyJudgement& asked :
       runner::ask(judged.prepared, run.catalog.of_cases(), {}, run.limits, run.resolve)) {
    const auto* violated = std::get_if<properties::Violated>(&asked.judgement);
    if (violated == nullptr) continue;
    for (const properties::Violation& violation : violated->violations) {
      const std::string print = runner::fingerprint(judged.value, asked.property->name, violation);
      const auto to_blame = judged_webhook(judged, *asked.property, violation, print);
      if (!to_blame) continue;
      cases::Finding finding = runner::describe({.value = judged.value, .violation = violation},
                                                *asked.property, print, run.resolve, run.limits);
      finding.webhook = *to_blame;
      found.push_back(api::finding_of(finding));
    }
  }
  return found;
}

}  // namespace fixpoint
