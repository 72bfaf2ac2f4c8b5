#include <limits>

#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver::validation {

namespace {

/// Members whose format is checked if they are set (not empty, or for pointers: not null).
struct FormatRow {
  Name name;
  Problems (*check)(std::string_view);
  bool is_pointer = false;
};
constexpr FormatRow kFormats[] = {
    {"serviceAccountName", check_dns_subdomain},
    {"nodeName", check_dns_subdomain},
    {"hostname", check_dns_label},
    {"subdomain", check_dns_label},
    {"priorityClassName", check_dns_subdomain},
    {"runtimeClassName", check_dns_subdomain, true},
};

void check_formats(Context& context, const Path& path) {
  for (const FormatRow& row : kFormats) {
    const Value& value = context.spec[row.name];
    if (value.is_null() || (!row.is_pointer && value.text().empty())) continue;
    if (context.passed.has_member(row.name, value)) continue;
    context.errors.invalid(path.child(row.name.text), value.text(), row.check(value.text()));
  }
}

void check_policies(Context& context, const Path& path) {
  const Value& spec = context.spec;
  check_choice(spec["restartPolicy"], {"Always", "OnFailure", "Never"}, path.child("restartPolicy"),
               context.errors);
  check_choice(spec["dnsPolicy"], {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"},
               path.child("dnsPolicy"), context.errors);
  if (!spec["preemptionPolicy"].is_null()) {
    check_choice(spec["preemptionPolicy"], {"PreemptLowerPriority", "Never"}, path.child("preemptionPolicy"),
                 context.errors);
  }
  if (spec["terminationGracePeriodSeconds"].is_null()) {
    context.errors.required(path.child("terminationGracePeriodSeconds"));
  }
  const Value& deadline = spec["activeDeadlineSeconds"];
  if (deadline.is_null()) return;
  const std::int64_t seconds = deadline.integer().value_or(0);
  if (seconds < 1 || seconds > std::numeric_limits<std::int32_t>::max()) {
    context.errors.invalid(path.child("activeDeadlineSeconds"), deadline,
                           Text("must be between 1 and 2147483647, inclusive"));
  }
}

void check_readiness_gates(const Value& gates, const Path& path, Errors& errors) {
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const Path item = path.at(i);
    const std::string_view type = gates.at(i)["conditionType"].text();
    errors.invalid(item.child("conditionType"), type, check_qualified_name(type));
  }
}

void check_scheduling_group(const Value& group, const Path& path, Errors& errors) {
  if (group.is_null()) return;
  const Value& name = group["podGroupName"];
  if (name.is_null())
    return errors.invalid(path.child("podGroupName"), name, Text("must specify one of: `podGroupName`"));
  errors.invalid(path.child("podGroupName"), name.text(), check_dns_subdomain(name.text()));
}

/// The field of 1.35 that schedulingGroup replaced. No new Pod has it, but a stored one may.
void check_workload_reference(const Value& reference, const Path& path, Errors& errors) {
  if (reference.is_null()) return;
  const std::string_view name = reference["name"].text(), group = reference["podGroup"].text(),
                         replica = reference["podGroupReplicaKey"].text();
  errors.invalid(path.child("name"), name, check_dns_subdomain(name));
  errors.invalid(path.child("podGroup"), group, check_dns_label(group));
  if (!replica.empty()) errors.invalid(path.child("podGroupReplicaKey"), replica, check_dns_label(replica));
}

/// A token needs an account.
void check_token_sources(Context& context, const Path& volumes_path) {
  if (!context.spec["serviceAccountName"].text().empty()) return;
  const Value& volumes = context.spec["volumes"];
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const Value& sources = volumes.at(i)["projected"]["sources"];
    const Path item = volumes_path.at(i), sources_path = item.child("projected.sources");
    for (std::size_t j = 0; j < sources.size(); ++j) {
      if (sources.at(j)["serviceAccountToken"].is_null()) continue;
      const Path source_path = sources_path.at(j);
      context.errors.forbidden(source_path.child("serviceAccountToken"),
                               Text("must not be specified when serviceAccountName is not set"));
    }
  }
}

