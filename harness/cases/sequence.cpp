#include "harness/cases/sequence.h"

#include "harness/document/json.h"

namespace fixpoint::cases {

namespace {

using document::Fields;
using document::Member;

constexpr std::string_view kRecorded = "kserve-hpa";

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

/// Reads the component in the member of that name, and the other fields of a reconcile.
Step read_reconcile(Fields& fields, const char* member, bool server_defaults, std::optional<Error>& problem) {
  Step step = reconcile_step(Value::empty_object(), server_defaults);
  fields.object(member, [&](Fields& desired) { read_desired(desired, problem); });
  fields.optional(member, step.value);
  fields.optional("serverDefaults", step.server_defaults);
  return step;
}

/// Returns the names of the steps: "set, user, stop, reconcile".
std::string names_of(const std::vector<StepReader>& kinds) {
  std::string names;
  for (const StepReader& kind : kinds) names.append(kind.name).append(", ");
  return names + "reconcile";
}

Step read_step(const Value& source, const std::string& pointer, const std::vector<StepReader>& kinds,
               std::optional<Error>& problem) {
  Fields fields(source, pointer, problem);
  int count = 0;
  for (const StepReader& kind : kinds) count += fields.has(kind.name) ? 1 : 0;
  count += fields.has("reconcile") ? 1 : 0;
  Step step;
  for (const StepReader& kind : kinds) {
    if (fields.has(kind.name)) step = {std::string(kind.name), kind.read(fields, kind.name)};
  }
  if (fields.has("reconcile")) step = read_reconcile(fields, "reconcile", true, problem);
  fields.finish();
  if (count != 1) fields.fail_here("expected exactly one of " + names_of(kinds));
  return step;
}

/// Reads a step of any kind without checking its value.
Step read_any_step(const Value& source, const std::string& pointer, std::optional<Error>& problem) {
  std::vector<StepReader> kinds;
  for (const Member& member : source.members()) {
    const std::string_view name = member.key.text();
    if (name == "reconcile" || name == "serverDefaults") continue;
    kinds.push_back({name, [](Fields& fields, std::string_view kind) { return fields.get(kind); }});
  }
  return read_step(source, pointer, kinds, problem);
}

/// Reads a recorded step; its expectations are ignored.
Step read_recorded_step(const Value& source, const std::string& pointer, std::optional<Error>& problem) {
  Fields fields(source, pointer, problem);
  if (!fields.has("desired")) fields.fail("desired", "expected an object, found nothing");
  Step step = read_reconcile(fields, "desired", false, problem);
  fields.get("expect");
  fields.finish();
  return step;
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
  std::vector<Member> out{{step.name, sorted(step.value)}};
  if (!step.server_defaults) out.push_back({"serverDefaults", false});
  return out;
}

}  // namespace

bool is_sequence(const Value& document) {
  return document["kind"].text() == "Sequence" || document["kind"].text() == kRecorded;
}

Step reconcile_step(Value desired, bool server_defaults) {
  return {"reconcile", std::move(desired), server_defaults};
}

Result<Sequence> read_sequence(const Value& document, const SequenceReader& reader) {
  Sequence value;
  std::optional<Error> problem;
  Fields fields(document, "", problem);
  const bool is_recorded = document["kind"].text() == kRecorded;
  is_recorded ? read_recorded_head(fields, value) : read_own_head(fields, value);
  fields.optional("note", value.note);
  if (reader.known_subject && !problem) {
    const auto unknown = reader.known_subject(value.subject);
    if (unknown) fields.fail(is_recorded ? document::Name("version") : document::Name("subject"), *unknown);
  }
  fields.optional("initial", value.initial);
  check_initial(fields, value.initial);
  if (!fields.has("steps")) fields.fail("steps", "expected a list, found nothing");
  fields.list("steps", [&](const Value& step, const std::string& pointer) {
    value.steps.push_back(is_recorded    ? read_recorded_step(step, pointer, problem)
                          : reader.steps ? read_step(step, pointer, *reader.steps, problem)
                                         : read_any_step(step, pointer, problem));
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
  if (step.is_reconcile()) return step.name;
  return step.name + " " + (step.value.is_string() ? std::string(step.value.text()) : write_json(step.value));
}

ComponentName component_of(const Sequence& value) {
  ComponentName component;
  for (const Step& step : value.steps) {
    if (!step.is_reconcile()) continue;
    const Value &name = step.value["name"], &space = step.value["namespace"];
    if (name.is_string()) component.name = name.text();
    if (space.is_string()) component.namespace_name = space.text();
    break;
  }
  return component;
}

}  // namespace fixpoint::cases
