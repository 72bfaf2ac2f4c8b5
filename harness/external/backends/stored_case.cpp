#include "harness/external/backends/stored_case.h"

#include <algorithm>
#include <optional>

#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/custom/definition_checks.h"
#include "harness/apiserver/registrations/validate_configuration.h"
#include "harness/apiserver/registrations/validate_policy.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/document_stream.h"
#include "harness/external/backends/not_simulated.h"

namespace fixpoint::external {

using document::Error;
using document::Result;
using document::Value;

namespace {

/// The reason why an object of the cluster is refused: no API server stores it, or it would act on the Pod in
/// a way that is not simulated.
std::optional<Error> refusal_of(const Value& object, const cases::Case& value) {
  if (cases::is_validating_configuration(object)) {
    const auto names = cases::webhooks_of(object);
    const bool is_called = !names.empty() && std::all_of(names.begin(), names.end(), [&](const auto& name) {
      return value.webhooks.contains(name);
    });
    if (is_called) return apiserver::refusal_of_configuration(object, apiserver::minor_of(value.cluster));
  }
  if (object["kind"].text() == "CustomResourceDefinition" &&
      object["apiVersion"].text() == "apiextensions.k8s.io/v1")
    return apiserver::custom::refusal_of_definition(object, apiserver::minor_of(value.cluster));
  if (auto what = not_simulated(object)) return Error{"not simulated: " + *what};
  if (cases::is_of_policies(object))
    return apiserver::refusal_of_policy(object, apiserver::minor_of(value.cluster));
  if (!cases::is_webhook_configuration(object)) return std::nullopt;
  return apiserver::refusal_of_configuration(object, apiserver::minor_of(value.cluster));
}

std::optional<Error> refusal_of(const cases::Case& value) {
  const cases::Cluster& cluster = value.cluster;
  for (std::size_t i = 0; i < cluster.objects.size(); ++i) {
    if (auto refused = refusal_of(cluster.objects[i], value))
      return std::move(*refused).within("/cluster/objects/" + std::to_string(i));
  }
  return std::nullopt;
}

}  // namespace

Result<StoredCase> read_stored_case(Value document, const std::string& place,
                                    const ExternalWebhooks& outside) {
  StoredCase stored{.place = place, .value = {}};
  if (cases::is_sequence(document)) {
    auto sequence = cases::read_sequence(document, outside.bundled().sequence_reader());
    if (!sequence) return std::move(sequence).error();
    stored.sequence = *std::move(sequence);
    return stored;
  }
  if (document["kind"].text() != "Finding") {
    auto value = cases::read_case(document, outside.bundled().known_injectors());
    if (value) value = outside.admit(*std::move(value));
    if (!value) return std::move(value).error();
    if (auto refused = refusal_of(*value)) return *std::move(refused);
    stored.value = *std::move(value);
    return stored;
  }
  document.remove("expect");  // of regressions (docs/judging.md#regressions); only the corpus reads it
  auto finding =
      cases::read_finding(document, outside.bundled().known_injectors(), outside.bundled().sequence_reader());
  if (!finding) return std::move(finding).error();
  finding = outside.admit(*std::move(finding));
  if (!finding) return std::move(finding).error();
  stored.value = finding->value;
  stored.sequence = finding->sequence;
  stored.finding = *std::move(finding);
  return stored;
}

namespace {

/// Returns an error for a Pod, or for a workload with a Pod template, in the place of a Case.
std::optional<Error> problem_of_pod(const document::Value& document) {
  const std::string_view kind = document["kind"].text();
  const document::Value& spec = document["spec"];
  const bool has_template = spec["template"]["spec"]["containers"].is_array() ||
                            spec["jobTemplate"]["spec"]["template"]["spec"]["containers"].is_array();
  if (kind == "Pod")
    return Error{"expected a Case, a Sequence or a Finding, found a Pod: try fixpoint inject SUBJECT POD"};
  if (!has_template) return std::nullopt;
  return Error{"expected a Case, a Sequence or a Finding, found a " + std::string(kind) +
               ": try fixpoint inject SUBJECT FILE, which takes its Pod template"};
}

}  // namespace

std::vector<ReadCase> read_cases_apart(const std::string& path, const ExternalWebhooks& outside) {
  auto documents = document::read_documents(path, document::Strictness::foreign, outside.limits());
  if (!documents) return {{path, std::move(documents).error()}};
  if (documents->empty())
    return {{path, Error{"expected a Case, a Sequence or a Finding, found nothing", path}}};
  std::vector<ReadCase> all;
  for (std::size_t i = 0; i < documents->size(); ++i) {
    const std::string place = path + ": document " + std::to_string(i + 1);
    const auto failed = [&](Error error) { all.push_back({place, std::move(error).within(place)}); };
    if (auto problem = problem_of_pod((*documents)[i])) {
      failed(*std::move(problem));
      continue;
    }
    auto stored = read_stored_case((*documents)[i], place, outside);
    if (!stored)
      failed(std::move(stored).error());
    else
      all.push_back({place, *std::move(stored)});
  }
  return all;
}

Result<std::vector<StoredCase>> read_cases(const std::vector<std::string>& paths,
                                           const ExternalWebhooks& outside) {
  std::vector<StoredCase> all;
  for (const std::string& path : paths) {
    for (ReadCase& one : read_cases_apart(path, outside)) {
      if (!one.stored) return std::move(one.stored).error();
      all.push_back(*std::move(one.stored));
    }
  }
  if (const auto unmet = outside.unmet(); !unmet.empty())
    return Error{"no Case here has this webhook", "--webhook " + unmet.front()};
  return all;
}

runner::ReplayWith replay_with(const ExternalWebhooks& outside) {
  runner::ReplayWith with = replay_with(outside.bundled());
  with.resolve = outside.resolve();
  with.limits = outside.limits();
  return with;
}

runner::ReplayWith replay_with(const Bundled& bundled) {
  return {.resolve = bundled.resolve,
          .resolve_reconciler = bundled.resolve_reconciler,
          .catalog = bundled.catalog};
}

std::vector<runner::Answer> answers_of(const StoredCase& stored, std::string_view property,
                                       const runner::ReplayWith& with) {
  if (stored.finding && property.empty()) return {runner::answer_of(*stored.finding, with)};
  if (stored.sequence) return runner::answers_of(*stored.sequence, property, with);
  return runner::answers_of(stored.value, property, with);
}

}  // namespace fixpoint::external
