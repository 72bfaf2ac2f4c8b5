#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/cases/kind.h"
#include "harness/document/json.h"
#include "harness/properties/judge.h"
#include "harness/properties/untyped.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"
#include "harness/properties/webhook_caller.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;
using document::Member;
using document::Name;

/// The most defaults of one call that are asked about.
constexpr std::size_t kPlacesMax = 8;

/// A member, or the element with an index.
struct Step {
  std::string member = {};
  std::optional<std::size_t> index = {};
};
using Path = std::vector<Step>;

/// A scalar that the webhook writes where the object has nothing, or 0.
struct WrittenDefault {
  Path path;
  Value value;
  bool replaces_zero = false;
};

/// The value of the same type that means "none" or "no"; null for a value that has no such counterpart.
Value zero_of(const Value& value) {
  if (value.is_true()) return false;
  const auto number = value.real();
  return value.is_number() && number && *number != 0 ? Value(0) : Value();
}

/// Returns true if a member is gone: what is new beside it may be what it was, and no default.
bool has_moved(const Value& before, const Value& after) {
  return after.is_object() && std::ranges::any_of(before.members(), [&](const Member& member) {
           return after.find(member.key.name()) == nullptr;
         });
}

bool is_zero(const Value* value) { return value != nullptr && value->is_number() && value->real() == 0.0; }

void collect(const Value& before, const Value& after, Path& path, std::vector<WrittenDefault>& found) {
  if (has_moved(before, after)) return;
  for (const Member& member : after.members()) {
    if (found.size() >= kPlacesMax) return;
    if (path.empty() && (member.key.is("metadata") || member.key.is("status"))) continue;
    const Value* old = before.find(member.key.name());
    path.push_back({.member = std::string(member.key.text())});
    const bool replaces_zero = is_zero(old) && member.value.is_number() && !is_zero(&member.value);
    if (replaces_zero || (old == nullptr && !zero_of(member.value).is_null()))
      found.push_back({path, member.value, replaces_zero});
    else
      collect(old == nullptr ? Value() : *old, member.value, path, found);
    path.pop_back();
  }
  // Elements that the webhook adds are its own.
  for (std::size_t i = 0; after.is_array() && before.is_array() && i < before.size() && i < after.size();
       ++i) {
    path.push_back({.index = i});
    collect(before.at(i), after.at(i), path, found);
    path.pop_back();
  }
}

/// Collects the paths at which the object has 0 or false, what was sent back has nothing, and the server
/// therefore writes another value: a default.
void collect_left_out(const Value& before, const Value& sent, const Value& after, Path& path,
                      std::vector<Path>& found) {
  for (const Member& member : before.members()) {
    if (path.empty() && (member.key.is("metadata") || member.key.is("status"))) continue;
    const Value *back = sent.find(member.key.name()), *stored = after.find(member.key.name());
    path.push_back({.member = std::string(member.key.text())});
    if (back == nullptr && stored != nullptr && is_zero_or_false(member.value) && !(*stored == member.value))
      found.push_back(path);
    else if (back != nullptr && stored != nullptr)
      collect_left_out(member.value, *back, *stored, path, found);
    path.pop_back();
  }
  if (!before.is_array() || before.size() != sent.size() || before.size() != after.size()) return;
  for (std::size_t i = 0; i < before.size(); ++i) {
    path.push_back({.index = i});
    collect_left_out(before.at(i), sent.at(i), after.at(i), path, found);
    path.pop_back();
  }
}

Value with(Value object, const Path& path, const Value& value) {
  Value* owner = &object;
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    owner = path[i].index ? &owner->edit(*path[i].index) : &owner->edit(Name(path[i].member));
  owner->set(Name(path.back().member), value);
  return object;
}

Value at(const Value& object, const Path& path) {
  Value value = object;
  for (const Step& step : path)
    value = step.index ? Value(value.at(*step.index)) : Value(value[Name(step.member)]);
  return value;
}

/// Returns true if the elements on the path have the same names: none in front of them was taken out.
bool are_same_elements(const Value& before, const Value& after, const Path& path) {
  Value old = before, now = after;
  for (const Step& step : path) {
    old = step.index ? Value(old.at(*step.index)) : Value(old[Name(step.member)]);
    now = step.index ? Value(now.at(*step.index)) : Value(now[Name(step.member)]);
    if (step.index && !(old["name"] == now["name"])) return false;
  }
  return true;
}

std::string text_of(const Path& path) {
  std::string text;
  for (const Step& step : path)
    text = step.index ? element_path(text, *step.index) : member_path(text, step.member);
  return text;
}

/// Returns true if a label or an annotation asks the webhook for the switch: without them it leaves the value
/// alone, or is not called. Then it is no default: a queue holds back what names it.
bool is_asked_for(const Examination& examination, const FirstCall& call, const Path& path, Value asked) {
  const Value switched_off = at(asked, path);
  if (!switched_off.is_boolean()) return false;
  for (const char* map : {"labels", "annotations"}) asked.edit("metadata").remove(map);
  if (!is_called(examination, call.webhook, asked)) return true;
  const CallResult result = call_afresh(examination, call.webhook, asked);
  return went_well(result) && at(result.after, path) == switched_off;
}

