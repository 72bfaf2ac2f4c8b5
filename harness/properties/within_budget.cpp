#include <algorithm>

#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "harness/properties/budget.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

/// The allowed size of a patch: a multiple of the smallest one with the same effect, plus some bytes.
constexpr std::size_t kPatchTimesMax = 4, kPatchBytesMore = 2048;

std::string tenths(double seconds) {
  const auto all = static_cast<long>(seconds * 10 + 0.5);
  return std::to_string(all / 10) + "." + std::to_string(all % 10);
}

std::optional<Violation> ask_time(const FirstCall& call) {
  const double budget = seconds_budget(call.webhook.timeout_seconds);
  if (call.event.result.answer.seconds <= budget) return {};
  Violation violation{.severity = Severity::warning, .webhook = call.webhook.key, .path = "seconds"};
  violation.value = tenths(call.event.result.answer.seconds);
  violation.shape = "seconds";
  violation.reason = "the call takes " + tenths(call.event.result.answer.seconds) + " s of the " +
                     tenths(budget) + " s that it may";
  return violation;
}

std::optional<Violation> ask_size(const FirstCall& call) {
  if (!call.event.result.applied) return {};
  const std::size_t bytes = document::write_json(*call.event.result.answer.patch).size();
  if (bytes <= kPatchBytesMore) return {};
  const auto least = document::write_json(document::diff(call.event.before, call.event.result.after)).size();
  if (bytes <= kPatchTimesMax * least + kPatchBytesMore) return {};
  Violation violation{.severity = Severity::warning, .webhook = call.webhook.key, .path = "patch"};
  violation.shape = "patch-size";
  violation.reason =
      "the patch has " + std::to_string(bytes) + " bytes for a change of " + std::to_string(least);
  return violation;
}

Judgement within_budget(const Examination& examination) {
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  for (const FirstCall& call : calls) {
    if (auto violation = ask_time(call)) violations.push_back(*std::move(violation));
    if (auto violation = ask_size(call)) violations.push_back(*std::move(violation));
  }
  return judged(std::move(violations));
}

}  // namespace

extern constinit const Property kWithinBudget = {
    .name = "within-budget",
    .claim = "A call takes a second at most, and its patch is as small as its change.",
    .is_cheap = false,
    .ask = within_budget,
    .takes_any_kind = true,
    .explanation =
        {.example = "A call asks another service about each container, one after the other.",
         .matters = "Creation of every Pod waits; at the timeout it fails or goes on without the injection.",
         .fix = "Answer from a cache; send a patch of what changed."},
};

}  // namespace fixpoint::properties
