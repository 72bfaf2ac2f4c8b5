#include <algorithm>
#include <array>

#include "generators/draw_context.h"
#include "harness/apiserver/admission/admission.h"
#include "harness/cases/minors.h"
#include "harness/cases/webhook_configuration.h"

namespace fixpoint::generators {

namespace {

using HandlerMap = std::map<std::string, webhooks::Handler>;

/// Returns the Pod as the cluster stores it after a creation through the given webhooks alone; null if it is
/// refused.
Value created(const Case& value, const PreparedSubject& prepared_subject, const HandlerMap& handlers) {
  Case alone;
  alone.request = value.request;
  alone.request.dry_run = false;
  alone.cluster = value.cluster;
  std::erase_if(alone.cluster.objects,
                [](const Value& object) { return cases::is_webhook_configuration(object); });
  if (!handlers.empty()) alone.cluster.objects.push_back(prepared_subject.subject.configuration);
  const auto admission = apiserver::admit(alone, handlers);
  if (!admission || !admission->allowed) return {};
  Value stored = admission->stored;
  if (!stored.is_object()) return {};
  if (stored["metadata"]["name"].text().empty()) stored.edit("metadata").set("name", "job-xxxxx");
  return stored;
}

/// A change that clients or controllers make to stored Pods. `now` starts as a copy of `old`.
struct Change {
  std::string_view name;
  void (*make)(Choices& choices, Case& value, Value& old, Value& now);
};

void unchanged(Choices&, Case&, Value&, Value&) {}

void relabelled(Choices& choices, Case&, Value&, Value& now) {
  now.edit("metadata").edit(choices.coin() ? "labels" : "annotations").set("touched.example.io/by", "hand");
}

void terminating(Value& pod) {
  pod.edit("metadata").set("deletionTimestamp", "2026-01-01T00:00:00Z");
  pod.edit("metadata").set("deletionGracePeriodSeconds", 30);
}

void finalizer_removed(Choices& choices, Case&, Value& old, Value& now) {
  if (choices.below(3) != 0) terminating(old), terminating(now);
  old.edit("metadata").set("finalizers", Value::list({"example.io/keep"}));
  now.edit("metadata").remove("finalizers");
}

void image_changed(Choices&, Case&, Value&, Value& now) {
  now.edit("spec").edit("containers").edit(0).set("image", "x:2");
}

void toleration_added(Choices&, Case&, Value&, Value& now) {
  now.edit("spec")
      .edit("tolerations")
      .push_back({{"key", "gpu"}, {"operator", "Exists"}, {"effect", "NoSchedule"}});
}

void deadline_set(Choices&, Case&, Value&, Value& now) { now.edit("spec").set("activeDeadlineSeconds", 600); }

void gate_removed(Choices&, Case&, Value& old, Value& now) {
  old.edit("spec").set("schedulingGates", Value::list({Value{{"name", "a.io/b"}}}));
  now.edit("spec").remove("schedulingGates");
}

void forbidden(Choices&, Case&, Value&, Value& now) {
  now.edit("spec").edit("containers").edit(0).edit("env").push_back({{"name", "NEW"}, {"value", "1"}});
}

void ephemeral_added(Choices& choices, Case& value, Value&, Value& now) {
  value.request.sub_resource = "ephemeralcontainers";
  Value debugger{{"name", "debug"}, {"image", "busybox"}, {"stdin", true}, {"tty", true}};
  if (choices.coin()) debugger.set("targetContainerName", now["spec"]["containers"].at(0)["name"]);
  now.edit("spec").edit("ephemeralContainers").push_back(std::move(debugger));
}

void resized(Choices& choices, Case& value, Value& old, Value& now) {
  if (cases::minor_of(value.cluster) < cases::kResizeServedSince)
    return image_changed(choices, value, old, now);
  value.request.sub_resource = "resize";
  Value& container = now.edit("spec").edit("containers").edit(0);
  container.edit("resources").edit("requests").set("cpu", "20m");
}

constexpr auto kChanges = std::to_array<Change>({{"unchanged", unchanged},
                                                 {"metadata only", relabelled},
                                                 {"finalizer removed", finalizer_removed},
                                                 {"image changed", image_changed},
                                                 {"toleration added", toleration_added},
                                                 {"deadline set", deadline_set},
                                                 {"gate removed", gate_removed},
                                                 {"what must not change", forbidden},
                                                 {"ephemeral container", ephemeral_added},
                                                 {"resize", resized}});

/// Turns the Pod into a user's copy of what the cluster shows: without the bookkeeping, or with a part
/// missing.
void copy_badly(Choices& choices, Value& pod) {
  Value& metadata = pod.edit("metadata");
  for (const char* server : {"managedFields", "uid", "creationTimestamp", "generation", "resourceVersion"}) {
    metadata.remove(server);
  }
  pod.remove("status");
  switch (choices.below(6)) {
    case 0:
      return;
    case 1:
      metadata.remove("annotations");
      return;
    case 2:
      pod.edit("spec").remove("volumes");
      return;
    case 3: {
      auto& containers = pod.edit("spec").edit("containers").edit_elements();
      if (containers.size() > 1)
        containers.erase(containers.begin() + static_cast<std::ptrdiff_t>(choices.below(containers.size())));
      return;
    }
    case 4:
      pod.edit("spec").edit("containers").push_back({{"name", "added-later"}, {"image", "x:1"}});
      return;
    default:
      pod.edit("spec").remove("initContainers");
      return;
  }
}

}  // namespace

void make_injected(Case& value, const PreparedSubject& prepared_subject, Choices& choices) {
  if (prepared_subject.injected_by.empty()) return;
  Value pod = created(value, prepared_subject, choices.pick(prepared_subject.injected_by));
  if (pod.is_null()) return;
  copy_badly(choices, pod);
  value.request.object = std::move(pod);
}

void make_update(Case& value, const PreparedSubject& prepared_subject, Choices& choices) {
  static const HandlerMap kNobody;
  // The Pod was created before the webhook existed, or with it, or with an earlier release of it.
  const auto before = choices.below(prepared_subject.injected_by.size() + 1);
  Value old =
      created(value, prepared_subject, before == 0 ? kNobody : prepared_subject.injected_by[before - 1]);
  if (old.is_null()) return;
  old.edit("metadata").remove("managedFields");
  Value now = old;
  choices.pick(kChanges).make(choices, value, old, now);
  value.request.operation = "UPDATE";
  value.request.object = std::move(now);
  value.request.old_object = std::move(old);
}

}  // namespace fixpoint::generators
