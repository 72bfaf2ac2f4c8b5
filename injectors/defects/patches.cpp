#include <algorithm>
#include <cstdlib>
#include <limits>

#include "harness/apiserver/decoding/decode.h"
#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "harness/document/pointer.h"
#include "injectors/defects/defect_helpers.h"
#include "injectors/defects/defects.h"

namespace fixpoint::injectors::defects {

namespace {

// The intended change is right; the patch that expresses it is wrong.

constexpr int kOldMinor = 29;  ///< the minor with which a stale library was compiled

/// Returns the Pod as a typed webhook holds it in memory; null if it cannot be decoded.
Value in_old_type(const Value& pod) {
  auto read = apiserver::decode_pod(pod, kOldMinor);
  return read ? *std::move(read) : Value();
}

Answer whole_list(const Call& call, bool is_fixed) {
  const Value& volumes = call.object["spec"]["volumes"];
  if (has_named(volumes, "cert-store")) return webhooks::allow();
  const Value own = empty_volume("cert-store");
  if (volumes.empty()) return webhooks::allow(Value::list({add("/spec/volumes", Value::list({own}))}));
  if (is_fixed) return webhooks::allow(Value::list({add("/spec/volumes/-", own)}));
  Value all = volumes;
  all.push_back(own);
  return webhooks::allow(
      Value::list({Value{{"op", "replace"}, {"path", "/spec/volumes"}, {"value", std::move(all)}}}));
}

void label(Value& pod) { pod.edit("metadata").edit("labels").set("defects.example.io/seen", "yes"); }

/// Diffs the request against the typed copy: fields that the old type lacks look removed.
Answer typed_round_trip(const Call& call, bool is_fixed) {
  Value typed = is_fixed ? call.object : in_old_type(call.object);
  if (typed.is_null()) return webhooks::allow();
  label(typed);
  return webhooks::allow_change(call.object, typed);
}

/// Diffs the typed Pod before against the typed Pod after, by position: unknown fields stay at their index
/// when the elements move.
Answer positional_diff(const Call& call, bool is_fixed) {
  if (has_container(call.object, "front-proxy")) return webhooks::allow();
  const Value own = container("front-proxy", "proxy:1");
  if (is_fixed) return webhooks::allow(Value::list({add("/spec/containers/0", own)}));
  const Value before = in_old_type(call.object);
  if (before.is_null()) return webhooks::allow();
  Value after = before;
  auto& containers = after.edit("spec").edit("containers").edit_elements();
  containers.insert(containers.begin(), own);
  return webhooks::allow_change(before, after);
}

/// Writes zeros like a struct that is encoded without omitempty.
Answer explicit_zeros(const Call& call, bool is_fixed) {
  Answer answer = changed(call, label);
  if (is_fixed) return answer;
  Value patch = answer.patch.value_or(Value::empty_list());
  for (const char* member : {"serviceAccountName", "nodeName", "priorityClassName"}) {
    if (call.object["spec"][Name(member)].is_null()) patch.push_back(add(std::string("/spec/") + member, ""));
  }
  return webhooks::allow(std::move(patch));
}

/// Adds the whole map, which removes the entries of others.
Answer map_wiped(const Call& call, bool is_fixed) {
  const Value& annotations = call.object["metadata"]["annotations"];
  if (!annotations[kStatus].is_null()) return webhooks::allow();
  const bool adds_map = !is_fixed || annotations.is_null();
  const std::string member = "/metadata/annotations/" + document::escape_token(kStatus);
  return webhooks::allow(Value::list(
      {adds_map ? add("/metadata/annotations", {{kStatus, "injected"}}) : add(member, "injected")}));
}

Answer slash_unescaped(const Call& call, bool is_fixed) {
  const Value& annotations = call.object["metadata"]["annotations"];
  if (!annotations[kStatus].is_null()) return webhooks::allow();
  if (annotations.is_null())
    return webhooks::allow(Value::list({add("/metadata/annotations", {{kStatus, "injected"}})}));
  const std::string token = is_fixed ? document::escape_token(kStatus) : kStatus;
  return webhooks::allow(Value::list({add("/metadata/annotations/" + token, "injected")}));
}

/// Renders its patch as text, and inserts the value between quotes without escaping it.
Answer text_template(const Call& call, bool is_fixed) {
  const Value& level = call.object["metadata"]["annotations"]["defects.example.io/log-level"];
  if (!level.is_string() || has_container(call.object, "log-agent")) return webhooks::allow();
  const std::string quoted = "\"" + std::string(level.text()) + "\"";
  const std::string text = R"([{"op":"add","path":"/spec/containers/-","value":{"name":"log-agent",)"
                           R"("image":"agent:1","env":[{"name":"LEVEL","value":)" +
                           (is_fixed ? document::write_json(level) : quoted) + "}]}}]";
  const auto patch = document::read_json(text, {}, document::Strictness::foreign);
  Answer answer;
  answer.patch = patch ? *patch : Value(text);
  answer.patch_type = "JSONPatch";
  return answer;
}

Answer missing_list(const Call& call, bool is_fixed) {
  Value patch = Value::empty_list();
  const Value& containers = call.object["spec"]["containers"];
  for (std::size_t i = 0; i < containers.size(); ++i) {
    if (has_named(containers.at(i)["env"], "ZONE")) continue;
    const std::string list = "/spec/containers/" + std::to_string(i) + "/env";
    if (is_fixed && containers.at(i)["env"].is_null()) patch.push_back(add(list, Value::empty_list()));
    patch.push_back(add(list + "/-", env("ZONE", "a")));
  }
  const Value& sidecars = call.object["spec"]["initContainers"];
  for (std::size_t i = 0; i < sidecars.size(); ++i) {
    if (!is_native_sidecar(sidecars.at(i)) || has_named(sidecars.at(i)["env"], "ZONE")) continue;
    const std::string list = "/spec/initContainers/" + std::to_string(i) + "/env";
    if (is_fixed && sidecars.at(i)["env"].is_null()) patch.push_back(add(list, Value::empty_list()));
    patch.push_back(add(list + "/-", env("ZONE", "a")));
  }
  return webhooks::allow(std::move(patch));
}

/// Lets each helper decide by the original Pod whether to create the list: the second one creates it again.
Answer list_made_twice(const Call& call, bool is_fixed) {
  const Value& secrets = call.object["spec"]["imagePullSecrets"];
  Value patch = Value::empty_list();
  for (const char* name : {"mirror-one", "mirror-two"}) {
    if (has_named(secrets, name)) continue;
    const bool is_missing = secrets.is_null() && !(is_fixed && !patch.empty());
    const Value own{{"name", name}};
    patch.push_back(is_missing ? add("/spec/imagePullSecrets", Value::list({own}))
                               : add("/spec/imagePullSecrets/-", own));
  }
  return webhooks::allow(std::move(patch));
}

/// Removes elements by ascending index: after the first removal, the next index names another element.
Answer ascending_removals(const Call& call, bool is_fixed) {
  Value patch = Value::empty_list();
  const Value& containers = call.object["spec"]["containers"];
  for (std::size_t i = 0; i < containers.size(); ++i) {
    std::vector<Value> removals;
    const Value& args = containers.at(i)["args"];
    for (std::size_t j = 0; j < args.size(); ++j) {
      if (!args.at(j).text().starts_with("--")) continue;
      const std::string path = "/spec/containers/" + std::to_string(i) + "/args/" + std::to_string(j);
      removals.push_back({{"op", "remove"}, {"path", path}});
    }
    if (is_fixed) std::reverse(removals.begin(), removals.end());
    for (Value& removal : removals) patch.push_back(std::move(removal));
  }
  return webhooks::allow(std::move(patch));
}

/// Converts every number to a double and back.
void through_doubles(Value& value) {
  if (value.is_number()) {
    constexpr double kBeyond = 9223372036854775808.0;  // what Go's int64 of it is on amd64: the smallest
    const double number = std::strtod(std::string(value.text()).c_str(), nullptr);
    const std::int64_t integer =
        number < kBeyond ? static_cast<std::int64_t>(number) : std::numeric_limits<std::int64_t>::min();
    const std::string rounded = std::to_string(integer);
    if (value.integer() && rounded != value.text()) value = Value::number(rounded);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) through_doubles(value.edit(i));
  } else if (value.is_object()) {
    for (auto& member : value.edit_members()) through_doubles(member.value);
  }
}

Answer numbers_as_doubles(const Call& call, bool is_fixed) {
  return changed(call, [&](Value& pod) {
    label(pod);
    if (!is_fixed) through_doubles(pod.edit("spec"));
  });
}

void args_owner(runner::Subject& subject) { owns(subject, {"spec.containers[*].args"}); }
void status_annotation(runner::Subject& subject) {
  subject.vocabulary.add_common(runner::Trigger::Where::annotation, {{"defects.example.io/other", {"kept"}}});
}
void log_level(runner::Subject& subject) {
  subject.vocabulary.add_common(runner::Trigger::Where::annotation,
                                {{"defects.example.io/log-level", {"info", "debug,proxy=trace"}}});
  subject.vocabulary.names[runner::NameKind::container] = {"log-agent"};
}

constexpr Defect kPatchDefects[] = {
    {"whole-array-replaced", "Replaces the list of volumes to add one.", "whole-list", whole_list,
     [](runner::Subject& subject) { subject.vocabulary.names[runner::NameKind::volume] = {"cert-store"}; }},
    {"typed-round-trip", "Loses the fields that its old Pod type does not know.", "preserves-others",
     typed_round_trip, no_setup},
    {"positional-diff-with-prepend", "Moves fields that it does not know to a neighbouring element.",
     "preserves-others", positional_diff, no_setup},
    {"explicit-zeros", "Adds empty texts to absent fields.", "no-explicit-zeros", explicit_zeros, no_setup},
    {"annotations-wiped", "Adds its annotation as a whole new map.", "preserves-others", map_wiped,
     status_annotation},
    {"slash-not-escaped", "Writes a key with a slash into a JSON pointer without escaping it.",
     "patch-well-formed", slash_unescaped, status_annotation},
    {"text-template", "Pastes an annotation into a template of JSON.", "text-survives", text_template,
     log_level},
    {"append-to-missing-array", "Appends to an env list that may not be there.", "patch-well-formed",
     missing_list, no_setup},
    {"array-made-for-each-helper", "Creates the list again for each of the two elements that it adds.",
     "absent-empty-present", list_made_twice, no_setup},
    {"removals-ascending", "Removes the flags among the args from the front.", "patch-well-formed",
     ascending_removals, args_owner},
    {"numbers-as-doubles", "Reads integers as doubles and writes them back.", "numbers-survive",
     numbers_as_doubles, no_setup},
};

}  // namespace

std::span<const Defect> patch_defects() { return kPatchDefects; }

}  // namespace fixpoint::injectors::defects
