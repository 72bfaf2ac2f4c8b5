#include <algorithm>
#include <string>
#include <vector>

#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/cases/kind.h"
#include "harness/cases/minors.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

/// Returns the path of the first member that the webhook wrote and pruning removes; empty if there is none.
std::string dropped_path(const Value& before, const Value& sent, const Value& kept, const std::string& path) {
  if (sent.same(before) || sent == kept) return "";
  for (const document::Member& member : sent.members()) {
    const std::string here = member_path(path, member.key.text());
    const Value* left = kept.find(member.key.name());
    if (left == nullptr) {
      if (before[member.key.name()] == member.value) continue;  // a webhook in front of this one wrote it
      return here;
    }
    if (auto found = dropped_path(before[member.key.name()], member.value, *left, here); !found.empty())
      return found;
  }
  for (std::size_t i = 0; sent.is_array() && i < sent.size() && i < kept.size(); ++i) {
    const Value old = before.is_array() && i < before.size() ? before.at(i) : Value();
    if (auto found = dropped_path(old, sent.at(i), kept.at(i), element_path(path, i)); !found.empty())
      return found;
  }
  return "";
}

Violation unknown_member(const FirstCall& call, const Value& sent, const std::string& path) {
  Violation violation{.webhook = call.webhook.key, .path = path, .value = at_path(sent, path)};
  violation.shape = shape_of(path, sent, call.event.result);
  return violation;
}

/// Returns the paths of the members of an object that this release of Kubernetes does not know.
std::vector<std::string> unknown_paths(const cases::Kind& kind, const Value& object, int minor) {
  constexpr std::string_view kUnknown = "unknown field \"";
  std::vector<std::string> paths;
  for (const std::string& problem : apiserver::strategy_of(kind).strict_problems(object, minor))
    if (problem.starts_with(kUnknown))
      paths.push_back(problem.substr(kUnknown.size(), problem.size() - kUnknown.size() - 1));
  return paths;
}

/// Asks whether Kubernetes knows what is written into an object of a kind of its own, a Pod among them.
Judgement nothing_unknown_to_kubernetes(const Examination& examination, const cases::Kind& kind) {
  const cases::Case& value = examination.value;
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_applicable("no webhook was called");
  std::vector<Violation> violations;
  for (const FirstCall& call : calls) {
    if (!call.event.result.answer.patch || !call.event.result.applied) continue;
    const Value sent = as_sent(call.event.before, call.event.result);
    const std::vector<std::string> of_cluster = unknown_paths(kind, sent, cases::minor_of(value.cluster));
    for (const std::string& path : unknown_paths(kind, sent, cases::kNewestMinor)) {
      if (std::ranges::find(of_cluster, path) == of_cluster.end()) continue;  // removed since
      Violation violation = unknown_member(call, sent, path);
      violation.severity = Severity::warning;
      apiserver::CallResult as_patched = call.event.result;
      as_patched.after = sent;
      violation.calls = {{"the patch, before the server drops anything", call.webhook.key, call.event.before,
                          std::move(as_patched)}};
      violation.reason = path + " is no field of a " + std::string(kind.name) +
                         " in any release of Kubernetes: the server drops it without a word";
      violations.push_back(std::move(violation));
    }
  }
  return judged(std::move(violations));
}

Judgement nothing_unknown(const Examination& examination) {
  const cases::Case& value = examination.value;
  const cases::Kind kind = cases::kind_of(value.request, value.cluster);
  if (!kind.is_custom()) return nothing_unknown_to_kubernetes(examination, kind);
  const Value& schema = apiserver::custom::schema_of(kind);
  if (apiserver::custom::is_free(kind)) return not_applicable("the definition takes any member");
  if (first_calls(examination).empty()) return not_applicable("no webhook was called");
  std::vector<Violation> violations;
  for (const FirstCall& call : effective_calls(examination)) {
    const Value sent = as_sent(call.event.before, call.event.result);
    const std::string path =
        dropped_path(call.event.before, sent, apiserver::custom::pruned(sent, schema), "");
    if (path.empty()) continue;
    Violation violation = unknown_member(call, sent, path);
    violation.reason = path + " is in no definition of " + std::string(kind.name) + " " +
                       std::string(kind.version) + ": the server drops it without a word";
    violations.push_back(std::move(violation));
  }
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kNothingUnknown = {
    .name = "nothing-unknown",
    .claim = "A patch writes only members that the object's version has by its definition, or by Kubernetes.",
    .is_cheap = false,
    .ask = nothing_unknown,
    .takes_any_kind = true,
    .explanation =
        {.example = "The webhook of the next release writes a member that the installed definition "
                    "does not have yet. Another writes spec.template into a CronJob, which has none there.",
         .matters = "What the webhook does is not stored, and nobody hears of it.",
         .fix = "Install the definition with the webhook, or write what its version knows."},
};

}  // namespace fixpoint::properties
