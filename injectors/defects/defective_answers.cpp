#include "injectors/defects/defect_helpers.h"
#include "injectors/defects/defects.h"

namespace fixpoint::injectors::defects {

namespace {

// Answers that are wrong in their content, their time or the request that they belong to.

constexpr const char* kLabel = "defects.example.io/answered";

Answer labelled(const Call& call) {
  return changed(call, [](Value& pod) { pod.edit("metadata").edit("labels").set(kLabel, "yes"); });
}

Answer inject_on_update(const Call& call, bool is_fixed) {
  if (call.request.is_update() && is_fixed) return webhooks::allow();
  return changed(call, [](Value& pod) {
    if (!has_container(pod, "late-agent"))
      pod.edit("spec").edit("containers").push_back(container("late-agent", "agent:1"));
  });
}

/// Adds its finalizer on every call, so that a Pod whose last finalizer was just removed cannot be deleted.
Answer finalizer_again(const Call& call, bool is_fixed) {
  constexpr std::string_view kFinalizer = "defects.example.io/cleanup";
  if (call.request.is_update() && is_fixed) return webhooks::allow();
  return changed(call, [&](Value& pod) {
    for (const Value& one : pod["metadata"]["finalizers"].elements()) {
      if (one.text() == kFinalizer) return;
    }
    pod.edit("metadata").edit("finalizers").push_back(kFinalizer);
  });
}

Answer type_without_patch(const Call& call, bool is_fixed) {
  Answer answer = labelled(call);
  if (!is_fixed) answer.patch_type = "JSONPatch";
  return answer;
}

Answer uid_not_echoed(const Call& call, bool is_fixed) {
  Answer answer = labelled(call);
  answer.uid_echoed = is_fixed;
  return answer;
}

Answer refuses_output(const Call& call, bool is_fixed) {
  const bool is_done = !call.object["metadata"]["labels"][kLabel].is_null();
  if (is_done && !is_fixed) return webhooks::deny(400, "BadRequest", "is translated already");
  return is_done ? webhooks::allow() : labelled(call);
}

Answer dry_run_idle(const Call& call, bool is_fixed) {
  return call.request.dry_run && !is_fixed ? webhooks::allow() : labelled(call);
}

/// Notes each Pod in a ConfigMap, dry runs included. The request to the API is a record of one: there is no
/// API within this process.
Answer write_on_dry_run(const Call& call, bool is_fixed) {
  Answer answer = labelled(call);
  answer.accesses = {{.verb = is_fixed ? "get" : "update",
                      .version = "v1",
                      .resource = "configmaps",
                      .kind = "ConfigMap",
                      .namespace_name = call.request.namespace_name,
                      .name = "injected-pods",
                      .status = is_fixed ? 200 : 403}};
  return answer;
}

/// Takes time for every container, as if it called another service for each.
Answer slow(const Call& call, bool is_fixed) {
  Answer answer = labelled(call);
  answer.seconds = (is_fixed ? 0.01 : 0.6) * static_cast<double>(call.object["spec"]["containers"].size());
  return answer;
}

void owns_label(runner::Subject& subject) { owns(subject, {"metadata.labels[defects.example.io/answered]"}); }

constexpr Defect kAnswerDefects[] = {
    {"inject-on-update", "Adds its sidecar to running Pods.", "update-safe", inject_on_update,
     also_on_update},
    {"finalizer-added-again", "Gives a terminating Pod its finalizer back.", "update-safe", finalizer_again,
     also_on_update},
    {"type-without-patch", "Sends a patchType when there is no patch.", "protocol", type_without_patch,
     owns_label},
    {"uid-not-echoed", "Answers without the request's uid.", "protocol", uid_not_echoed, owns_label},
    {"own-output-refused", "Refuses a Pod that it translated itself.", "accepts-own-output", refuses_output,
     owns_label},
    {"write-on-dry-run", "Notes each Pod in a ConfigMap, for a dry run, too.", "no-side-effects",
     write_on_dry_run, owns_label},
    {"dry-run-left-out", "Changes nothing in a dry run.", "dry-run-equal", dry_run_idle, owns_label},
    {"slow-answer", "Needs 0.6 seconds for each container.", "within-budget", slow, owns_label},
};

}  // namespace

std::span<const Defect> answer_defects() { return kAnswerDefects; }

}  // namespace fixpoint::injectors::defects
