#include "generators/requests.h"

#include <algorithm>
#include <array>

#include "generators/boundary_values.h"
#include "generators/draw.h"
#include "generators/draw_expression.h"
#include "generators/typed_edits.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/registry/whole_request.h"
#include "harness/apiserver/types/walk.h"
#include "harness/apiserver/validation/validate.h"
#include "harness/document/check.h"

namespace fixpoint::generators {

namespace {

/// The limit on draws until one has a property that most draws have.
constexpr int kTriesMax = 8;

Value minimal_pod() {
  return {{"metadata", {{"name", "web"}}},
          {"spec", {{"containers", Value::list({Value{{"name", "main"}, {"image", "nginx:1"}}})}}}};
}

Value sent_pod(Choices& choices) {
  Value pod = choices.below(3) == 0 ? minimal_pod() : draw_pod(choices, {});
  if (choices.coin()) {
    pod.set("apiVersion", "v1");
    pod.set("kind", "Pod");
  }
  return pod;
}

void put_in(Value& line, Choices& choices, int minor) {
  line.set("in", draw_edited_pod(choices, 6, false, minor));
}

void put_pod(Value& line, Choices& choices, int minor) {
  line.set("pod", draw_edited_pod(choices, 8, true, minor));
}

/// Draws a stored Pod: with a name and a namespace, mostly valid.
Value stored_pod(Choices& choices, int minor) {
  Value pod;
  for (int tries = 0; tries < kTriesMax; ++tries) {
    pod = draw_edited_pod(choices, 4, true, minor);
    Value& metadata = pod.edit("metadata");
    metadata.set("namespace", "default");
    if (!choices.one_in(8)) metadata.set("uid", "u-1");
    if (!choices.one_in(8)) metadata.set("resourceVersion", "7");
    if (choices.coin()) metadata.set("creationTimestamp", "2025-01-01T00:00:00Z");
    const auto errors = apiserver::errors_of_request("create", pod, {}, minor);
    if ((errors.ok() && errors->empty()) || choices.one_in(12)) break;
  }
  if (choices.coin()) pod.set("status", {{"phase", "Running"}, {"qosClass", "BestEffort"}});
  return pod;
}

struct Update {
  const char* operation;
  void (*change)(Value& pod, Choices& choices, int minor);
};

/// Returns the member, which becomes an empty object if it is none.
Value& object_in(Value& pod, const char* name) {
  Value& member = pod.edit(name);
  if (!member.is_object()) member = Value::empty_object();
  return member;
}

Value& some_container(Value& pod, Choices& choices) {
  const char* list =
      pod["spec"]["initContainers"].empty() || choices.below(3) != 0 ? "containers" : "initContainers";
  Value& containers = object_in(pod, "spec").edit(list);
  if (!containers.is_array() || containers.empty()) containers = Value::list({Value{{"name", "main"}}});
  Value& container = containers.edit(choices.below(containers.size()));
  if (!container.is_object()) container = Value::empty_object();
  return container;
}

void edit_field(Value& at, std::string_view path, Choices& choices, int minor) {
  const auto* field = apiserver::field_at(path, minor);
  if (field != nullptr) at.set(field->name, typed_value(*field, choices, {.minor = minor}));
}

/// Changes fields that the server allows to change in a stored Pod, and rarely others.
void change_pod(Value& pod, Choices& choices, int minor) {
  constexpr std::array kMutable = {"spec.tolerations",
                                   "spec.activeDeadlineSeconds",
                                   "spec.schedulingGates",
                                   "spec.terminationGracePeriodSeconds",
                                   "spec.nodeSelector",
                                   "spec.affinity",
                                   "spec.hostUsers",
                                   "spec.containers[].image",
                                   "metadata.labels",
                                   "metadata.annotations",
                                   "metadata.finalizers",
                                   "metadata.generation",
                                   "metadata.deletionTimestamp",
                                   "metadata.ownerReferences"};
  const std::string_view path = choices.pick(kMutable);
  if (choices.below(3) == 0) return edit_pod(pod, choices, {.minor = minor});
  if (path.starts_with("metadata.")) return edit_field(object_in(pod, "metadata"), path, choices, minor);
  if (path.find('[') != std::string_view::npos) {
    return edit_field(some_container(pod, choices), path, choices, minor);
  }
  edit_field(object_in(pod, "spec"), path, choices, minor);
}

void change_ephemeral(Value& pod, Choices& choices, int minor) {
  if (choices.one_in(6)) return edit_pod(pod, choices, {.minor = minor});
  const auto* field = apiserver::field_at("spec.ephemeralContainers", minor);
  Value added = typed_value(*field, choices, {.minor = minor});
  Value& list = object_in(pod, "spec").edit("ephemeralContainers");
  if (!list.is_array() || choices.one_in(8)) list = Value::empty_list();
  for (const Value& element : added.elements()) list.push_back(element);
  Value debugger{{"name", "debug"}, {"image", "busybox"}};
  if (choices.coin()) debugger.set("targetContainerName", pod["spec"]["containers"].at(0)["name"]);
  if (choices.coin()) list.push_back(std::move(debugger));
}

void change_resources(Value& pod, Choices& choices, int minor) {
  switch (choices.below(6)) {
    case 0:
      return edit_pod(pod, choices, {.minor = minor});
    case 1:
      return edit_field(object_in(pod, "spec"), "spec.resources", choices, minor);
    case 2:
      return edit_field(some_container(pod, choices), "spec.containers[].resizePolicy", choices, minor);
    default:
      return edit_field(some_container(pod, choices), "spec.containers[].resources", choices, minor);
  }
}

constexpr auto kUpdates = std::to_array<Update>({{"update", change_pod},
                                                 {"update", change_pod},
                                                 {"update", change_pod},
                                                 {"ephemeralcontainers", change_ephemeral},
                                                 {"resize", change_resources}});

void put_validation(Value& line, Choices& choices, int minor) {
  if (choices.below(3) != 0) {
    line.set("operation", "create");
    return put_pod(line, choices, minor);
  }
  const Update& update = choices.pick(kUpdates);
  const Value old = stored_pod(choices, minor);
  Value pod = old;
  for (int tries = 0; tries < kTriesMax; ++tries) {
    Value changed = old;
    for (auto left = choices.below(4); left > 0; --left) update.change(changed, choices, minor);
    if (apiserver::errors_of_request(update.operation, changed, old, minor).ok()) {
      pod = std::move(changed);
      break;
    }
  }
  line.set("operation", update.operation);
  line.set("pod", std::move(pod));
  line.set("old", old);
}

void put_patch(Value& line, Choices& choices, int minor) {
  Value document;
  switch (choices.below(4)) {
    case 0:
      document = draw_edited_pod(choices, 3, false, minor);
      break;
    case 1:
      document = *apiserver::defaulted_pod(draw_edited_pod(choices, 3, true, minor), minor);
      break;
    default:
      for (const char* name : {"a", "b", "c", "", "x/y", "~", "0"}) {
        if (choices.coin()) document.set(name, Value::list({wrong_value(choices), wrong_value(choices)}));
        if (choices.coin()) document.set(name, wrong_value(choices));
        if (choices.one_in(8)) document = {{name, document}, {"name", wrong_value(choices)}};
      }
  }
  if (choices.one_in(64)) document = wrong_value(choices);
  line.set("patch", draw_patch(document, choices, minor));
  line.set("doc", std::move(document));
}

void put_case(Value& line, Choices& choices, int minor) {
  cases::Case value = draw_adversarial_case(choices, minor);
  if (minor != cases::kRecordedMinor) return line.set("case", cases::write_case(value));
  if (choices.coin()) put_strict_judges(value, choices);
  line.set("case", cases::write_case(value));
  line.set("outcome", {{"validating", Value::empty_object()}});  // asks for the validating phase as well
}

void put_expression(Value& line, Choices& choices, int) {
  line.set("expression", draw_expression(choices, choices.between(1, 5)));
  line.set("variables", expression_variables());
}

using Put = void (*)(Value& line, Choices& choices, int minor);
constexpr std::array<Put, kRequestKinds.size()> kPuts{put_in,         put_in,   put_patch,     put_pod,
                                                      put_validation, put_case, put_expression};

}  // namespace

Value draw_edited_pod(Choices& choices, int edits_max, bool decodes, int minor) {
  const EditOptions options{.minor = minor, .is_careless = !decodes || choices.one_in(4)};
  Value pod;
  for (int tries = 0; tries < kTriesMax; ++tries) {
    pod = sent_pod(choices);
    for (int left = choices.between(0, edits_max); left > 0; --left) edit_pod(pod, choices, options);
    if (!decodes || apiserver::defaulted_pod(pod, minor).ok()) return pod;
  }
  return minimal_pod();
}

Value draw_request(std::string_view kind, const std::string& id, Choices& choices, int minor) {
  const auto place = std::find(kRequestKinds.begin(), kRequestKinds.end(), kind);
  document::check(place != kRequestKinds.end(), "a request has one of the kinds");
  Value line{{"kind", kind}, {"id", id}};
  if (minor != apiserver::kNewestMinor) line.set("version", cases::version_of(minor));
  kPuts[static_cast<std::size_t>(place - kRequestKinds.begin())](line, choices, minor);
  return line;
}

}  // namespace fixpoint::generators
