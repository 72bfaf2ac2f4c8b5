#include "harness/properties/newer_fields.h"

#include <algorithm>
#include <array>
#include <string>

#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/types/walk.h"
#include "harness/document/cut.h"
#include "harness/document/json.h"
#include "harness/document/named.h"
#include "harness/document/patch.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;
using document::Name;

constexpr const char* kUnknown = "fixpointUnknownField";
struct UnknownField {
  const char* in;
  const char* control;  ///< as that of a newer field
};
constexpr UnknownField kUnknownIn[] = {{"spec.containers[]", "stdin=true"},
                                       {"spec", "hostname=\"fixpoint\""}};
constexpr const char* kCanary = "fixpoint-canary";

/// A field that Kubernetes added not long ago. `field` is its place for people and for the table of types,
/// `in` the objects that get it: those at this path, with `[]` behind lists.
/// `control` is a field that every library knows, `NAME=JSON`: where that is lost, too, the webhook replaced
/// the object, and not its library the field.
struct NewerField {
  const char* in;
  const char* field;
  const char* value;
  const char* control = "";
};

/// The oldest first: the first one that a webhook drops says how old its library is.
constexpr auto kNewerFields = std::to_array<NewerField>({
    {"spec.containers[]", "resizePolicy", R"([{"resourceName":"cpu","restartPolicy":"NotRequired"}])",
     "stdin=true"},
    {"spec.initContainers[]", "restartPolicy", R"("Always")", "stdin=true"},
    {"spec.containers[].volumeMounts[]", "recursiveReadOnly", R"("IfPossible")", "subPath=\"fixpoint\""},
    {"spec.securityContext", "appArmorProfile", R"({"type":"RuntimeDefault"})", "supplementalGroups=[7]"},
    {"spec.securityContext", "supplementalGroupsPolicy", R"("Merge")", "supplementalGroups=[7]"},
    {"spec.volumes[]", "image", R"({"reference":"fixpoint:1","pullPolicy":"IfNotPresent"})"},
    {"spec", "resources", R"({"limits":{"cpu":"64"}})", "hostname=\"fixpoint\""},
    {"spec.containers[]", "restartPolicyRules",
     R"([{"action":"Restart","exitCodes":{"operator":"In","values":[3]}}])", "stdin=true"},
    {"spec.volumes[].projected.sources[]", "podCertificate",
     R"({"signerName":"fixpoint.example/signer","keyType":"ED25519"})"},
    {"spec", "workloadRef", R"({"name":"fixpoint","podGroup":"fixpoint"})", "hostname=\"fixpoint\""},
    {"spec", "schedulingGroup", R"({"podGroupName":"fixpoint"})", "hostname=\"fixpoint\""},
});

std::string path_of(const NewerField& field) { return std::string(field.in) + "." + field.field; }

/// Returns the path as a user writes it in messages and in `owns`: with `[*]` behind lists.
std::string shown(std::string path) {
  for (auto at = path.find("[]"); at != std::string::npos; at = path.find("[]", at + 3))
    path.insert(at + 1, "*");
  return path;
}

/// Calls `visit` with each existing object at a path of the table.
template <class Visit>
void for_each_object(Value& at, std::string_view path, const Visit& visit) {
  if (path.empty()) {
    if (at.is_object()) visit(at);
    return;
  }
  const auto end = std::min(path.find('.'), path.size());
  std::string_view step = path.substr(0, end);
  const std::string_view rest = path.substr(std::min(end + 1, path.size()));
  const bool is_list = step.ends_with("[]");
  if (is_list) step.remove_suffix(2);
  Value* const next = at.edit_known(Name(step));
  if (next == nullptr) return;
  if (!is_list) return for_each_object(*next, rest, visit);
  for (std::size_t i = 0; i < next->size(); ++i) for_each_object(next->edit(i), rest, visit);
}

/// Adds objects that can hold the new fields: a native sidecar, a mount, an image volume and a projected one.
Value with_room(const Value& pod) {
  Value roomy = pod;
  Value& spec = roomy.edit("spec");
  const Value mount{{"name", kCanary}, {"mountPath", "/fixpoint/canary"}, {"readOnly", true}};
  if (!has_named(spec["initContainers"], kCanary))
    spec.edit("initContainers").push_back({{"name", kCanary}, {"image", "fixpoint:1"}});
  if (!spec["containers"].empty()) spec.edit("containers").edit(0).edit("volumeMounts").push_back(mount);
  if (spec["securityContext"].is_null()) spec.set("securityContext", Value::empty_object());
  Value& volumes = spec.edit("volumes");
  volumes.push_back({{"name", kCanary}});
  volumes.push_back({{"name", std::string(kCanary) + "-projected"},
                     {"projected", {{"sources", Value::list({Value::empty_object()})}}}});
  return roomy;
}

