#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::validation {

namespace {

/// The parts of `metadata.labels['key']`.
struct Subscripted {
  std::string_view path, subscript;
};
std::optional<Subscripted> split_subscript(std::string_view path) {
  if (!path.ends_with("']")) return std::nullopt;
  path.remove_suffix(2);
  const auto open = path.find("['");
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  return Subscripted{path.substr(0, open), path.substr(open + 2)};
}

/// Paths that the downward API supports anywhere; where each one is allowed is checked separately.
constexpr std::string_view kFieldPaths[] = {
    "metadata.annotations", "metadata.labels", "metadata.name",      "metadata.namespace",
    "metadata.uid",         "spec.nodeName",   "spec.restartPolicy", "spec.serviceAccountName",
    "spec.schedulerName",   "status.phase",    "status.hostIP",      "status.hostIPs",
    "status.podIP",         "status.podIPs",   "spec.host"};
constexpr std::string_view kEnvFieldPaths[] = {
    "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
    "status.hostIP", "status.hostIPs",     "status.podIP", "status.podIPs"};
constexpr std::string_view kVolumeFieldPaths[] = {"metadata.annotations", "metadata.labels", "metadata.name",
                                                  "metadata.namespace", "metadata.uid"};
constexpr std::string_view kResourcePaths[] = {
    "limits.cpu",   "limits.ephemeral-storage",   "limits.memory",
    "requests.cpu", "requests.ephemeral-storage", "requests.memory"};
constexpr std::string_view kByteDivisors[] = {"1",   "1k",  "1M",  "1G",  "1T",  "1P", "1E",
                                              "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"};

bool is_hugepages_path(std::string_view resource) {
  return resource.starts_with("requests.hugepages-") || resource.starts_with("limits.hugepages-");
}

/// Which divisors the resource supports.
Text divisor_text(std::string_view resource) {
  if (resource.ends_with(".cpu"))
    return Text("only divisor's values 1m and 1 are supported with the cpu resource");
  if (resource.ends_with(".memory")) {
    return Text(
        "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with "
        "the memory resource");
  }
  if (resource.ends_with(".ephemeral-storage")) {
    return Text(
        "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with "
        "the local ephemeral storage resource");
  }
  return Text(
      "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the "
      "hugepages resource");
}

void check_divisor(const Value& ref, const Path& path, Errors& errors) {
  const std::string_view resource = ref["resource"].text(), divisor = ref["divisor"].text();
  if (divisor == "0" || divisor.empty()) return;
  const bool is_cpu = is_one_of(resource, {"limits.cpu", "requests.cpu"});
  if (!is_cpu && !is_one_of(resource, kResourcePaths) && !is_hugepages_path(resource)) return;
  const bool is_fine = is_cpu ? is_one_of(divisor, {"1m", "1"}) : is_one_of(divisor, kByteDivisors);
  if (!is_fine) errors.invalid(path.child("divisor"), resource, divisor_text(resource));
}

void check_key_ref(const Value& ref, const Path& path, Errors& errors) {
  const std::string_view name = ref["name"].text(), key = ref["key"].text();
  errors.invalid(path.child("name"), name, check_dns_subdomain(name));
  if (key.empty()) {
    errors.required(path.child("key"));
  } else {
    errors.invalid(path.child("key"), key, check_config_key(key));
  }
}

void check_file_key_ref(const Value& ref, const Path& path, Errors& errors) {
  struct Part {
    const char* name;
    Problems (*check)(std::string_view);
  };
  constexpr Part kParts[] = {
      {"key", check_relaxed_env_name}, {"volumeName", check_dns_label}, {"path", check_no_backsteps}};
  for (const Part& part : kParts) {
    const std::string_view text = ref[part.name].text();
    if (text.empty()) {
      errors.required(path.child(part.name));
    } else {
      errors.invalid(path.child(part.name), text, part.check(text));
    }
  }
}

constexpr Text kOneField("may not have more than one field specified at a time");

void check_value_from(const Value& from, const Value& variable, const Path& path, Context& context) {
  if (from.is_null()) return;
  int sources = 0;
  for (const Member& member : from.members()) {
    const Value& ref = member.value;
    ++sources;
    if (member.key.is("fieldRef")) {
      check_field_ref(ref, false, path.child("fieldRef"), context.errors);
    } else if (member.key.is("resourceFieldRef")) {
      check_resource_field_ref(ref, false, path.child("resourceFieldRef"), context.errors);
    } else if (member.key.is("fileKeyRef")) {
      check_file_key_ref(ref, path.child("fileKeyRef"), context.errors);
    } else {
      check_key_ref(ref, path.child(member.key.text()), context.errors);
    }
  }
  if (sources == 0) {
    context.errors.invalid(path, "",
                           Text("must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "
                                "`secretKeyRef` or `fileKeyRef`"));
  } else if (!variable["value"].text().empty()) {
    context.errors.invalid(path, "", Text("may not be specified when `value` is not empty"));
  } else if (sources > 1) {
    context.errors.invalid(path, "", kOneField);
  }
}

Problems check_env_name_by(const Options& options, std::string_view name) {
  return options.uses_relaxed_env_names ? check_relaxed_env_name(name) : check_env_name(name);
}

void check_source_name(const Value& source, const Path& path, Errors& errors) {
  const std::string_view name = source["name"].text();
  if (name.empty()) {
    errors.required(path.child("name"));
  } else {
    errors.invalid(path.child("name"), name, check_generate_name(name));
  }
}

}  // namespace

