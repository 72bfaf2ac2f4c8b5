#pragma once

#include "harness/apiserver/validation/context.h"

namespace fixpoint::apiserver::validation {

// One function per part of the Pod, each defined in the file of that part.

// metadata.cpp
/// On updates the server checks metadata twice: by the rules of all kinds, and by those of Pods. Objects of a
/// cluster-wide kind have no namespace, and else the rules of all. StatefulSets are named by labels of DNS,
/// and have else the rules of Pods.
enum class MetadataRules { of_all, of_pods, of_stateful_sets, of_cluster_wide };
/// Names, labels and keys that also occur in `passed`, the metadata of a valid Pod, are not checked again.
void check_metadata(const Value& metadata, const Path& path, MetadataRules rules, Errors& errors,
                    const Value& passed = {});
void check_metadata_update(const Value& metadata, const Value& old, const Path& path, MetadataRules rules,
                           Errors& errors);
void check_annotation_keys(const Value& annotations, const Path& path, Errors& errors,
                           const Value& passed = {});

// selectors.cpp
void check_labels(const Value& labels, const Path& path, Errors& errors);
void check_label_selector(const Value& selector, bool allows_any_value, const Path& path, Errors& errors);
/// `keys` applies since 1.34 and reports at the term; `legacy` applies before.
void check_match_label_keys(const Value& match, const Value& mismatch, const Value& selector,
                            const Path& path, Errors& errors);
void check_legacy_match_label_keys(const Value& match, const Value& selector, const Path& path,
                                   Errors& errors);

// annotations.cpp
void check_pod_annotations(Context& context, const Path& path);
void check_annotations_against_fields(Context& context, const Path& spec_path);
void check_annotation_updates(Context& context, const Value& old, const Path& path);

// volumes.cpp and the files of single kinds of volumes
void check_volumes(Context& context, const Path& path);
void check_volume_source(const Value& volume, const Path& path, Context& context);
void check_legacy_volume_source(std::string_view source, const Value& value, const Path& path,
                                Errors& errors);
void check_projected(const Value& projected, const Path& path, Context& context);
void check_claim_template(const Value& claim_template, const Path& path, Errors& errors);
void check_key_to_path(const Value& item, const Path& path, Errors& errors);
void check_downward_file(const Value& file, const Path& path, Errors& errors);
void check_file_mode(const Value& mode, const Path& path, Errors& errors);
void check_signer_name(const Value& name, const Path& path, Errors& errors);

// containers.cpp
void check_containers(Context& context, const Path& path);
void check_init_containers(Context& context, const Path& path);
void check_ephemeral_containers(Context& context, const Path& path);

// restart.cpp
void check_restart_policy(const Value& container, const Path& path, Context& context);
void check_init_restart_policy(const Value& container, const Path& path, Context& context);
void check_resize_policy(const Value& policies, const Path& path, Context& context);

// ports.cpp
void check_ports(const Value& ports, const Path& path, Errors& errors);
/// Reports host ports that two containers of the list claim, with indices counted from `first`.
void check_host_ports(std::span<const Value> containers, const Path& path, Errors& errors);
void check_host_network_ports(Context& context, const Path& path);

// env.cpp
void check_env(const Value& env, const Path& path, Context& context);
void check_env_from(const Value& env_from, const Path& path, Context& context);
void check_file_key_volumes(Context& context, const Path& spec_path);
void check_field_ref(const Value& field_ref, bool is_volume, const Path& path, Errors& errors);
void check_resource_field_ref(const Value& resource_ref, bool is_volume, const Path& path, Errors& errors);

// mounts.cpp
void check_mounts(const Value& container, const Path& path, Context& context);
void check_devices(const Value& container, const Path& path, Context& context);

// probes.cpp
void check_probes(const Value& container, const Path& path, Context& context);
void check_lifecycle(const Value& lifecycle, const Path& path, Context& context);

// resources.cpp
void check_container_resource_name(std::string_view name, const Path& path, Errors& errors);
void check_container_resources(const Value& resources, const Path& path, Context& context);
void check_overhead(const Value& overhead, const Path& path, Context& context);
void check_pod_resources(Context& context, const Path& spec_path);
void check_quantity(std::string_view resource, const Value& quantity, const Path& path, Errors& errors);
void check_resource_claims(Context& context, const Path& path);
bool is_divisible_hugepage(std::string_view resource, const Value& quantity);

// security.cpp, os.cpp, windows.cpp
void check_security_context(const Value& security, const Path& path, Context& context);
void check_pod_security_context(Context& context, const Path& path);
void check_apparmor_profile(const Value& profile, const Path& path, Errors& errors);
void check_windows_options(const Value& windows, const Path& path, Errors& errors);
void check_host_process(Context& context, const Path& spec_path);
void check_host_users(Context& context, const Path& spec_path);
void check_os(Context& context, const Path& spec_path);
bool is_sysctl_of_host(std::string_view sysctl, bool host_network, bool host_ipc);

// affinity.cpp, scheduling.cpp
void check_affinity(const Value& affinity, const Path& path, Context& context);
void check_tolerations(const Value& tolerations, const Path& path, Errors& errors, const Options& options);
void check_spread_constraints(Context& context, const Path& path);
void check_scheduling_gates(const Value& gates, const Path& path, Errors& errors);

// network.cpp
void check_dns(Context& context, const Path& spec_path);
void check_host_aliases(const Value& aliases, const Path& path, Context& context);
void check_hostname(Context& context, const Path& spec_path);

// claim_template.cpp
void check_claim_spec(const Value& spec, const Path& path, Errors& errors);

// pod_spec.cpp
void check_metadata_and_spec(Context& context);
/// Checks the template of Pods (ValidatePodTemplateSpec): its metadata are labels and annotations alone.
void check_pod_template(const Value& pod_template, const Options& options, const Path& path, Errors& errors);
/// Its errors for the labels and the annotations.
void check_template_metadata(Context& context, const Path& path);

}  // namespace fixpoint::apiserver::validation