/// Returns true if the object can get the field and keep its meaning: a volume has one source, and an init
/// container must not become a sidecar.
bool takes(const NewerField& field, const Value& object) {
  const std::string_view name = field.field;
  if (name == "image") return object.size() == 1;
  if (name == "podCertificate") return object.empty();
  if (name == "restartPolicy") return object["name"].text() == kCanary;
  return object[Name(field.field)].is_null();
}

std::string_view name_of_control(std::string_view control) { return control.substr(0, control.find('=')); }

void add_control(Value& object, std::string_view control) {
  const std::string_view name = name_of_control(control);
  if (control.empty() || !object[Name(name)].is_null()) return;
  object.set(Name(name), document::read_json(control.substr(name.size() + 1)).value());
}

/// Returns the Pod with a field of the table added wherever it is allowed and absent.
Value marked_with(const NewerField& field, Value pod) {
  const Value value = document::read_json(field.value).value();
  for_each_object(pod, field.in, [&](Value& object) {
    if (!takes(field, object)) return;
    object.set(Name(field.field), value);
    add_control(object, field.control);
  });
  return pod;
}

Value with_unknown_fields(Value pod) {
  for (const UnknownField& unknown : kUnknownIn)
    for_each_object(pod, unknown.in, [&](Value& object) {
      object.set(Name(kUnknown), "kept");
      add_control(object, unknown.control);
    });
  return pod;
}

/// Returns the elements of `all` that a user would identify with the element of that index in another list.
std::vector<Value> alike(const Value& element, std::size_t index, const Value& all) {
  document::heed_end_in_loop();
  if (element["name"].is_null()) return {all.at(index)};
  std::vector<Value> found;
  for (const Value& other : all.elements()) {
    if (other["name"] == element["name"] && other["mountPath"] == element["mountPath"])
      found.push_back(other);
  }
  return found;
}

/// Returns true if an object of `before` at the path still exists in `after` and has lost the field, but not
/// the one that every library knows.
bool is_lost(const Value& before, const Value& after, std::string_view path, const char* field,
             std::string_view control) {
  if (path.empty()) {
    const Name known(name_of_control(control));
    const bool is_replaced = !control.empty() && !before[known].is_null() && after[known].is_null();
    return !before[Name(field)].is_null() && after[Name(field)].is_null() && !is_replaced;
  }
  const auto end = std::min(path.find('.'), path.size());
  std::string_view step = path.substr(0, end);
  const std::string_view rest = path.substr(std::min(end + 1, path.size()));
  const bool is_list = step.ends_with("[]");
  if (is_list) step.remove_suffix(2);
  const Value &olds = before[Name(step)], &nows = after[Name(step)];
  if (!is_list) return olds.is_object() && is_lost(olds, nows, rest, field, control);
  for (std::size_t i = 0; i < olds.size(); ++i) {
    const auto same = alike(olds.at(i), i, nows);
    const auto loses = [&](const Value& now) {
      return now.is_object() && is_lost(olds.at(i), now, rest, field, control);
    };
    if (!same.empty() && std::all_of(same.begin(), same.end(), loses)) return true;
  }
  return false;
}

/// Returns the Pod with the webhook's patch applied; nothing if the webhook sends no patch that applies.
std::optional<Value> patched(const Examination& examination, const FirstCall& call, const Value& pod) {
  WebhookCaller caller(examination);
  const CallResult call_result = caller.call(call.webhook, pod);
  if (!call_result.called || !call_result.answer.problem.empty() || !call_result.answer.patch)
    return std::nullopt;
  auto result = document::apply_patch(pod, *call_result.answer.patch, examination.limits);
  if (!result.ok()) return std::nullopt;
  return std::move(result.document);
}

Violation violation_of(const FirstCall& call, Severity severity, const std::string& path) {
  return {.severity = severity,
          .webhook = call.webhook.key,
          .path = path,
          .shape = "unknown-fields",
          .symptom = "newer-fields"};
}

