#include <algorithm>
#include <string>
#include <vector>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/kinds/job_checks.h"
#include "harness/apiserver/kinds/job_policies.h"
#include "harness/apiserver/kinds/job_status.h"
#include "harness/apiserver/types/equality.h"
#include "harness/apiserver/types/job_types.h"
#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/scheduling_types.h"
#include "harness/apiserver/warnings/warnings.h"

// Jobs (pkg/apis/batch, pkg/registry/batch/job).
namespace fixpoint::apiserver::kinds {

namespace {

constexpr Name kUidLabels[] = {"controller-uid", "batch.kubernetes.io/controller-uid"};
constexpr Name kNameLabels[] = {"job-name", "batch.kubernetes.io/job-name"};
constexpr int kMutableSuspendedSince = 36;

void default_job(Value& job, int) {
  const auto put = [&](const char* member, const Value& value) {
    put_default(job, kJob, {"spec", member}, value);
  };
  if (job["spec"]["parallelism"].is_null()) put("completions", 1);
  put("parallelism", 1);
  put("backoffLimit", job["spec"]["backoffLimitPerIndex"].is_null() ? 6 : 2147483647);
  put("completionMode", "NonIndexed");
  put("suspend", false);
  put("podReplacementPolicy", job["spec"]["podFailurePolicy"].is_null() ? "TerminatingOrFailed" : "Failed");
  put("manualSelector", false);
  const Value labels = job["spec"]["template"]["metadata"]["labels"];
  if (!labels.empty() && job["metadata"]["labels"].empty()) put_at(job, kJob, kLabels, labels);
}

/// Adds the member to a sorted map, unless it has one.
void add_label(Value& labels, const Name& name, std::string_view text) {
  if (labels.find(name) != nullptr) return;
  std::vector<document::Member> members(labels.members().begin(), labels.members().end());
  const auto at = std::find_if(members.begin(), members.end(),
                               [&](const auto& member) { return member.key.text() > name.text; });
  members.insert(at, {document::Key(name), Value(text)});
  labels = Value(std::move(members));
}

/// Selects the Pods of the Job by its uid, unless the user selects them.
void generate_selector(Value& job) {
  constexpr Name kOfTemplate[] = {"spec", "template", "metadata", "labels"};
  constexpr Name kOfSelector[] = {"spec", "selector", "matchLabels"};
  Value labels = template_of(job, kOfTemplate), selected_labels = template_of(job, kOfSelector);
  const std::string uid(job["metadata"]["uid"].text()), name(job["metadata"]["name"].text());
  for (const Name& label : kNameLabels) add_label(labels, label, name);
  for (const Name& label : kUidLabels) add_label(labels, label, uid);
  add_label(selected_labels, kUidLabels[1], uid);
  put_at(job, kJob, kOfTemplate, std::move(labels));
  put_at(job, kJob, kOfSelector, std::move(selected_labels));
}

void prepare_job(Value& job, const Value& old, int minor) {
  Value spec = job["spec"];
  drop_disabled_job_fields(spec, old["spec"], minor);
  if (!spec.same(job["spec"])) job.set("spec", std::move(spec));
  if (!old.is_null()) return;
  constexpr Name kUid[] = {"metadata", "uid"};
  put_at(job, kJob, kUid, Value(kPlaceholderUid));
  if (!job["spec"]["manualSelector"].is_true()) generate_selector(job);
}

void check_label(const Value& job, const Name& label, std::string_view expected, Errors& errors) {
  const Path path("spec.template.metadata.labels");
  const Value& labels = job["spec"]["template"]["metadata"]["labels"];
  const Value* found = labels.find(label);
  const std::string detail = Text("must be '{}'").with({expected});
  if (found == nullptr) return errors.required(path.key(label.text), detail);
  if (found->text() != expected) errors.invalid(path.key(label.text), labels, detail);
}

/// Checks that the selector is the generated one. A Job from before the prefixed labels need not have them.
void check_generated_selector(const Value& job, bool has_prefixed_labels, Errors& errors) {
  const Value& selector = job["spec"]["selector"];
  if (job["spec"]["manualSelector"].is_true() || selector.is_null()) return;
  const std::string_view uid = job["metadata"]["uid"].text(), name = job["metadata"]["name"].text();
  if (uid.empty()) errors.required(Path("metadata.uid"));
  std::vector<document::Member> expected;
  for (std::size_t i = 0; i < (has_prefixed_labels ? 2 : 1); ++i) {
    check_label(job, kUidLabels[i], uid, errors);
    check_label(job, kNameLabels[i], name, errors);
    expected.push_back({document::Key(kUidLabels[i]), Value(uid)});
    expected.push_back({document::Key(kNameLabels[i]), Value(name)});
  }
  if (selected(selector, Value(std::move(expected))) == Selected::no)
    errors.invalid(Path("spec.selector"), selector, Text("`selector` not auto-generated"));
}

void check_spec_of_job(const Change& change, Errors& errors) {
  const Value& spec = change.spec();
  const Path path("spec"), selector_path = path.child("selector");
  check_job_spec(spec, change.of_template, path, errors);
  if (spec["selector"].is_null()) {
    errors.required(selector_path);
  } else {
    const bool allows_any_value =
        change.of_template.allows_selector_values || has_bad_value(change.old_spec()["selector"]);
    validation::check_label_selector(spec["selector"], allows_any_value, selector_path, errors);
  }
  check_selected(spec, path, errors);
}

/// The Pods of an indexed Job are named after it.
void check_hostname(const Value& job, Errors& errors) {
  const std::int64_t completions = job["spec"]["completions"].integer().value_or(0);
  if (job["spec"]["completionMode"].text() != "Indexed" || completions <= 0) return;
  const std::string_view name = job["metadata"]["name"].text();
  const std::string last = std::string(name).append("-").append(std::to_string(completions - 1));
  if (!validation::check_dns_label(last).empty())
    errors.invalid(Path("metadata.name"), name,
                   Text("will not able to create pod with invalid DNS label: {}").with({last}));
}

void check_job(const Change& change, bool has_prefixed_labels, Errors& errors) {
  validation::check_metadata(change.object["metadata"], Path("metadata"), validation::MetadataRules::of_pods,
                             errors);
  check_generated_selector(change.object, has_prefixed_labels, errors);
  check_spec_of_job(change, errors);
  check_hostname(change.object, errors);
}

void check_new_job(const Change& change, Errors& errors) { check_job(change, true, errors); }

void check_completions(const Value& spec, const Value& old, const Path& path, Errors& errors) {
  const Value& now = spec["completions"];
  if (spec["completionMode"].text() != "Indexed") return check_fixed(now, old["completions"], path, errors);
  if (now == old["completions"] || now.is_null() || now == spec["parallelism"]) return;
  errors.invalid(path, now, Text("can only be modified in tandem with spec.parallelism"));
}

/// Fields that may change in the template of a suspended Job.
struct Mutable {
  bool scheduling = false, resources = false;
};
Mutable mutable_parts(const Value& old, int minor) {
  const bool is_suspended = old["spec"]["suspend"].is_true();
  const bool never_started = old["status"]["startTime"].is_null();
  if (minor < kMutableSuspendedSince) return {.scheduling = is_suspended && never_started};
  const bool is_at_rest = is_suspended && (never_started || has_condition(old, "Suspended")) &&
                          old["status"]["active"].integer().value_or(0) == 0;
  return {.scheduling = is_at_rest, .resources = is_at_rest};
}

void take(Value& to, const Value& from, const Name& name, const Type& type) {
  const Value* member = from.find(name);
  member == nullptr ? void(to.remove(name)) : put_member(to, type, name, *member);
}

/// The old template with the parts of the new one that say where Pods run.
Value with_scheduling_of(const Value& now, const Value& old) {
  Value result = old;
  for (const char* member : {"labels", "annotations"})
    take(result.edit("metadata"), now["metadata"], member, kObjectMeta);
  Value& spec = result.edit("spec");
  for (const char* member : {"nodeSelector", "tolerations", "schedulingGates"})
    take(spec, now["spec"], member, kPodSpec);
  const Value& affinity = now["spec"]["affinity"];
  if (affinity.is_null() && spec["affinity"].is_null()) return result;
  if (spec["affinity"].is_null()) put_member(spec, kPodSpec, "affinity", Value::empty_object());
  take(spec.edit("affinity"), affinity, "nodeAffinity", kAffinity);
  if (affinity.is_null() && spec["affinity"].empty()) spec.remove("affinity");
  return result;
}

/// The old spec of Pods with the new resources of containers that have kept their places and names.
Value with_resources_of(const Value& now, const Value& old) {
  Value result = old;
  for (const char* list : {"containers", "initContainers"}) {
    if (now[list].size() != old[list].size()) continue;
    for (std::size_t i = 0; i < now[list].size(); ++i) {
      if (!(now[list].at(i)["name"] == old[list].at(i)["name"])) continue;
      Value& container = result.edit(list).edit(i);
      container.set("resources", now[list].at(i)["resources"]);
    }
  }
  return result;
}

void check_template_update(const Change& change, const Path& path, Errors& errors) {
  const Value& now = change.spec()["template"];
  const Mutable may_change = mutable_parts(change.old, change.minor);
  Value old = change.old_spec()["template"];
  if (may_change.scheduling) old = with_scheduling_of(now, old);
  if (!may_change.resources) return check_fixed(now, old, kPodTemplateSpec, path, errors);
  check_fixed(now["spec"], with_resources_of(now["spec"], old["spec"]), kPodSpec, path.child("spec"), errors);
}

void check_updated_job(const Change& change, Errors& errors) {
  const Value &spec = change.spec(), &old = change.old_spec();
  const Value& old_labels = old["template"]["metadata"]["labels"];
  const Path path("spec");
  check_job(change, old_labels.find(kUidLabels[1]) != nullptr && old_labels.find(kNameLabels[1]) != nullptr,
            errors);
  check_spec_of_job(change, errors);
  check_completions(spec, old, path.child("completions"), errors);
  check_fixed(spec["selector"], old["selector"], kLabelSelector, path.child("selector"), errors);
  check_template_update(change, path.child("template"), errors);
  for (const char* member : {"completionMode", "backoffLimitPerIndex", "managedBy"})
    check_fixed(spec[member], old[member], path.child(member), errors);
  const auto check_policy = [&](const char* member, std::span<const document::GoMember> members) {
    if (!(spec[member] == old[member]))
      errors.invalid(path.child(member), spec[member], members, Text("field is immutable"));
  };
  check_policy("podFailurePolicy", kFailurePolicyMembers);
  check_policy("successPolicy", kSuccessPolicyMembers);
}

void warn_of_job(const Change& change, std::vector<std::string>& warnings) {
  if (!change.is_update())
    for (std::string& one : name_warnings(change.object, change.minor)) warnings.push_back(std::move(one));
  const bool is_new_generation = !change.is_update() || !(change.object["metadata"]["generation"] ==
                                                          change.old["metadata"]["generation"]);
  if (is_new_generation) warn_of_indexes(change.spec(), "spec", warnings);
}

bool job_panics(const Value& job) { return success_policy_panics(job["spec"]); }

}  // namespace

const TypedKind kJobs{.type = kJob,
                      .template_steps = kInSpec,
                      .template_path = "spec.template",
                      .set_defaults = default_job,
                      .prepare = prepare_job,
                      .check_create = check_new_job,
                      .check_update = check_updated_job,
                      .check_status = check_status_of_job,
                      .panics = job_panics,
                      .warn = warn_of_job};

}  // namespace fixpoint::apiserver::kinds
