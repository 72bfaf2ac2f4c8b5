#include "harness/api/cases.h"

#include <algorithm>
#include <stdexcept>

#include "harness/api/internal/judged_case.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/cases/kind.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/document_stream.h"
#include "harness/document/json.h"

namespace fixpoint {

namespace {

using document::Value;

Case case_of(cases::Case value) { return Case(std::make_shared<const cases::Case>(std::move(value))); }

/// Returns true if the object is of a kind that policies of the cluster have as parameters.
bool is_parameter(const Value& object, const cases::Cluster& cluster) {
  return std::any_of(cluster.objects.begin(), cluster.objects.end(), [&](const Value& policy) {
    return cases::is_policy(policy) && !object["kind"].is_null() &&
           policy["spec"]["paramKind"]["kind"] == object["kind"];
  });
}

/// Draws from decisions, of which a Case may take any number.
Case draw_from(runner::Choices& choices, const runner::RunOptions& run) {
  return case_of(std::get<cases::Case>(run.drawing.draw(choices, run.drawing.steering)));
}

/// Keeps the definition of the kind of the request's object, without which it has none.
void keep_definition(cases::Case& value, const cases::Case& whole) {
  const auto kind = cases::find_kind(whole.request, whole.cluster);
  if (kind && kind->is_custom()) value.cluster.objects.push_back(*kind->definition);
}

bool has_part(const Case& value, Part part) {
  return part != Part::policies || !cases::bound_policies(value.value().cluster).empty();
}

api::JudgedCase valid_run(const Case& value, const Webhook& webhook, const apiserver::AdmitOptions& options) {
  auto judged = api::run_case(value.value(), webhook, options);
  if (!judged) throw std::invalid_argument("Case: " + judged.error().text());
  return *std::move(judged);
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
std::string Case::object() const { return document::write_json(value_->request.object); }
std::string Case::old_object() const { return document::write_json(value_->request.old_object); }

std::string Case::part(Part part) const {
  if (part == Part::object) return object();
  const Value written = cases::write_case(*only(part).value_);
  if (part == Part::request) return document::write_json(written["request"]);
  return document::write_json(part == Part::cluster ? written["cluster"] : written);
}

std::vector<std::string> Case::webhooks() const { return cases::configured_webhooks(value_->cluster); }

Case Case::with_object(const std::string& object) const {
  auto read = document::read_json(object);
  if (!read) throw std::invalid_argument("object: " + read.error().text());
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
    case Part::object:
      value.request.object = value_->request.object;
      if (const auto space = value.request.object["metadata"]["namespace"].text(); !space.empty())
        value.request.namespace_name = space;
      keep_definition(value, *value_);
      break;
    case Part::request:
      value.request = value_->request;
      keep_definition(value, *value_);
      break;
    case Part::chain:
      value.webhooks = value_->webhooks;
      value.faults = value_->faults;
      value.neighbours = value_->neighbours;
      take_objects(cases::is_of_webhooks);
      break;
    case Part::cluster:
      value.cluster = value_->cluster;
      value.cluster.policy_order.clear();
      std::erase_if(value.cluster.objects, [](const Value& object) {
        return cases::is_of_webhooks(object) || cases::is_of_policies(object);
      });
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
        return cases::is_of_policies(object) || is_parameter(object, value_->cluster);
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
  std::vector<Case> candidates;
  api::reduction_of(webhook.hidden().run())(value.value(), [&](const cases::Case& candidate) {
    candidates.push_back(case_of(candidate));
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
  const runner::Reduce reduce = api::reduction_of(webhook.hidden().run());
  Case best = value;
  std::uint64_t tries = 0;
  for (bool progress = true; progress && tries < tries_max;) {
    progress = false;
    reduce(best.value(), [&](const cases::Case& candidate) {
      if (tries >= tries_max) return false;
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
  const api::JudgedCase judged = valid_run(value, webhook, {});
  const apiserver::Admission& admission = judged.prepared.admission;
  Admitted admitted{.allowed = admission.allowed,
                    .object = document::write_json(admission.object),
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
  const api::JudgedCase judged = valid_run(value, webhook, runner::kWithoutWarnings);
  std::vector<CheckFinding> found;
  for (const api::OwnViolation& violation : api::own_violations(judged))
    found.push_back(api::finding_of(api::describe(judged, violation)));
  return found;
}

}  // namespace fixpoint
