#include "generators/put_trigger.h"

#include <algorithm>
#include <array>

#include "generators/draw_context.h"
#include "generators/draw_workload.h"
#include "harness/apiserver/custom/structural_schema.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/cases/request_user.h"
#include "harness/document/json.h"
#include "harness/runner/learning/field_path.h"
#include "harness/runner/learning/named_objects.h"

namespace fixpoint::generators {

namespace {

using Where = runner::Trigger::Where;

/// A person whose name no webhook knows.
constexpr const char* kSomebody = "jane@example.com";

void put_in_map(Value& metadata, const char* map, const runner::Trigger& trigger, std::size_t option) {
  if (option > 0) {
    Value& into = metadata.edit(map);
    if (!into.is_object()) into = Value::empty_object();
    return into.set(trigger.key, trigger.values[option - 1]);
  }
  if (metadata[map].find(trigger.key) == nullptr) return;
  metadata.edit(map).remove(trigger.key);
  if (metadata[map].empty()) metadata.remove(map);
}

/// Of a workload, a webhook reads the metadata of its own or of the Pods that it makes.
void put_in_object(cases::Case& value, const char* map, const runner::Trigger& trigger, std::size_t option) {
  Value& object = value.request.object;
  put_in_map(object.edit("metadata"), map, trigger, option);
  const cases::Kind kind = cases::kind_of(value.request, value.cluster);
  if (apiserver::makes_pods(kind))
    put_in_map(apiserver::edit_template(object, kind).edit("metadata"), map, trigger, option);
  runner::put_own_names(object);
}

/// Mounts the volumes in all containers that do not: who declares a volume uses it.
void mount_all(Value& pod, const Value& volumes) {
  for (const char* list : {"initContainers", "containers"}) {
    for (std::size_t i = 0; i < pod["spec"][list].size(); ++i) {
      Value& mounts = pod.edit("spec").edit(list).edit(i).edit("volumeMounts");
      if (!mounts.is_array()) mounts = Value::empty_list();
      for (const Value& volume : volumes.elements()) {
        const Value& name = volume["name"];
        const auto is_it = [&](const Value& mount) { return mount["name"] == name; };
        const auto have = mounts.elements();
        if (name.is_string() && std::none_of(have.begin(), have.end(), is_it))
          mounts.push_back({{"name", name}, {"mountPath", "/volumes/" + std::string(name.text())}});
      }
    }
  }
}

/// Returns the object that the field of a trigger is set in: of a workload its template, for what a Pod's
/// spec has; nothing for an object of a kind without that member.
Value* object_with(cases::Case& value, const runner::Trigger& trigger) {
  Value& object = value.request.object;
  const cases::Kind kind = cases::kind_of(value.request, value.cluster);
  const bool is_of_spec = trigger.path.size() > 1 && trigger.path.front().member == "spec";
  const document::Name member(is_of_spec ? trigger.path[1].member : "");
  if (kind.is_pod() || !is_of_spec ||
      apiserver::find_field(apiserver::kPodSpec, member, cases::minor_of(value.cluster)) == nullptr)
    return &object;
  if (apiserver::makes_pods(kind)) return &apiserver::edit_template(object, kind);
  const Value& schema = apiserver::custom::schema_of(kind);
  return schema["properties"]["spec"]["properties"].find(member) == nullptr ? nullptr : &object;
}

void put_field(cases::Case& value, const runner::Trigger& trigger, std::size_t option) {
  if (option == 0) {
    // Elements of lists and names that every Pod has are kept: without them it would be another Pod.
    const auto dot = trigger.key.rfind('.');
    const bool is_plain = trigger.key.find('[') == std::string::npos && trigger.key.starts_with("spec.");
    if (!is_plain || dot != std::string_view("spec").size()) return;
    if (Value* object = object_with(value, trigger); object != nullptr && (*object)["spec"].is_object())
      object->edit("spec").remove(trigger.key.substr(dot + 1));
    return;
  }
  const auto wanted = document::read_json(trigger.values[option - 1]);
  if (trigger.path.empty() || !wanted) return;
  if (trigger.key == runner::kNamespaceField) {
    if (!wanted->is_string() || wanted->text().empty()) return;
    value.request.namespace_name = wanted->text();
    if (value.request.object["metadata"]["namespace"].is_string())
      value.request.object.edit("metadata").set("namespace", *wanted);
    return;
  }
  Value* object = object_with(value, trigger);
  if (object == nullptr) return;
  runner::set_field(*object, trigger.path, *wanted);
  if (trigger.key == "spec.volumes") mount_all(*object, *wanted);
  runner::add_named_objects(value);
}

}  // namespace

void put_user(cases::Case& value, std::string_view key, const Value& text) {
  const auto had = value.request.user_info;
  auto& user = value.request.user_info;
  const auto join = [&](const std::string& group) {
    const auto& all = user->groups;
    if (std::find(all.begin(), all.end(), group) == all.end()) user->groups.insert(all.begin(), group);
  };
  if (key == runner::kUserName) {
    if (!text.is_string()) return user.reset();
    user = cases::user_named(std::string(text.text()));
    if (!had) return;
    const std::vector<std::string> given = cases::user_named(had->username).groups;
    for (const std::string& group : had->groups)
      if (std::find(given.begin(), given.end(), group) == given.end()) join(group);
  } else if (text.is_string()) {
    user = cases::user_named(had ? had->username : kSomebody);
    join(std::string(text.text()));
  } else if (had) {
    user = cases::user_named(had->username);
  }
}

void try_trigger(Case& value, const PreparedSubject& prepared_subject, std::uint64_t beginnings,
                 Choices& choices) {
  static constexpr std::array<const char*, 6> kOdd{"x", "", "TRUE", "10k", "a,b", "a:b@c"};
  constexpr std::uint64_t kPeriod = 5, kTriedOfPeriod = 3;
  const auto& tried = prepared_subject.tried;
  const std::uint64_t number = choices.index().value_or(0) - beginnings;
  if (!choices.index() || *choices.index() < beginnings || number >= kTryingCases || tried.empty()) return;
  if (number % kPeriod >= kTriedOfPeriod) return;
  const std::uint64_t turn = number / kPeriod * kTriedOfPeriod + number % kPeriod;
  runner::Trigger trigger = prepared_subject.triggers[tried[turn % tried.size()]];
  if (turn < tried.size()) return put_trigger(value, trigger, 1);
  const bool is_text = trigger.where != Where::field && trigger.where != Where::user;
  if (is_text && (trigger.values.size() < 2 || choices.one_in(3))) {
    const bool is_label = trigger.where == Where::label || trigger.where == Where::namespace_label;
    trigger.values = {kOdd[choices.below(is_label ? 4 : kOdd.size())]};
    return put_trigger(value, trigger, 1);
  }
  put_trigger(value, trigger, trigger.values.size() < 2 ? 1 : 2 + choices.below(trigger.values.size() - 1));
}

void put_trigger(cases::Case& value, const runner::Trigger& trigger, std::size_t option) {
  if (!value.request.object.is_object() || option > trigger.values.size()) return;
  switch (trigger.where) {
    case Where::label:
      return put_in_object(value, "labels", trigger, option);
    case Where::annotation:
      return put_in_object(value, "annotations", trigger, option);
    case Where::namespace_label:
      return put_in_map(metadata_of_namespace(value), "labels", trigger, option);
    case Where::namespace_annotation:
      return put_in_map(metadata_of_namespace(value), "annotations", trigger, option);
    case Where::user:
      return put_user(value, trigger.key, option == 0 ? Value() : Value(trigger.values[option - 1]));
    default:
      return put_field(value, trigger, option);
  }
}

}  // namespace fixpoint::generators