/// The fields of the table that the Case's Kubernetes knows and the webhook does not own.
std::vector<NewerField> fields_to_ask(const Examination& examination, const OwnedPaths& owned_paths,
                                      const Value& pod) {
  const int minor = apiserver::minor_of(examination.value.cluster);
  std::vector<NewerField> fields(kNewerFields.begin(), kNewerFields.end());
  std::erase_if(fields, [&](const NewerField& field) {
    return apiserver::field_at(path_of(field), minor) == nullptr ||
           owned_paths.covers(shown(path_of(field)), pod);
  });
  return fields;
}

Violation newer_field_lost(const Examination& examination, const FirstCall& call, const NewerField& field) {
  const int minor = apiserver::minor_of(examination.value.cluster);
  const std::string path = shown(path_of(field));
  Violation violation = violation_of(call, Severity::error, path);
  violation.value = document::read_json(field.value).value();
  violation.reason = "the patch removes " + path + ", a field of the API since Kubernetes 1." +
                     std::to_string(apiserver::field_at(path_of(field), minor)->since) +
                     ": the webhook's library is older and drops what it does not know";
  return violation;
}

std::optional<Violation> unknown_field_lost(const FirstCall& call, const Value& marked, const Value& after) {
  for (const auto& [in, control] : kUnknownIn) {
    if (!is_lost(marked, after, in, kUnknown, control)) continue;
    const std::string path = shown(std::string(in) + "." + kUnknown);
    Violation violation = violation_of(call, Severity::warning, path);
    violation.reason = "a field that the webhook does not know (" + path + ") is removed by its patch";
    return violation;
  }
  return std::nullopt;
}

/// Adds the call that shows the violation.
std::optional<Violation> shown_by(std::optional<Violation> violation, const FirstCall& call, const Value& pod,
                                  const Value& after) {
  if (violation) {
    if (const Value lost = at_path(pod, violation->path); !lost.is_null()) violation->value = lost;
    violation->calls = {
        {"with fields that the webhook does not know", call.webhook.key, pod, {.after = after}}};
  }
  return violation;
}

/// Asks with a field that a newer definition could have, in the object that every kind keeps its fields in.
std::optional<Violation> unknown_field_lost(const Examination& examination, const FirstCall& call) {
  if (!call.event.before["spec"].is_object()) return std::nullopt;
  Value marked = call.event.before;
  marked.edit("spec").set(Name(kUnknown), "kept");
  const auto after = patched(examination, call, marked);
  if (!after || !(*after)["spec"][Name(kUnknown)].is_null()) return std::nullopt;
  // A spec that is written anew is lost as a whole, which another property reports.
  const auto fields = call.event.before["spec"].members();
  const auto is_kept = [&](const document::Member& field) {
    return (*after)["spec"].find(field.key.name()) != nullptr;
  };
  if (std::ranges::none_of(fields, is_kept)) return std::nullopt;
  Violation violation = violation_of(call, Severity::warning, std::string("spec.") + kUnknown);
  violation.reason =
      "a field that the webhook does not know (" + violation.path + ") is removed by its patch";
  return shown_by(std::move(violation), call, marked, *after);
}

}  // namespace

std::optional<Violation> lost_field(const Examination& examination, const FirstCall& call,
                                    const OwnedPaths& owned_paths) {
  const Value& pod = call.event.before;
  if (!apiserver::is_pod(pod)) return unknown_field_lost(examination, call);
  Value marked = with_room(pod);
  const auto fields = fields_to_ask(examination, owned_paths, marked);
  for (const NewerField& field : fields) marked = marked_with(field, std::move(marked));
  marked = with_unknown_fields(std::move(marked));
  if (const auto after = patched(examination, call, marked)) {
    for (const NewerField& field : fields)
      if (is_lost(marked, *after, field.in, field.field, field.control))
        return shown_by(newer_field_lost(examination, call, field), call, marked, *after);
    return shown_by(unknown_field_lost(call, marked, *after), call, marked, *after);
  }
  // The added objects may keep the webhook from acting.
  marked = with_unknown_fields(pod);
  const auto after = patched(examination, call, marked);
  return after ? shown_by(unknown_field_lost(call, marked, *after), call, marked, *after) : std::nullopt;
}

}  // namespace fixpoint::properties
