#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver::validation {

namespace {

/// The checks for containers of all three lists: those that depend on the Pod's volumes, and the rest.
void check_volumes_of(const Value& container, const Path& path, Context& context) {
  check_mounts(container, path, context);
  check_devices(container, path, context);
}

void check_common(const Value& container, const Path& path, Context& context) {
  const std::string_view name = container["name"].text(), image = container["image"].text();
  if (name.empty()) {
    context.errors.required(path.child("name"));
  } else {
    context.errors.invalid(path.child("name"), name, check_dns_label(name));
  }
  if (image.empty()) context.errors.required(path.child("image"));
  if (!context.is_template && is_padded(image))
    context.errors.invalid(path.child("image"), image, Text("must not have leading or trailing whitespace"));
  check_choice(container["terminationMessagePolicy"], {"File", "FallbackToLogsOnError"},
               path.child("terminationMessagePolicy"), context.errors);
  check_ports(container["ports"], path.child("ports"), context.errors);
  check_env(container["env"], path.child("env"), context);
  check_env_from(container["envFrom"], path.child("envFrom"), context);
  check_choice(container["imagePullPolicy"], kPullPolicies, path.child("imagePullPolicy"), context.errors);
  check_container_resources(container["resources"], path.child("resources"), context);
  check_resize_policy(container["resizePolicy"], path.child("resizePolicy"), context);
  check_security_context(container["securityContext"], path.child("securityContext"), context);
}

Names names_of(const Value& containers) {
  Names names;
  for (const Value& container : containers.elements()) names.insert(container["name"].text());
  return names;
}

void check_sidecar_only(const Value& container, const Path& path, Context& context) {
  if (container["restartPolicy"].text() == "Always") {
    if (!container["lifecycle"].is_null())
      check_lifecycle(container["lifecycle"], path.child("lifecycle"), context);
    return check_probes(container, path, context);
  }
  static constexpr Name kNames[] = {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"};
  for (const Name& name : kNames) {
    if (container[name].is_null()) continue;
    context.errors.forbidden(path.child(name.text),
                             Text("may not be set for init containers without restartPolicy=Always"));
  }
}

constexpr document::GoMember kResizePolicy[] = {{"ResourceName", "resourceName", "\"\""},
                                                {"RestartPolicy", "restartPolicy", "\"\""}};

void check_init_resize_policy(const Value& container, const Path& path, Context& context) {
  const Value& policies = container["resizePolicy"];
  const Path policies_path = path.child("resizePolicy");
  if (!context.options.allows_sidecar_resize_policy && !policies.empty()) {
    context.errors.invalid(policies_path, policies, kResizePolicy,
                           Text("must not be set for init containers"));
  }
  const bool is_sidecar = container["restartPolicy"].text() == "Always";
  const bool is_allowed = context.options.minor < gate::kNoRestartContainerForInit ||
                          context.options.allows_restart_container_for_init;
  if (is_sidecar || is_allowed) return;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    if (policies.at(i)["restartPolicy"].text() != "RestartContainer") continue;
    const Path item = policies_path.at(i);
    context.errors.invalid(item.child("restartPolicy"), "RestartContainer",
                           Text("must not be set to 'RestartContainer' for non-sidecar initContainers"));
  }
}

/// Reports members that an ephemeral container must not have.
void check_ephemeral_members(const Value& container, const Path& path, Errors& errors) {
  constexpr const char* kForbidden[] = {
      "ports",         "resizePolicy",   "restartPolicy", "restartPolicyRules",
      "livenessProbe", "readinessProbe", "startupProbe",  "lifecycle"};
  for (const char* name : kForbidden) {
    if (!container[name].is_null())
      errors.forbidden(path.child(name), Text("cannot be set for an Ephemeral Container"));
  }
  if (!container["resources"].empty()) {
    errors.forbidden(path.child("resources"), Text("cannot be set for an Ephemeral Container"));
  }
  const Path mounts_path = path.child("volumeMounts");
  const Value& mounts = container["volumeMounts"];
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const Path item = mounts_path.at(i);
    static constexpr Name kNames[] = {"subPath", "subPathExpr"};
    for (const Name& name : kNames) {
      if (mounts.at(i)[name].text().empty()) continue;
      errors.forbidden(item.child(name.text), Text("cannot be set for an Ephemeral Container"));
    }
  }
}

/// The checks of a container that do not depend on its list.
void check_container(const Value& container, const Path& path, Context& context) {
  check_common(container, path, context);
  if (!container["lifecycle"].is_null())
    check_lifecycle(container["lifecycle"], path.child("lifecycle"), context);
  check_probes(container, path, context);
  if (context.options.allows_restart_rules) {
    check_restart_policy(container, path, context);
  } else if (!container["restartPolicy"].is_null()) {
    context.errors.forbidden(path.child("restartPolicy"), Text("may not be set for non-init containers"));
  }
}

void check_init_container(const Value& container, const Path& path, const Path& list_path, Context& context) {
  check_common(container, path, context);
  check_init_restart_policy(container, path, context);
  check_host_ports({&container, 1}, list_path, context.errors);
  check_sidecar_only(container, path, context);
  check_init_resize_policy(container, path, context);
}

}  // namespace

void check_containers(Context& context, const Path& path) {
  const Value& containers = context.spec["containers"];
  if (containers.empty()) return context.errors.required(path);
  Names names;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Path item = path.at(i);
    const Value& container = containers.at(i);
    if (!context.passed.has_container("containers", i, container)) check_container(container, item, context);
    check_volumes_of(container, item, context);
    const std::string_view name = container["name"].text();
    if (!names.insert(name)) context.errors.duplicate(item.child("name"), name);
  }
  check_host_ports(containers.elements(), path, context.errors);
}

void check_init_containers(Context& context, const Path& path) {
  const Value& containers = context.spec["initContainers"];
  if (containers.empty()) return;
  Names names = names_of(context.spec["containers"]);
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Path item = path.at(i);
    const Value& container = containers.at(i);
    if (!context.passed.has_container("initContainers", i, container)) {
      check_init_container(container, item, path, context);
    }
    check_volumes_of(container, item, context);
    const std::string_view name = container["name"].text();
    if (!name.empty() && !names.insert(name)) context.errors.duplicate(item.child("name"), name);
    if (name.empty() && names.contains(name)) context.errors.duplicate(item.child("name"), name);
  }
}

void check_ephemeral_containers(Context& context, const Path& path) {
  const Value& containers = context.spec["ephemeralContainers"];
  if (containers.empty()) return;
  Names others = names_of(context.spec["containers"]);
  for (const Value& container : context.spec["initContainers"].elements())
    others.insert(container["name"].text());
  Names names = others;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Path item = path.at(i);
    const Value& container = containers.at(i);
    check_common(container, item, context);
    check_volumes_of(container, item, context);
    const std::string_view name = container["name"].text(), target = container["targetContainerName"].text();
    if (!names.insert(name)) context.errors.duplicate(item.child("name"), name);
    if (!target.empty() && !others.contains(target)) {
      context.errors.not_found(item.child("targetContainerName"), target);
    }
    check_ephemeral_members(container, item, context.errors);
  }
}

}  // namespace fixpoint::apiserver::validation