/// Returns true if the author sent the 0, and the webhook leaves 1 and what is greater than its own value
/// alone: then it sets no bound. An absent value never came to it, since the server has a default there.
bool takes_zero_for_absent(const Examination& examination, const FirstCall& call,
                           const WrittenDefault& written) {
  const Value sent = at(examination.value.request.object, written.path);
  if (!is_zero(&sent)) return false;
  const auto own = written.value.integer();
  if (!own || *own < 1) return false;
  const auto is_kept = [&](std::int64_t number) {
    const Value asked = with(call.event.before, written.path, number);
    const CallResult result = call_afresh(examination, call.webhook, asked);
    return went_well(result) && at(result.after, written.path) == Value(number);
  };
  return is_kept(*own + 1) && (*own == 1 || is_kept(1));
}

/// Returns true if the definition says of a number that 0 is its least, or its name says that it counts
/// replicas: there 0 means something. Many other numbers are absent in Go's types when they are 0.
bool is_zero_meant(const cases::Kind& kind, const Path& path) {
  const Value* schema = &apiserver::custom::schema_of(kind);
  for (const Step& step : path) {
    const Value& below =
        step.index ? (*schema)["items"] : (*schema)["properties"][document::Name(step.member)];
    schema = !below.is_null() ? &below : &(*schema)["additionalProperties"];
  }
  return (*schema)["minimum"] == Value(0) || (!path.empty() && path.back().member.ends_with("eplicas"));
}

/// Adds a violation for each 0 or false that the webhook leaves out and the server then takes for absent.
void tell_left_out(const FirstCall& call, std::vector<Violation>& violations) {
  const Value &before = call.event.before, &after = call.event.result.after;
  Path path;
  std::vector<Path> left_out;
  collect_left_out(before, as_sent(before, call.event.result), after, path, left_out);
  for (const Path& one : left_out) {
    const std::string where = text_of(one);
    Violation violation{.webhook = call.webhook.key, .path = where, .value = at(after, one)};
    violation.shape = shape_of(where, after, Value());
    violation.reason = where + " was sent as " + document::write_json(at(before, one)) +
                       " and left out of what the webhook sends back: the server writes its default " +
                       document::write_json(violation.value);
    violations.push_back(std::move(violation));
  }
}

/// Asks whether a 0 or false stays where the webhook writes a default. Returns false if it cannot be asked.
bool ask_default(const Examination& examination, const FirstCall& call, const WrittenDefault& written,
                 std::vector<Violation>& violations, std::vector<Observation>& observations) {
  if (!are_same_elements(call.event.before, call.event.result.after, written.path)) return false;
  const cases::Case& value = examination.value;
  const cases::Kind kind = cases::kind_of(value.request, value.cluster);
  const Value zero = zero_of(written.value), asked = with(call.event.before, written.path, zero);
  // Go's types have no zero that is not absent where its encoding leaves it out.
  const auto sent = apiserver::strategy_of(kind).decode(asked, kind, apiserver::minor_of(value.cluster));
  if (!sent || !(at(*sent, written.path) == zero)) return false;
  if (!is_storable(value, asked)) return false;  // the schema has no such value there
  const CallResult result = call_afresh(examination, call.webhook, asked);
  if (!went_well(result)) return false;
  if (at(result.after, written.path) == zero) return true;
  if (written.replaces_zero && !takes_zero_for_absent(examination, call, written)) return true;
  const std::string where = text_of(written.path);
  if (is_asked_for(examination, call, written.path, asked)) {
    observations.push_back({.kind = "replaces",
                            .webhook = call.webhook.key,
                            .path = where,
                            .reason = "replaces " + where +
                                      " of the user by a value of its own where a label or an annotation "
                                      "asks for it"});
    return true;
  }
  Violation violation{.webhook = call.webhook.key, .path = where, .value = at(result.after, written.path)};
  violation.shape = shape_of(where, result.after, Value());
  if (kind.is_custom() && !zero.is_boolean() && !is_zero_meant(kind, written.path))
    violation.severity = Severity::warning;
  violation.reason = where + " was sent as " + std::string(zero.is_boolean() ? "false" : "0") +
                     " and becomes " + document::write_json(violation.value) +
                     ": an explicit value is taken for an absent one";
  violation.calls = {{"with an explicit " + where, call.webhook.key, asked, result}};
  violations.push_back(std::move(violation));
  return true;
}

Judgement explicit_kept(const Examination& examination) {
  const cases::Case& value = examination.value;
  if (cases::kind_of(value.request, value.cluster).is_pod()) return not_applicable("the object is a Pod");
  // Defaults of a webhook are seen only where it acts, so nothing is missed without a call.
  if (first_calls(examination).empty()) return not_applicable("no webhook was called");
  std::vector<Violation> violations;
  std::vector<Observation> observations;
  bool is_asked = false;
  for (const FirstCall& call : effective_calls(examination)) {
    tell_left_out(call, violations);
    Path path;
    std::vector<WrittenDefault> written;
    collect(call.event.before, as_sent(call.event.before, call.event.result), path, written);
    for (const WrittenDefault& one : written)
      is_asked = ask_default(examination, call, one, violations, observations) || is_asked;
  }
  if (!is_asked && violations.empty())
    return not_applicable("no webhook set a default that could be zero or false");
  return judged(std::move(violations), std::move(observations));
}

}  // namespace

extern constinit const Property kExplicitKept = {
    .name = "explicit-kept",
    .claim = "A 0 or false that was sent stays, where the webhook has another default for an absent value.",
    .is_cheap = false,
    .ask = explicit_kept,
    .takes_any_kind = true,
    .explanation = {.example = "`replicas: 0` becomes 1, as if nothing had been sent.",
                    .matters = "Nobody can switch the thing off: what the author asks for is never stored.",
                    .fix = "Use a pointer, or ask whether the member is there, before setting a default."},
};

}  // namespace fixpoint::properties
