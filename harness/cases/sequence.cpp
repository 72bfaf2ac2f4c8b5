#include "harness/cases/sequence.h"

#include <array>

#include "harness/document/fields.h"
#include "harness/document/json.h"

namespace fixpoint::cases {

namespace {

using document::Fields;
using document::Member;

constexpr std::string_view kAbsent = "absent";
constexpr std::string_view kRecorded = "kserve-hpa";
constexpr std::array<std::string_view, 3> kVerbs{"create", "update", "delete"};

void check_strings(Fields& desired, const char* name, std::optional<Error>& problem) {
  desired.map(name, [&](const std::string&, const Value& value, const std::string& pointer) {
    if (!value.is_string()) problem = Error{"expected a string", pointer};
  });
}

void read_desired(Fields& desired, std::optional<Error>& problem) {
  std::string text;
  desired.optional("name", text);
  desired.optional("namespace", text);
  check_strings(desired, "labels", problem);
  check_strings(desired, "annotations", problem);
  const Value& spec = desired.get("spec");
  if (!spec.is_null() && !spec.is_object()) desired.fail("spec", "expected an object or null");
  desired.finish();
}

Reconcile read_reconcile(Fields& fields, const char* member, std::optional<Error>& problem) {
  Reconcile reconcile;
  fields.object(member, [&](Fields& desired) { read_desired(desired, problem); });
  fields.optional(member, reconcile.desired);
  fields.optional("serverDefaults", reconcile.server_defaults);
  return reconcile;
}

Step read_user(Fields& fields) {
  std::string verb;
  fields.choice("user", verb, {kVerbs.begin(), kVerbs.end()});
  for (std::size_t i = 0; i < kVerbs.size(); ++i) {
    if (verb == kVerbs[i]) return UserDoes{static_cast<UserDoes::Verb>(i)};
  }
  return UserDoes{};
}

Step read_step(const Value& source, const std::string& pointer, std::optional<Error>& problem) {
  Fields fields(source, pointer, problem);
  int kinds = 0;
  for (const char* kind : {"set", "user", "stop", "reconcile"}) kinds += fields.has(kind) ? 1 : 0;
  Step step;
  if (fields.has("set")) {
    std::string name;
    fields.optional("set", name);
    step = SetClass{name == kAbsent ? std::nullopt : std::optional(name)};
  }
  if (fields.has("user")) step = read_user(fields);
  if (fields.has("stop")) {
    SetStop stop;
    fields.optional("stop", stop.stop);
    step = stop;
  }
  if (fields.has("reconcile")) step = read_reconcile(fields, "reconcile", problem);
  fields.finish();
  if (kinds != 1) fields.fail_here("expected exactly one of set, user, stop, reconcile");
  return step;
}

/// A recorded step: what was expected of it is not looked at.
Step read_recorded_step(const Value& source, const std::string& pointer, std::optional<Error>& problem) {
  Fields fields(source, pointer, problem);
  if (!fields.has("desired")) fields.fail("desired", "expected an object, found nothing");
  Reconcile reconcile{.desired = {}, .server_defaults = false};
  fields.object("desired", [&](Fields& desired) { read_desired(desired, problem); });
  fields.optional("desired", reconcile.desired);
  fields.optional("serverDefaults", reconcile.server_defaults);
  fields.get("expect");
  fields.finish();
  return reconcile;
}

void check_initial(Fields& fields, const Value& initial) {
  if (initial.is_null()) return;
  if (!initial.is_object()) return fields.fail("initial", "expected a HorizontalPodAutoscaler or null");
  const Value& kind = initial["kind"];
  if (!kind.is_null() && kind.text() != "HorizontalPodAutoscaler")
    fields.fail("initial",
                "expected a HorizontalPodAutoscaler, found kind \"" + std::string(kind.text()) + "\"");
  if (!initial["metadata"]["name"].is_string()) fields.fail("initial", "expected metadata.name of an object");
  if (!initial["spec"].is_null() && !initial["spec"].is_object())
    fields.fail("initial", "expected a spec that is an object");
}

void read_own_head(Fields& fields, Sequence& value) {
  std::string api_version, kind;
  fields.choice("apiVersion", api_version, {kApiVersion});
  fields.choice("kind", kind, {"Sequence"});
  if (api_version.empty()) fields.fail("apiVersion", "expected \"fixpoint/v1\", found nothing");
  if (kind.empty()) fields.fail("kind", "expected \"Sequence\", found nothing");
  fields.optional("name", value.name);
  fields.required("subject", value.subject);
}

void read_recorded_head(Fields& fields, Sequence& value) {
  fields.get("kind");
  fields.optional("id", value.name);
  std::string version;
  fields.required("version", version);
  value.subject = "kserve/hpa@" + version.substr(version.starts_with("v") ? 1 : 0);
}

Value write_step(const Step& step) {
  if (const auto* set = std::get_if<SetClass>(&step))
    return {{"set", set->name ? std::string_view(*set->name) : kAbsent}};
  if (const auto* user = std::get_if<UserDoes>(&step))
    return {{"user", kVerbs[static_cast<std::size_t>(user->verb)]}};
  if (const auto* stop = std::get_if<SetStop>(&step)) return {{"stop", stop->stop}};
  const auto& reconcile = std::get<Reconcile>(step);
  std::vector<Member> out{{"reconcile", sorted(reconcile.desired)}};
  if (!reconcile.server_defaults) out.push_back({"serverDefaults", false});
  return out;
}

}  // namespace

bool is_sequence(const Value& document) {
  return document["kind"].text() == "Sequence" || document["kind"].text() == kRecorded;
}

Result<Sequence> read_sequence(const Value& document, const KnownInjector& known_subject) {
  Sequence value;
  std::optional<Error> problem;
  Fields fields(document, "", problem);
  const bool is_recorded = document["kind"].text() == kRecorded;
  is_recorded ? read_recorded_head(fields, value) : read_own_head(fields, value);
  fields.optional("note", value.note);
  if (known_subject && !problem) {
    const auto unknown = known_subject(value.subject);
    if (unknown) fields.fail(is_recorded ? document::Name("version") : document::Name("subject"), *unknown);
  }
  fields.optional("initial", value.initial);
  check_initial(fields, value.initial);
  if (!fields.has("steps")) fields.fail("steps", "expected a list, found nothing");
  fields.list("steps", [&](const Value& step, const std::string& pointer) {
    value.steps.push_back((is_recorded ? read_recorded_step : read_step)(step, pointer, problem));
  });
  fields.finish();
  if (problem) return *std::move(problem);
  return value;
}

Value write_sequence(const Sequence& value) {
  std::vector<Member> out{{"apiVersion", kApiVersion}, {"kind", "Sequence"}};
  if (!value.name.empty()) out.push_back({"name", value.name});
  if (!value.note.empty()) out.push_back({"note", value.note});
  out.push_back({"subject", value.subject});
  out.push_back({"initial", sorted(value.initial)});
  std::vector<Value> steps;
  for (const Step& step : value.steps) steps.push_back(write_step(step));
  out.push_back({"steps", std::move(steps)});
  return out;
}

std::string canonical_text(const Sequence& value) { return write_json_pretty(write_sequence(value)); }

std::string words(const Step& step) {
  if (const auto* set = std::get_if<SetClass>(&step))
    return "set " + set->name.value_or(std::string(kAbsent));
  if (const auto* user = std::get_if<UserDoes>(&step))
    return "user " + std::string(kVerbs[static_cast<std::size_t>(user->verb)]);
  if (const auto* stop = std::get_if<SetStop>(&step)) return stop->stop ? "stop true" : "stop false";
  return "reconcile";
}

ComponentName component_of(const Sequence& value) {
  ComponentName component;
  for (const Step& step : value.steps) {
    const auto* reconcile = std::get_if<Reconcile>(&step);
    if (reconcile == nullptr) continue;
    const Value &name = reconcile->desired["name"], &space = reconcile->desired["namespace"];
    if (name.is_string()) component.name = name.text();
    if (space.is_string()) component.namespace_name = space.text();
    break;
  }
  return component;
}

}  // namespace fixpoint::cases
