#include <algorithm>

#include "harness/apiserver/custom/durations.h"
#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/types/quantity.h"
#include "harness/cases/kind.h"
#include "harness/document/cut.h"
#include "harness/document/json.h"
#include "harness/document/split.h"
#include "harness/properties/judge.h"
#include "harness/properties/losses.h"
#include "harness/properties/ownership.h"
#include "harness/properties/property.h"
#include "harness/properties/untyped.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

/// Returns true if two values are the same quantity or the same duration in other words.
bool is_same_in_other_words(const Value& sent, const Value& stored) {
  const std::string_view before = sent.text(), after = stored.text();
  const auto quantity = apiserver::Quantity::parse(before), other = apiserver::Quantity::parse(after);
  if (quantity && other) return *quantity == *other;
  const auto duration = apiserver::custom::read_duration_format(before);
  return duration && duration == apiserver::custom::read_duration_format(after);
}

/// Returns the schema of what lies at a path like "spec.rules[0].mode"; null where it says nothing.
Value schema_at(Value schema, std::string_view path) {
  for (const std::string_view step : document::split(path, ".")) {
    const std::string_view name = step.substr(0, step.find('['));
    const Value* member = schema["properties"].find(document::Name(name));
    schema = member != nullptr ? Value(*member) : Value(schema["additionalProperties"]);
    if (name.size() < step.size()) schema = Value(schema["items"]);
  }
  return schema;
}

/// Returns true if both are values of one enumeration: an old word gives way to the one of today.
bool are_words_of(const Value& schema, const Value& sent, const Value& stored) {
  const auto words = schema["enum"].elements();
  return std::ranges::find(words, sent) != words.end() && std::ranges::find(words, stored) != words.end();
}

/// A value of the spec that the webhook rewrites: what it replaces by one of its own, alone or with all
/// around it, or removes, is reported by preserves-others.
bool is_rewritten(OwnershipQuestion& question, const Loss& loss, const Value& sent) {
  if (loss.is_gone || !is_scalar(sent) || is_without_contents(sent) || !loss.path.starts_with("spec."))
    return false;
  if (question.of(loss) == Ownership::own) return false;
  for (std::size_t count = 2; count < loss.place.size(); ++count) {
    const Place around = loss.place.first(count);
    if (!around.is_element() && question.is_written_whole(around)) return false;
  }
  return true;
}

/// The elements of a manifest's lists that the webhook gives members of its own. Tools compare a list as a
/// whole, unless its schema makes it a map: the element is never equal to the one in git.
class FilledElements {
 public:
  FilledElements(const FirstCall& call, std::vector<Observation>& observations)
      : call_(call), observations_(observations) {}

  void find(const std::string& path, const Value& schema, const Value& before, const Value& after) {
    document::heed_end_in_loop();
    if (before.is_array() && after.is_array()) {
      const bool is_map = schema["x-kubernetes-list-type"].text() == "map";
      for (std::size_t i = 0; !is_map && i < std::min(before.size(), after.size()); ++i)
        look_at(path + "[*]", before.at(i), after.at(i));
      return;
    }
    for (const auto& [key, value] : before.members())
      find(path + "." + std::string(key.text()), schema["properties"][key.text()], value, after[key.text()]);
  }

 private:
  void look_at(const std::string& path, const Value& sent, const Value& stored) {
    for (const auto& [key, value] : stored.members()) {
      if (sent.is_object() && sent.find(key.name()) == nullptr && has_the_rest(sent, stored))
        observe(path, std::string(key.text()), document::write_json(value));
    }
  }
  /// Returns true if nothing else of the element has changed: it is the same one.
  static bool has_the_rest(const Value& sent, const Value& stored) {
    const auto members = sent.members();
    return !members.empty() && std::all_of(members.begin(), members.end(), [&](const document::Member& one) {
      return stored[one.key.name()] == one.value;
    });
  }
  void observe(const std::string& path, const std::string& member, const std::string& value) {
    observations_.push_back({.kind = "filled-element",
                             .webhook = call_.webhook.key,
                             .path = path,
                             .reason = std::string("writes ").append(member).append(" ").append(value).append(
                                 " into the elements of " + path.substr(0, path.size() - 3) +
                                 ", a list that is compared as a whole with the manifest")});
  }

  const FirstCall& call_;
  std::vector<Observation>& observations_;
};

/// Returns true for a 0 or false that becomes what an absent value becomes: explicit-kept speaks of those.
bool is_taken_for_absent(const Examination& examination, const FirstCall& call, const Loss& loss,
                         const Value& sent, const Value& now) {
  if (!is_zero_or_false(sent)) return false;
  const Value without = without_path(call.event.before, loss.path);
  if (!is_called(examination, call.webhook, without)) return false;
  const auto result = call_afresh(examination, call.webhook, without);
  return went_well(result) && loss.place.in(result.after) == now;
}

Judgement applied_equals_stored(const Examination& examination) {
  const cases::Case& value = examination.value;
  if (!cases::kind_of(value.request, value.cluster).is_custom())
    return not_applicable("the object is no custom resource");
  const auto calls = first_calls(examination);
  if (calls.empty()) return not_applicable("no webhook was called");
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  for (const FirstCall& call : calls) {
    if (!call.event.result.applied) continue;
    const Value& schema = apiserver::custom::schema_of(cases::kind_of(value.request, value.cluster));
    FilledElements(call, observations)
        .find("spec", schema["properties"]["spec"], call.event.before["spec"],
              call.event.result.after["spec"]);
    OwnershipQuestion question(examination, call);
    for (const Loss& loss : losses_between(call.event.before, call.event.result.after)) {
      const Value sent = loss.place.in(call.event.before), now = loss.place.in(call.event.result.after);
      if (!is_rewritten(question, loss, sent) || is_taken_for_absent(examination, call, loss, sent, now))
        continue;
      const std::string shape = shape_of(loss.path, call.event.before, call.event.result);
      if (is_same_in_other_words(sent, now) || are_words_of(schema_at(schema, loss.path), sent, now)) {
        observations.push_back({.kind = "in-other-words",
                                .webhook = call.webhook.key,
                                .path = shape,
                                .reason = "writes " + shape + " in other words than the manifest"});
        continue;
      }
      Violation violation{.severity = Severity::warning, .webhook = call.webhook.key, .path = loss.path};
      violation.value = sent;
      violation.shape = shape;
      violation.reason = loss.path + " is stored otherwise than it was sent";
      violations.push_back(std::move(violation));
    }
  }
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kAppliedEqualsStored = {
    .name = "applied-equals-stored",
    .claim = "Each value of a manifest's spec is stored as it was written.",
    .is_cheap = false,
    .ask = applied_equals_stored,
    .takes_any_kind = true,
    .explanation = {.example = "The host `Example.org` is stored in small letters.",
                    .matters = "Tools that compare git with the cluster show a difference for ever.",
                    .fix = "Normalise where the value is used, not where it is stored."},
};

}  // namespace fixpoint::properties