void check_field_ref(const Value& ref, bool is_volume, const Path& path, Errors& errors) {
  const std::string_view version = ref["apiVersion"].text();
  std::string_view field = ref["fieldPath"].text();
  if (version.empty()) return errors.required(path.child("apiVersion"));
  if (field.empty()) return errors.required(path.child("fieldPath"));
  const auto parts = split_subscript(field);
  const bool has_subscript = parts && is_one_of(parts->path, {"metadata.annotations", "metadata.labels"});
  if (version != "v1") {
    return errors.invalid(path.child("fieldPath"), field,
                          Text("error converting fieldPath: unsupported pod version: {}").with({version}));
  }
  if (parts ? !has_subscript : !is_one_of(field, kFieldPaths)) {
    const Text text = parts ? Text("error converting fieldPath: field label does not support subscript: {}")
                            : Text("error converting fieldPath: field label not supported: {}");
    return errors.invalid(path.child("fieldPath"), field, text.with({field}));
  }
  if (parts) {
    const bool is_label = parts->path == "metadata.labels";
    errors.invalid(
        path, parts->subscript,
        is_label ? check_qualified_name(parts->subscript) : check_qualified_name_lowered(parts->subscript));
    return;
  }
  if (field == "spec.host") field = "spec.nodeName";
  const Choices choices = is_volume ? Choices(kVolumeFieldPaths) : Choices(kEnvFieldPaths);
  if (!is_one_of(field, choices)) errors.not_supported_text(path.child("fieldPath"), field, choices);
}

void check_resource_field_ref(const Value& ref, bool is_volume, const Path& path, Errors& errors) {
  const std::string_view resource = ref["resource"].text();
  if (is_volume && ref["containerName"].text().empty()) {
    errors.required(path.child("containerName"));
  } else if (resource.empty()) {
    errors.required(path.child("resource"));
  } else if (!is_one_of(resource, kResourcePaths) && !is_hugepages_path(resource)) {
    errors.not_supported_text(path.child("resource"), resource, kResourcePaths);
  }
  check_divisor(ref, path, errors);
}

void check_env(const Value& env, const Path& path, Context& context) {
  for (std::size_t i = 0; i < env.size(); ++i) {
    const Path item = path.at(i);
    const std::string_view name = env.at(i)["name"].text();
    if (name.empty()) {
      context.errors.required(item.child("name"));
    } else {
      context.errors.invalid(item.child("name"), name, check_env_name_by(context.options, name));
    }
    check_value_from(env.at(i)["valueFrom"], env.at(i), item.child("valueFrom"), context);
  }
}

void check_env_from(const Value& env_from, const Path& path, Context& context) {
  for (std::size_t i = 0; i < env_from.size(); ++i) {
    const Path item = path.at(i);
    const Value& source = env_from.at(i);
    const std::string_view prefix = source["prefix"].text();
    if (!prefix.empty()) {
      context.errors.invalid(item.child("prefix"), prefix, check_env_name_by(context.options, prefix));
    }
    int sources = 0;
    static constexpr Name kNames[] = {"configMapRef", "secretRef"};
    for (const Name& name : kNames) {
      if (source[name].is_null()) continue;
      ++sources;
      check_source_name(source[name], item.child(name.text), context.errors);
    }
    if (sources == 0) {
      context.errors.invalid(path, "", Text("must specify one of: `configMapRef` or `secretRef`"));
    }
    if (sources > 1) context.errors.invalid(path, "", kOneField);
  }
}

void check_file_key_volumes(Context& context, const Path& spec_path) {
  for_each_container(context.spec, spec_path, [&](const Value& container, const Path& path) {
    const Value& env = container["env"];
    for (std::size_t i = 0; i < env.size(); ++i) {
      const Value& ref = env.at(i)["valueFrom"]["fileKeyRef"];
      if (ref.is_null()) continue;
      const Path env_path = path.child("env"), item = env_path.at(i);
      const Path name_path = item.child("valueFrom.fileKeyRef.volumeName");
      const std::string_view name = ref["volumeName"].text();
      const Value* found = nullptr;
      for (const Value& volume : context.spec["volumes"].elements()) {
        if (volume["name"].text() == name) found = &volume;
      }
      if (found == nullptr) {
        context.errors.not_found(name_path, name);
      } else if ((*found)["emptyDir"].is_null()) {
        context.errors.invalid(name_path, name, Text("referenced volume must be of type emptyDir"));
      }
    }
  });
}

}  // namespace fixpoint::apiserver::validation
