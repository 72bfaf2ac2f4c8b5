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

}  // namespace

Case draw_definition_case(Choices& choices) {
  Choices shared = choices.shared_by(kCasesOfDefinition);
  Case value;
  const Value definition = draw_definition(shared);
  value.cluster.objects = {definition, compared_configuration({"example.io"}, {"widgets", "widgets/*"})};
  const Value& schema = definition["spec"]["versions"].at(0)["schema"]["openAPIV3Schema"];
  Value object{{"apiVersion", "example.io/v1"}, {"kind", "Widget"}, {"metadata", {{"name", "w"}}}};
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
      if (choices.one_in(4) && definition["spec"]["versions"].at(0)["subresources"].is_object()) {
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
