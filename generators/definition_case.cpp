#include <array>
#include <string>
#include <vector>

#include "generators/compared_case.h"
#include "generators/definition.h"
#include "generators/object_edits.h"
#include "generators/schema_values.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::generators {

namespace {

using cases::Case;
using document::Member;
using document::Value;
using runner::Choices;

/// The operations that make one object the other, member by member of the spec.
Value patch_between(const Value& before, const Value& after) {
  Value patch = Value::empty_list();
  const auto operation = [&](const char* op, const std::string& path, const Value& value) {
    Value one{{"op", op}, {"path", path}};
    if (std::string_view(op) != "remove") one.set("value", value);
    patch.push_back(std::move(one));
  };
  for (const Member& member : after["spec"].members()) {
    const std::string path = "/spec/" + std::string(member.key.text());
    if (!(before["spec"][member.key.name()] == member.value) ||
        before["spec"].find(member.key.name()) == nullptr)
      operation("add", path, member.value);
  }
  for (const Member& member : before["spec"].members()) {
    if (after["spec"].find(member.key.name()) == nullptr)
      operation("remove", "/spec/" + std::string(member.key.text()), {});
  }
  return patch;
}

void vary(Choices& choices, Value& object, const Value& schema) {
  for (auto left = choices.below(3); left > 0; --left)
    choices.coin() ? edit_member(choices, object, schema) : spoil_member(choices, object, schema);
}

void draw_metadata(Choices& choices, Value& object) {
  Value& metadata = object.edit("metadata");
  if (choices.one_in(6)) metadata.set("labels", {{"a", "b"}});
  if (choices.one_in(12)) metadata.edit("annotations").set("a/b", "x");
  if (choices.one_in(12)) metadata.edit("labels").set("bad key", "x");
  if (choices.one_in(8)) metadata.edit("finalizers").push_back(choices.coin() ? "plain" : "example.io/keep");
  if (choices.one_in(16)) metadata.set("unknown", 1);
  if (choices.one_in(10)) object.set("status", {{"phase", "Ready"}});
}

/// The webhook's rule may name one of the versions, and select requests in the other, too.
Value draw_configuration(Choices& choices, const Value& versions) {
  Value configuration = compared_configuration({"example.io"}, {"widgets", "widgets/*"});
  if (versions.size() < 2 || choices.coin()) return configuration;
  Value& webhook = configuration.edit("webhooks").edit(0);
  webhook.set("matchPolicy", choices.coin() ? "Equivalent" : "Exact");
  webhook.edit("rules").edit(0).set("apiVersions",
                                    Value::list({versions.at(choices.below(versions.size()))["name"]}));
  return configuration;
}

/// Makes the Case an update of the scale of the old object.
void draw_scaling(Choices& choices, Case& value) {
  constexpr std::array kReplicas{0, 1, 3, 9, -1};
  value.request.sub_resource = "scale";
  Value scale{{"apiVersion", "autoscaling/v1"}, {"kind", "Scale"}, {"metadata", {{"name", "w"}}}};
  if (!choices.one_in(8)) scale.set("spec", {{"replicas", choices.pick(kReplicas)}});
  if (choices.one_in(8)) scale.set("status", {{"replicas", 7}});
  value.request.object = scale;
  if (choices.coin()) return;
  Value patched = scale;
  patched.edit("spec").set("replicas", choices.pick(kReplicas));
  put_compared_patch(value, patch_between(scale, patched));
}

}  // namespace

Case draw_definition_case(Choices& choices) {
  Choices shared = choices.shared_by(kCasesOfDefinition);
  Case value;
  const Value definition = draw_definition(shared);
  const Value& versions = definition["spec"]["versions"];
  value.cluster.objects = {definition, draw_configuration(choices, versions)};
  const Value& version = versions.at(choices.below(versions.size()));
  const Value& schema = version["schema"]["openAPIV3Schema"];
  Value object{{"apiVersion", "example.io/" + std::string(version["name"].text())},
               {"kind", "Widget"},
               {"metadata", {{"name", "w"}}}};
  object.set("spec", draw_schema_value(choices, schema["properties"]["spec"]));
  value.webhooks[std::string(kComparedWebhook)] = cases::Script{};
  if (choices.below(5) < 2) {
    // The server stores the old object, so it must be valid.
    value.request.object = object;
    const auto admitted = apiserver::admit(
        value, {{std::string(kComparedWebhook), [](const webhooks::Call&) { return webhooks::allow(); }}});
    if (admitted && admitted->allowed) {
      value.request.operation = "UPDATE";
      value.request.old_object = admitted->stored;
      value.request.old_object.edit("metadata").remove("managedFields");
      object = value.request.old_object;
      if (choices.one_in(4) && !version["subresources"]["scale"].is_null()) {
        draw_scaling(choices, value);
        return value;
      }
      if (choices.one_in(4) && !version["subresources"]["status"].is_null()) {
        value.request.sub_resource = "status";
        object.set("status", {{"phase", "Other"}});
      }
    }
  }
  vary(choices, object, schema);
  draw_metadata(choices, object);
  value.request.object = object;
  if (choices.coin()) {
    Value patched = object;
    vary(choices, patched, schema);
    put_compared_patch(value, patch_between(object, patched));
  }
  return value;
}

}  // namespace fixpoint::generators