void check_spec(Context& context, const Path& path) {
  const Value& spec = context.spec;
  Errors& errors = context.errors;
  check_volumes(context, path.child("volumes"));
  check_resource_claims(context, path.child("resourceClaims"));
  check_containers(context, path.child("containers"));
  check_init_containers(context, path.child("initContainers"));
  check_ephemeral_containers(context, path.child("ephemeralContainers"));
  if (context.options.minor >= gate::kPodLevelResources) check_pod_resources(context, path);
  check_host_network_ports(context, path.child("containers"));
  check_policies(context, path);
  check_labels(spec["nodeSelector"], path.child("nodeSelector"), errors);
  check_pod_security_context(context, path.child("securityContext"));
  check_affinity(spec["affinity"], path.child("affinity"), context);
  check_dns(context, path);
  check_readiness_gates(spec["readinessGates"], path.child("readinessGates"), errors);
  check_scheduling_gates(spec["schedulingGates"], path.child("schedulingGates"), errors);
  check_spread_constraints(context, path.child("topologySpreadConstraints"));
  check_host_process(context, path);
  check_host_users(context, path);
  check_hostname(context, path);
  check_formats(context, path);
  check_tolerations(spec["tolerations"], path.child("tolerations"), errors, context.options);
  check_host_aliases(spec["hostAliases"], path.child("hostAliases"), context);
  check_overhead(spec["overhead"], path.child("overhead"), context);
  check_os(context, path);
  check_scheduling_group(spec["schedulingGroup"], path.child("schedulingGroup"), errors);
  check_workload_reference(spec["workloadRef"], path.child("workloadRef"), errors);
  check_file_key_volumes(context, path);
}

}  // namespace

void check_metadata_and_spec(Context& context) {
  const Path metadata_path("metadata"), spec_path("spec");
  check_metadata(context.metadata, metadata_path, MetadataRules::of_pods, context.errors,
                 context.passed.metadata());
  check_pod_annotations(context, metadata_path.child("annotations"));
  check_spec(context, spec_path);
  check_token_sources(context, spec_path.child("volumes"));
}

void check_template_metadata(Context& context, const Path& path) {
  const Value& metadata = context.metadata;
  const Path annotations_path = path.child("annotations");
  check_labels(metadata["labels"], path.child("labels"), context.errors);
  check_annotation_keys(metadata["annotations"], annotations_path, context.errors);
  check_pod_annotations(context, annotations_path);
}

void check_pod_template(const Value& pod_template, const Options& options, const Path& path, Errors& errors) {
  Context context = make_template_context(pod_template, options, errors);
  const Path spec_path = path.child("spec");
  check_template_metadata(context, path);
  check_spec(context, spec_path);
  check_annotations_against_fields(context, spec_path);
  if (!context.spec["ephemeralContainers"].empty())
    errors.forbidden(spec_path.child("ephemeralContainers"),
                     Text("ephemeral containers not allowed in pod template"));
}

Context make_template_context(const Value& pod_template, const Options& options, Errors& errors) {
  Context context = make_context(pod_template, options, errors);
  context.is_template = true;
  context.pod_name = {};
  return context;
}

Context make_context(const Value& pod, const Options& options, Errors& errors) {
  const Value& spec = pod["spec"];
  Context context{.errors = errors,
                  .options = options,
                  .metadata = pod["metadata"],
                  .spec = spec,
                  .pod_name = pod["metadata"]["name"].text()};
  for (const Value& claim : spec["resourceClaims"].elements()) {
    if (const auto name = claim["name"].text(); !name.empty()) context.claims.push_back(name);
  }
  context.grace_period = spec["terminationGracePeriodSeconds"].integer();
  context.has_os = !spec["os"].is_null();
  context.os = spec["os"]["name"].text();
  context.host_users = spec["hostUsers"].is_null() || spec["hostUsers"].is_true();
  context.host_network = spec["hostNetwork"].is_true();
  context.host_pid = spec["hostPID"].is_true();
  context.host_ipc = spec["hostIPC"].is_true();
  return context;
}

}  // namespace fixpoint::apiserver::validation
