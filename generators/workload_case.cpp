#include <string>
#include <utility>
#include <vector>

#include "generators/compared_case.h"
#include "generators/draw.h"
#include "generators/draw_workload.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/document/diff.h"

namespace fixpoint::generators {

namespace {

using cases::Case;
using document::Value;
using runner::Choices;

const std::vector<cases::Kind>& kinds() {
  static const std::vector<cases::Kind> all = [] {
    std::vector<cases::Kind> made;
    for (const cases::Kind& kind : cases::built_in_kinds())
      if (apiserver::makes_pods(kind)) made.push_back(kind);
    return made;
  }();
  return all;
}

void vary(Choices& choices, const cases::Kind& kind, Value& object) {
  for (auto left = choices.below(3); left > 0; --left)
    edit_workload(choices, kind, cases::kNewestMinor, object);
}

/// Makes the Case an update of its object as the server stores it, if it does.
void update(Case& value, Choices& choices, const cases::Kind& kind) {
  Case alone{.request = value.request};
  const auto admitted = apiserver::admit(alone, {});
  if (!admitted || !admitted->allowed) return;
  Value old = admitted->stored;
  old.edit("metadata").remove("managedFields");
  value.request.operation = "UPDATE";
  value.request.object = old;
  choices.pick(workload_changes()).make(choices, kind, value.request.object);
  value.request.old_object = std::move(old);
}

/// The URL of a request says which object it is about; a body that says something else is refused at once.
void keep_identity(Case& value) {
  Value& object = value.request.object;
  if (!value.request.is_update()) return;
  const Value& old = value.request.old_object["metadata"];
  if (!object["metadata"].is_object()) object.set("metadata", Value::empty_object());
  for (const char* member : {"name", "namespace", "uid", "resourceVersion"})
    if (old[member].is_null())
      object.edit("metadata").remove(member);
    else
      object.edit("metadata").set(member, old[member]);
}

/// Takes back what is not compared: versions of the storage, and labels that a patch makes an empty map,
/// which the server shows as {} and the simulator as null.
void keep_comparable(const Value& object, Value& patched, const cases::Kind& kind) {
  if (patched["metadata"].is_object()) {
    patched.edit("metadata").remove("resourceVersion");
    if (const Value& version = object["metadata"]["resourceVersion"]; !version.is_null())
      patched.edit("metadata").set("resourceVersion", version);
  }
  const Value& labels = apiserver::template_in(patched, kind)["metadata"]["labels"];
  if (labels.is_object() && labels.empty())
    apiserver::edit_template(patched, kind).edit("metadata").remove("labels");
}

}  // namespace

Case draw_workload_case(Choices& choices) {
  Case value;
  value.cluster.objects = {compared_configuration({"apps", "batch"}, {"*/*"})};
  value.webhooks[std::string(kComparedWebhook)] = cases::Script{};
  const cases::Kind& kind = choices.pick(kinds());
  value.request.object = draw_workload(choices, kind, draw_pod(choices, {}));
  if (choices.below(5) < 2) update(value, choices, kind);
  if (choices.coin()) vary(choices, kind, value.request.object);
  keep_identity(value);
  if (choices.coin()) {
    Value patched = value.request.object;
    if (choices.coin())
      choices.pick(workload_changes()).make(choices, kind, patched);
    else
      vary(choices, kind, patched);
    keep_comparable(value.request.object, patched, kind);
    put_compared_patch(value, document::diff(value.request.object, patched));
  }
  return value;
}

}  // namespace fixpoint::generators
