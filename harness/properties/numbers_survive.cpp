#include <algorithm>
#include <array>

#include "harness/apiserver/decoding/objects.h"
#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

/// 2^53 + 1, which no double holds.
constexpr std::string_view kLarge = "9007199254740993";
constexpr std::string_view kSmall = "7";
constexpr std::string_view kQuantity = "9007199254740993";

/// Returns the Pod with that number in the field that takes any of 64 bits, and as a quantity beside it.
Value with_number(const Value& pod, std::string_view digits) {
  Value marked = pod;
  Value& spec = marked.edit("spec");
  spec.set("terminationGracePeriodSeconds", Value::number(digits));
  for (std::size_t i = 0; i < pod["spec"]["containers"].size(); ++i) {
    Value& container = spec.edit("containers").edit(i);
    container.edit("resources").edit("limits").set("example.com/fixpoint", kQuantity);
    container.edit("resources").edit("requests").set("example.com/fixpoint", kQuantity);
  }
  return marked;
}

bool is_marked(const PathValue& path_value) {
  return path_value.path == "spec.terminationGracePeriodSeconds" ||
         path_value.path.ends_with("[example.com/fixpoint]");
}

/// Returns true if the webhook sets the field itself, whatever its value was.
bool sets_itself(const Examination& examination, const FirstCall& call, const std::string& path) {
  const Value small = with_number(call.event.before, kSmall);
  const auto call_result = call_afresh(examination, call.webhook, small);
  if (!went_well(call_result)) return true;
  const auto two = differing(small, call_result.after);
  return find(two.before, path) != nullptr || find(two.after, path) != nullptr;
}

/// Returns the text that a language prints for a missing value, a sign of a conversion that failed unnoticed;
/// empty if there is none.
std::string_view unset_value_in(std::string_view text) {
  constexpr auto kWords =
      std::to_array<std::string_view>({"NaN", "undefined", "<nil>", "[object Object]", "%!"});
  for (const std::string_view word : kWords)
    if (text.find(word) != std::string_view::npos) return word;
  return {};
}

void observe_unset_values(const FirstCall& call, std::vector<Observation>& observations) {
  for (const PathValue& path_value : added(call.event.before, call.event.result.after)) {
    const std::string_view word = path_value.value.is_string() ? unset_value_in(path_value.value.text()) : "";
    if (word.empty()) continue;
    const auto sent = path_values_of(call.event.before);
    const bool is_users = std::any_of(sent.begin(), sent.end(), [&](const PathValue& one) {
      return one.value.is_string() && one.value.text().find(word) != std::string_view::npos;
    });
    if (is_users) continue;
    const std::string path = locate(call.event.result.after, path_value.path);
    observations.push_back({.kind = "unset-value",
                            .webhook = call.webhook.key,
                            .path = shape_of(path, call.event.result.after, Value()),
                            .reason = "writes " + path_value.text() + " to " + path +
                                      ": a value that it has not was made a text"});
    return;
  }
}

Judgement numbers_survive(const Examination& examination) {
  if (first_calls(examination).empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  for (const FirstCall& call : effective_calls(examination)) {
    observe_unset_values(call, observations);
    const Value large = with_number(call.event.before, kLarge);
    const auto call_result = call_afresh(examination, call.webhook, large);
    if (!went_well(call_result)) continue;
    const auto [sent, result] = differing(large, call_result.after);
    for (const PathValue& path_value : sent) {
      const PathValue* there = find(result, path_value.path);
      if (!is_marked(path_value) || (there != nullptr && *there == path_value)) continue;
      if (sets_itself(examination, call, path_value.path)) continue;
      Violation violation = violation_at(call.webhook, path_value.path, call_result.after, call_result);
      violation.reason = violation.path + " was " + path_value.text() + " and is not any more";
      // No author of a Pod writes such a number; in a custom resource it may be an id.
      if (apiserver::is_pod(large)) violation.severity = Severity::warning;
      violation.calls = {{"with numbers beyond 2^53", call.webhook.key, large, call_result}};
      violations.push_back(std::move(violation));
      break;
    }
  }
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kNumbersSurvive = {
    .name = "numbers-survive",
    .claim = "Integers beyond 2^53 and quantities come through unchanged.",
    .is_cheap = false,
    .ask = numbers_survive,
    .symptom = "numbers",
    .explanation = {.example = "9007199254740993 comes back as 9007199254740992.",
                    .matters = "Deadlines, user ids and quantities change silently.",
                    .fix = "Decode numbers as text or integers, never as doubles."},
};

}  // namespace fixpoint::properties
