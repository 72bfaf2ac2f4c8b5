#include "harness/runner/sequences.h"

#include <algorithm>
#include <array>

#include "harness/document/cut.h"
#include "harness/runner/fingerprint.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::runner {

namespace {

using document::Value;
using properties::Violation;
using reconcile::Objects;
using reconcile::StepResult;

/// The parts of an object that are reported one by one.
constexpr std::array<const char*, 3> kMetadata{"finalizers", "labels", "ownerReferences"};

void compare_members(const Value& before, const Value& after, const char* what,
                     std::vector<std::string>& effect) {
  for (const auto& [key, value] : after.members()) {
    const Value* old = before.find(key.name());
    if (old != nullptr && *old == value) continue;
    effect.push_back(std::string(old == nullptr ? "+ " : "~ ") + what + std::string(key.text()));
  }
  for (const auto& [key, value] : before.members()) {
    if (after.find(key.name()) == nullptr) effect.push_back("- " + (what + std::string(key.text())));
  }
}

void compare(const Value& before, const Value& after, std::vector<std::string>& effect) {
  if (before == after) return;
  const Value &old = before["metadata"], &now = after["metadata"];
  for (const char* member : kMetadata) {
    if (!(old[member] == now[member])) {
      const char* sign = old[member].empty() ? "+ " : now[member].empty() ? "- " : "~ ";
      effect.push_back(sign + std::string(member));
    }
  }
  compare_members(old["annotations"], now["annotations"], "annotation ", effect);
  compare_members(before["spec"], after["spec"], "spec.", effect);
  if (old["deletionTimestamp"].is_null() && !now["deletionTimestamp"].is_null())
    effect.push_back("waits for its finalizers");
}

const Value* same_object(const Objects& among, const Value& object) {
  const Value& metadata = object["metadata"];
  return among.find(object["kind"].text(), metadata["namespace"].text(), metadata["name"].text());
}

std::vector<std::string> changes(const StepResult& result) {
  std::vector<std::string> effect;
  for (const Value& object : result.before.all) {
    if (same_object(result.after, object) == nullptr)
      effect.push_back("- " + properties::sequences::title(object));
  }
  for (const Value& object : result.after.all) {
    const Value* before = same_object(result.before, object);
    if (before == nullptr)
      effect.push_back("+ " + properties::sequences::title(object));
    else
      compare(*before, object, effect);
  }
  const auto& reconciled = result.reconciled;
  if (effect.empty() && properties::sequences::writes(result)) {
    const reconcile::Request& last = reconciled.requests.back();
    const std::string kind(last.object["kind"].text());
    effect.push_back(reconciled.error.empty() ? "writes the same " + kind + " again"
                                              : "cannot " + std::string(word(last.verb)) + " " + kind);
  }
  if (!reconciled.error.empty()) effect.push_back("! " + reconciled.error);
  if (reconciled.crashed) effect.push_back("! it crashes");
  return effect;
}

}  // namespace

document::Result<PreparedSequence> prepare(cases::Sequence value,
                                           const reconcile::ResolveReconciler& resolve) {
  if (!resolve) return document::Error{"no reconcilers are known here"};
  auto reconciler = resolve(value.subject);
  if (!reconciler) return std::move(reconciler).error();
  auto results = reconcile::run_sequence(value, *reconciler);
  return PreparedSequence{std::move(value), *std::move(reconciler), std::move(results)};
}

properties::Judgement ask(const PreparedSequence& prepared, const properties::sequences::Property& property,
                          const Limits& limits) {
  return property.ask({prepared.value, prepared.reconciler, prepared.results, limits});
}

std::string fingerprint(const cases::Sequence& value, std::string_view property, const Violation& violation) {
  return fingerprint_of({property, without_release(value.subject), "", violation.verdict, violation.shape});
}

std::optional<Violation> shows(const PreparedSequence& prepared,
                               const properties::sequences::Property& property, std::string_view wanted,
                               const Limits& limits) {
  const auto judgement = ask(prepared, property, limits);
  const auto* violated = std::get_if<properties::Violated>(&judgement);
  if (violated == nullptr) return std::nullopt;
  for (const Violation& violation : violated->violations) {
    if (fingerprint(prepared.value, property.name, violation) == wanted) return violation;
  }
  return std::nullopt;
}

std::optional<ShrunkSequence> shrink(const cases::Sequence& value,
                                     const properties::sequences::Property& property, std::string_view wanted,
                                     const reconcile::ResolveReconciler& resolve,
                                     const ReduceSequence& reduce, const Limits& limits) {
  auto prepared = prepare(value, resolve);
  if (!prepared) return std::nullopt;
  auto violation = shows(*prepared, property, wanted, limits);
  if (!violation) return std::nullopt;
  ShrunkSequence best{.prepared = *std::move(prepared), .violation = *std::move(violation)};
  const auto pass = [&] {
    bool progress = false;
    reduce(best.prepared.value, [&](const cases::Sequence& candidate) {
      if (best.tries >= limits.shrink_tries_max) return false;
      document::heed_end();
      ++best.tries;
      auto tried = prepare(candidate, resolve);
      if (!tried) return false;
      auto still = shows(*tried, property, wanted, limits);
      if (!still) return false;
      best.prepared = *std::move(tried);
      best.violation = *std::move(still);
      ++best.steps;
      return progress = true;
    });
    return progress;
  };
  try {
    while (reduce && best.tries < limits.shrink_tries_max && pass()) {
    }
  } catch (const document::Cut&) {
    best.is_unfinished = true;
  }
  return best;
}

std::vector<cases::TraceStep> trace_of(const cases::Sequence& value,
                                       const std::vector<reconcile::StepResult>& results) {
  std::vector<cases::TraceStep> trace;
  for (std::size_t i = 0; i < results.size(); ++i) {
    trace.push_back({.pass = static_cast<int>(i) + 1,
                     .webhook = cases::words(value.steps[i]),
                     .effect = changes(results[i])});
  }
  return trace;
}

}  // namespace fixpoint::runner
