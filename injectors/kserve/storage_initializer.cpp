#include <string>

#include "injectors/kserve/branches.h"
#include "injectors/kserve/credentials.h"
#include "injectors/kserve/go_json.h"
#include "injectors/kserve/pod_edit.h"
#include "injectors/kserve/sha256.h"
#include "injectors/kserve/storage_container.h"

namespace fixpoint::injectors::kserve {

namespace {

constexpr document::Name kLocalModel = "internal.serving.kserve.io/localmodel";
constexpr document::Name kLocalSource = "internal.serving.kserve.io/localmodel-sourceuri";
constexpr document::Name kLocalClaim = "internal.serving.kserve.io/localmodel-pvc-name";
constexpr document::Name kReadOnly = "storage.kserve.io/readonly";
constexpr document::Name kStorageSpec = "internal.serving.kserve.io/storage-spec";
constexpr document::Name kStorageSpecParam = "internal.serving.kserve.io/storage-spec-param";
constexpr document::Name kStorageSpecKey = "internal.serving.kserve.io/storage-spec-key";
constexpr document::Name kContainerName = "internal.serving.kserve.io/storage-container-name";
constexpr document::Name kConfidential = "internal.serving.kserve.io/confidential-enabled";
constexpr document::Name kConfidentialResource = "internal.serving.kserve.io/confidential-resource-id";
constexpr document::Name kUid = "serving.kserve.io/storage-initializer-uid";
constexpr std::string_view kClaimScheme = "pvc://";
constexpr const char* kClaimVolume = "kserve-pvc-source";
constexpr const char* kClaimPath = "/mnt/pvc";

/// A URI pvc://NAME/PATH, split at the first slash; parsing never fails.
struct Claim {
  std::string name, path;
};
Claim claim_of(std::string_view uri) {
  uri.remove_prefix(kClaimScheme.size());
  const auto slash = uri.find('/');
  if (slash == std::string_view::npos) return {std::string(uri), {}};
  return {std::string(uri.substr(0, slash)), std::string(uri.substr(slash + 1))};
}

Value claim_volume(const Claim& claim) {
  return volume(kClaimVolume, "persistentVolumeClaim", Value{{"claimName", claim.name}});
}

bool is_read_only(const Value& pod, const Common& release) {
  if (release.number < 1400 || annotation_or(pod, kReadOnly) != "false") return true;
  reach("storage/writable");
  return false;
}

/// Rewrites the URI of a local model to that of a claim (from 0.14.0).
Problem rewrite_local_model(const Value& pod, const Common& release, std::string& uri) {
  const Value* model = label(pod, kLocalModel);
  if (release.number < 1400 || model == nullptr) return std::nullopt;
  const std::string_view source = annotation_or(pod, kLocalSource);
  std::string path = uri.starts_with(source) ? uri.substr(source.size()) : uri;
  if (!path.starts_with('/')) path.insert(0, 1, '/');
  const Value* claim = annotation(pod, kLocalClaim);
  if (claim == nullptr) reach("storage/local-model-unbound");
  if (claim == nullptr) return refuse("Annotation " + std::string(kLocalClaim.text) + " not found");
  reach("storage/local-model");
  const std::string key = release.number >= 1800 ? sha256(source).substr(0, 16) : std::string(model->text());
  uri = "pvc://" + std::string(claim->text()) + "/models/" + key + path;
  return std::nullopt;
}

/// The containers that use the model.
struct Servers {
  std::size_t user = 0;
  std::optional<std::size_t> transformer = {};
};
std::optional<Servers> find_servers(const Value& pod, const Common& release) {
  auto user = find_container(pod, kUserContainer);
  if (!user && release.number >= 1500) {
    user = find_container(pod, kWorkerContainer);
    if (user) reach("storage/worker-stands-in");
  }
  if (!user) return (reach("storage/without-server"), std::nullopt);
  const auto transformer = find_container(pod, kTransformer);
  if (transformer) reach("storage/transformer");
  return Servers{*user, transformer};
}

void point_storage_uri(Value& container) {
  for (std::size_t i = 0; i < container["env"].size(); ++i) {
    const Value& entry = container["env"].at(i);
    const std::string_view value = entry["value"].text();
    if (entry["name"].text() != "STORAGE_URI" || value.empty() || value == kModelPath) continue;
    reach("storage/uri-env");
    container.edit("env").edit(i).set("value", kModelPath);
  }
}
/// Replaces STORAGE_URI, if it is set, with the path of the model; until 0.11 in the transformer, too
/// (#3280).
void point_storage_uris(Value& pod, const Servers& servers, const Common& release) {
  point_storage_uri(container_at(pod, servers.user));
  if (servers.transformer && release.number < 1200)
    point_storage_uri(container_at(pod, *servers.transformer));
}

void mount_on_servers(Value& pod, const Servers& servers, const Mount& mount) {
  append_mount(container_at(pod, servers.user), mount);
  if (servers.transformer) append_mount(container_at(pod, *servers.transformer), mount);
}

Value init_container(const StepInput& input, std::string_view uri) {
  reach("storage/init-built");
  const std::string_view image = input.config.storage["image"].text();
  return {{"name", kStorageInitializer},
          {"image", image.empty() ? Value("kserve/storage-initializer:latest") : Value(image)},
          {"args", Value::list({uri, kModelPath})},
          {"resources", input.config.storage_resources},
          {"terminationMessagePolicy", "FallbackToLogsOnError"}};
}

/// Adds the credentials of the storage spec if the Pod has one, else those of the service account.
Problem add_credentials(Value& pod, Value& container, const StepInput& input) {
  if (annotation_or(pod, kStorageSpec) != "true") {
    const std::string account(pod["spec"]["serviceAccountName"].text());
    return add_account_credentials(pod, container, account, input);
  }
  Value overrides;
  if (const Value* parameters = annotation(pod, kStorageSpecParam)) {
    const auto read = unmarshal_texts(parameters->text());
    if (!read) reach("storage/bad-parameters");
    if (!read) return refuse("bad JSON in " + std::string(kStorageSpecParam.text));
    overrides = *read;
  }
  const std::string key(annotation_or(pod, kStorageSpecKey));
  return add_storage_spec(pod, container, key, overrides, input);
}

/// Returns the directory part of a path, as Go's filepath.Dir does.
std::string directory_of(std::string_view path) {
  const auto slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  std::string cleaned;
  std::vector<std::string_view> parts;
  std::string_view rest = path.substr(0, slash);
  const bool is_rooted = path.starts_with('/');
  while (!rest.empty()) {
    const auto end = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (part.empty() || part == ".") continue;
    const bool goes_up = part == "..";
    if (goes_up && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (!goes_up || !is_rooted) {
      parts.push_back(part);
    }
  }
  for (const std::string_view part : parts) cleaned.append(cleaned.empty() ? "" : "/").append(part);
  if (is_rooted) return "/" + cleaned;
  return cleaned.empty() ? "." : cleaned;
}

/// The bundle of certificates that the init container needs, and its path (from 0.12.0).
struct Bundle {
  std::string config_map, path;
};
std::optional<Bundle> bundle_of(const Value& container, const StepInput& input) {
  const Value& storage = input.config.storage;
  std::string name(storage["caBundleConfigMapName"].text());
  if (input.release.number < 1200 ||
      (name.empty() && !has_named(container["env"], "AWS_CA_BUNDLE_CONFIGMAP")))
    return std::nullopt;
  if (input.namespace_name() != kSystemNamespace) name = "global-ca-bundle";
  reach("storage/bundle");
  if (has_named(container["env"], "AWS_CA_BUNDLE_CONFIGMAP")) reach("storage/bundle-of-a-secret");
  std::string path(storage["caBundleVolumeMountPath"].text());
  if (path.empty()) path = "/etc/ssl/custom-certs";
  for (const Value& entry : container["env"].elements()) {
    if (entry["name"].text() == "AWS_CA_BUNDLE_CONFIGMAP") name = entry["value"].text();
    if (entry["name"].text() == "AWS_CA_BUNDLE") path = directory_of(entry["value"].text());
  }
  return Bundle{name, path};
}

/// Adds the bundle. Before 0.16.0, the two env entries are appended even if they exist (#4765).
void add_bundle(Value& pod, Value& container, const Bundle& bundle, const Common& release) {
  const auto add = release.number >= 1600 ? add_env_if_absent : append_env;
  add(container, "CA_BUNDLE_CONFIGMAP_NAME", bundle.config_map);
  add(container, "CA_BUNDLE_VOLUME_MOUNT_POINT", bundle.path);
  Value settings = Value::empty_object();
  if (!bundle.config_map.empty()) settings.set("name", bundle.config_map);
  append_volume(pod, volume("cabundle-cert", "configMap", std::move(settings)));
  append_mount(container, {.name = "cabundle-cert", .path = bundle.path, .read_only = true});
}

/// Returns true if another step serves the URI as an image.
bool is_served_as_image(std::string_view uri, const StepInput& input) {
  if (uri.starts_with("oci://")) return !input.config.oci_mode.empty();
  return input.release.number >= 2000 && !explicit_oci_mode(uri).empty();
}

/// Returns true if the initializer must not act: an agent pulls the model, it is an image, or an earlier call
/// added the initializer.
bool stands_aside(const Value& pod, std::string_view uri, const StepInput& input) {
  if (annotation(pod, kAgent) != nullptr) return (reach("storage/agent-stands-in"), true);
  if (is_served_as_image(uri, input)) return (reach("storage/image-stands-in"), true);
  if (!find_container(pod, "initContainers", kStorageInitializer)) return false;
  reach("storage/there-already");
  return true;
}

// Until 0.15: one function for all containers.

/// Mounts the claim at the model's path, without an init container. An existing mount of that name ends the
/// step immediately, even if only half of it is done.
void mount_claim(Value& pod, const Servers& servers, const Claim& claim, bool read_only,
                 const Common& release) {
  const Mount mount{.name = kClaimVolume, .path = kModelPath, .read_only = read_only, .sub_path = claim.path};
  if (!add_mount_if_absent(container_at(pod, servers.user), mount))
    return reach("storage/claim-mounted-already");
  if (servers.transformer && !add_mount_if_absent(container_at(pod, *servers.transformer), mount))
    return reach("storage/claim-half-way");
  reach("storage/claim-direct");
  point_storage_uris(pod, servers, release);
  append_volume(pod, claim_volume(claim));
}

/// Sets the UID as 0.11 does, in a copy of the user's security context, which may be missing.
Problem set_uid_of_0_11(const Value& pod, Value& container) {
  const Value* uid = annotation(pod, kUid);
  const auto number = uid == nullptr ? std::nullopt : parse_integer(uid->text());
  if (!number) return std::nullopt;
  container["securityContext"].is_null() ? reach("storage/uid-without-context") : reach("storage/uid");
  if (container["securityContext"].is_null()) return crash("a nil security context");
  container.edit("securityContext").set("runAsUser", *number);
  return std::nullopt;
}

Problem build_init_container(Value& pod, Value container, std::string uri, const StepInput& input) {
  if (Problem problem = add_credentials(pod, container, input)) return problem;
  if (annotation_or(pod, kStorageSpec) == "true") uri = container["args"].at(0).text();
  if (const auto bundle = bundle_of(container, input)) add_bundle(pod, container, *bundle, input.release);
  const StorageContainer own = find_storage_container(uri, input);
  if (own.problem) return own.problem;
  if (!own.container.is_null()) container = merge_container(container, own.container, input.release);
  if (input.release.number < 1200) {
    if (Problem problem = set_uid_of_0_11(pod, container)) return problem;
  }
  pod.edit("spec").edit("initContainers").push_back(std::move(container));
  return std::nullopt;
}

Problem initialize_until_0_15(Value& pod, std::string uri, const StepInput& input) {
  const Value& storage = input.config.storage;
  const Common& release = input.release;
  if (stands_aside(pod, uri, input)) return std::nullopt;
  const auto servers = find_servers(pod, release);
  if (!servers) return refuse("Invalid configuration: cannot find container: kserve-container");
  if (Problem problem = rewrite_local_model(pod, release, uri)) return problem;

  const bool read_only = is_read_only(pod, release);
  std::optional<Claim> claim;
  if (uri.starts_with(kClaimScheme)) {
    claim = claim_of(uri);
    if (storage["enableDirectPvcVolumeMount"].is_true())
      return (mount_claim(pod, *servers, *claim, read_only, release), std::nullopt);
    uri = std::string(kClaimPath) + "/" + claim->path;
  }
  Value container = init_container(input, uri);
  const Value context = pod["spec"]["containers"].at(servers->user)["securityContext"];
  if (release.number < 1400 && !context.is_null()) container.set("securityContext", context);
  if (claim) {
    const Mount source{.name = kClaimVolume, .path = kClaimPath, .read_only = read_only};
    reach("storage/claim-copied");
    append_mount(container, source);
    mount_on_servers(pod, *servers, source);
  }
  append_mount(container, {.name = kProvisionVolume, .path = kModelPath});
  mount_on_servers(pod, *servers, {.name = kProvisionVolume, .path = kModelPath, .read_only = read_only});
  point_storage_uris(pod, *servers, release);
  if (claim) append_volume(pod, claim_volume(*claim));
  append_volume(pod, empty_dir(kProvisionVolume));
  return build_init_container(pod, std::move(container), std::move(uri), input);
}

// From 0.16.0 on: the function that the webhook shares with the controller (#4702).

/// Does AddModelMount: adds the mount to the first container of that name, else to the first init container
/// of that name, which must have write access. The volume is added only with a mount.
void add_model_mount(Value& pod, std::string_view container, Mount mount, const Value& entry) {
  bool is_added = false;
  if (const auto at = find_container(pod, container))
    is_added = add_mount_if_absent(container_at(pod, *at), mount);
  if (!is_added) {
    mount.read_only = false;
    const auto at = find_container(pod, "initContainers", container);
    is_added = at && add_mount_if_absent(init_container_at(pod, *at), mount);
  }
  if (!is_added) return reach("storage/mount-there-already");
  add_volume_if_absent(pod, entry);
}

Problem finish_init_container(Value& pod, std::size_t at, const Value& own, const StepInput& input) {
  Value container = pod["spec"]["initContainers"].at(at);
  if (Problem problem = add_credentials(pod, container, input)) return problem;
  const auto bundle = bundle_of(container, input);
  if (!own.is_null()) container = merge_container(container, own, input.release);
  if (bundle) add_bundle(pod, container, *bundle, input.release);
  add_env_if_absent(container, "HF_HUB_ENABLE_HF_TRANSFER", "1");
  add_env_if_absent(container, "HF_XET_HIGH_PERFORMANCE", "1");
  add_env_if_absent(container, "HF_XET_NUM_CONCURRENT_RANGE_GETS", "8");
  if (input.release.number >= 2000 && annotation_or(pod, kConfidential) == "true") {
    reach("storage/confidential");
    merge_env(container, "CONFIDENTIAL_ENABLED", "true");
    const std::string_view resource = annotation_or(pod, kConfidentialResource);
    if (!resource.empty()) merge_env(container, "CONFIDENTIAL_RESOURCE_ID", resource);
  }
  init_container_at(pod, at) = std::move(container);
  return std::nullopt;
}

Problem initialize_common(Value& pod, const std::string& uri, const Value& own, const StepInput& input) {
  if (stands_aside(pod, uri, input)) return std::nullopt;
  const auto servers = find_servers(pod, input.release);
  if (!servers) return refuse("Invalid configuration: cannot find container");
  const std::string user(pod["spec"]["containers"].at(servers->user)["name"].text());
  std::vector<std::string_view> mounted{user};
  if (servers->transformer) mounted.push_back(kTransformer);

  Mount mount{.name = kProvisionVolume, .path = kModelPath, .read_only = is_read_only(pod, input.release)};
  Value entry = empty_dir(kProvisionVolume);
  Claim claim;
  std::optional<std::size_t> built;
  if (uri.starts_with(kClaimScheme)) {
    claim = claim_of(uri);
    mount.name = kClaimVolume;
    mount.sub_path = claim.path;
    claim.name.empty() ? reach("storage/claim-without-name") : reach("storage/claim-direct");
    entry = claim.name.empty() ? empty_dir(kClaimVolume) : claim_volume(claim);
  } else {
    Value container = init_container(input, uri);
    // Only 0.16.0 builds the container with a mount (#4822).
    if (input.release.number == 1600) append_mount(container, {.name = kProvisionVolume, .path = kModelPath});
    pod.edit("spec").edit("initContainers").push_back(std::move(container));
    built = pod["spec"]["initContainers"].size() - 1;
    mounted.push_back(kStorageInitializer);
  }
  for (const std::string_view name : mounted) add_model_mount(pod, name, mount, entry);
  point_storage_uri(container_at(pod, servers->user));
  return built ? finish_init_container(pod, *built, own, input) : std::nullopt;
}

Problem initialize_from_0_16(Value& pod, std::string uri, const StepInput& input) {
  if (Problem problem = rewrite_local_model(pod, input.release, uri)) return problem;
  if (annotation_or(pod, kStorageSpec) == "true") {
    const Value* parameters = annotation(pod, kStorageSpecParam);
    if (parameters != nullptr && !unmarshal_texts(parameters->text())) {
      reach("storage/bad-parameters");
      return refuse("bad JSON in " + std::string(kStorageSpecParam.text));
    }
  }
  const std::string_view name =
      input.release.number >= 2000 ? annotation_or(pod, kContainerName) : std::string_view();
  const StorageContainer own =
      name.empty() ? find_storage_container(uri, input) : storage_container_named(name, uri, input);
  if (own.problem) return own.problem;
  return initialize_common(pod, uri, own.container, input);
}

}  // namespace

Problem initialize_storage(Value& pod, const StepInput& input) {
  const Value* source = annotation(pod, kSourceUri);
  if (source == nullptr) return std::nullopt;
  std::string uri(source->text());
  return input.release.number >= 1600 ? initialize_from_0_16(pod, std::move(uri), input)
                                      : initialize_until_0_15(pod, std::move(uri), input);
}

}  // namespace fixpoint::injectors::kserve
