#include "injectors/kserve/credentials.h"

#include <algorithm>
#include <array>
#include <string>

#include "harness/document/base64.h"
#include "harness/document/json.h"
#include "injectors/kserve/branches.h"
#include "injectors/kserve/go_json.h"
#include "injectors/kserve/pod_edit.h"
#include "injectors/kserve/s3_settings.h"

namespace fixpoint::injectors::kserve {

namespace {

constexpr const char* kRoleArn = "eks.amazonaws.com/role-arn";
constexpr std::string_view kPlaceholder = "<scheme-placeholder>://";

/// A secret that is given to a container. The keys of its data decide its kind.
struct Gift {
  const Value& secret;
  const StepInput& input;
  Value& pod;
  Value& container;

  std::string_view name() const { return secret["metadata"]["name"].text(); }
  bool has(std::string_view key) const { return secret["data"].find(document::Name(key)) != nullptr; }
  std::string data(std::string_view key) const {
    return document::decode_base64(secret["data"][document::Name(key)].text()).value_or("");
  }
  /// Returns the name of a data key, which the configuration may replace.
  std::string_view key(const char* group, const char* setting, std::string_view usual) const {
    const std::string_view own = input.config.credentials[group][setting].text();
    return own.empty() ? usual : own;
  }
  void append_key(std::string_view env_name, std::string_view data_key) const {
    container.edit("env").push_back(env_from_secret(env_name, name(), data_key));
  }
};

std::string_view s3_key(const Gift& gift) {
  return gift.key("s3", "s3SecretAccessKeyName", "awsSecretAccessKey");
}
bool is_s3(const Gift& gift) { return gift.has(s3_key(gift)); }
void give_s3(const Gift& gift) {
  reach("credentials/s3");
  const std::string_view id = gift.key("s3", "s3AccessKeyIDName", "awsAccessKeyID");
  merge_env(gift.container, env_from_secret("AWS_ACCESS_KEY_ID", gift.name(), id));
  merge_env(gift.container, env_from_secret("AWS_SECRET_ACCESS_KEY", gift.name(), s3_key(gift)));
  for (const Value& entry :
       s3_settings(gift.secret["metadata"]["annotations"], gift.secret["data"], gift.input)) {
    merge_env(gift.container, entry);
  }
}

std::string_view gcs_key(const Gift& gift) {
  return gift.key("gcs", "gcsCredentialFileName", "gcloud-application-credentials.json");
}
Value secret_volume(std::string_view name, std::string_view secret) {
  return volume(name, "secret", Value{{"secretName", secret}});
}
bool is_gcs(const Gift& gift) { return gift.has(gcs_key(gift)); }
void give_gcs(const Gift& gift) {
  reach("credentials/gcs");
  add_volume_if_absent(gift.pod, secret_volume("user-gcp-sa", gift.name()));
  append_mount(gift.container, {.name = "user-gcp-sa", .path = "/var/secrets/", .read_only = true});
  append_env(gift.container, "GOOGLE_APPLICATION_CREDENTIALS",
             std::string("/var/secrets/").append(gcs_key(gift)));
}

/// An Azure env entry, its older data key, and the releases that leave it out if the secret lacks the key.
struct AzureKey {
  std::string_view name, legacy;
  int since, optional_since;
};
constexpr int kNever = 99999;
constexpr auto kAzureKeys = std::to_array<AzureKey>({
    {"AZURE_SUBSCRIPTION_ID", "AZ_SUBSCRIPTION_ID", 0, 1600},
    {"AZURE_TENANT_ID", "AZ_TENANT_ID", 0, kNever},
    {"AZURE_CLIENT_ID", "AZ_CLIENT_ID", 0, 1600},
    {"AZURE_CLIENT_SECRET", "AZ_CLIENT_SECRET", 0, 1200},
    {"AZURE_STORAGE_ACCESS_KEY", "", 1500, 1500},
    {"AZURE_ACCESS_TOKEN", "", 1600, 1600},
    {"AZURE_ACCESS_EXPIRES_ON_SECONDS", "", 1600, 1600},
    {"AZURE_ACCOUNT_NAME", "", 1600, 1600},
    {"AZURE_SERVICE_URL", "", 1600, 1600},
});
bool is_azure(const Gift& gift) {
  return gift.has("AZ_CLIENT_ID") || gift.has("AZURE_CLIENT_ID") ||
         (gift.input.release.number >= 1600 && gift.has("AZURE_ACCESS_TOKEN"));
}
void give_azure(const Gift& gift) {
  reach("credentials/azure");
  const int release = gift.input.release.number;
  for (const AzureKey& key : kAzureKeys) {
    if (key.since > release) continue;
    const bool is_legacy = !key.legacy.empty() && gift.has(key.legacy);
    if (!is_legacy && !gift.has(key.name) && release >= key.optional_since) continue;
    gift.append_key(key.name, is_legacy ? key.legacy : key.name);
  }
}

bool is_azure_storage(const Gift& gift) { return gift.has("AZURE_STORAGE_ACCESS_KEY"); }
void give_azure_storage(const Gift& gift) {
  reach("credentials/azure-storage");
  gift.append_key("AZURE_STORAGE_ACCESS_KEY", "AZURE_STORAGE_ACCESS_KEY");
}

bool is_https(const Gift& gift) { return gift.has("https-host"); }
void give_https(const Gift& gift) {
  reach("credentials/https");
  if (gift.has("headers"))
    append_env(gift.container, gift.data("https-host") + "-headers", gift.data("headers"));
}

bool is_hdfs(const Gift& gift) { return gift.has("HDFS_NAMENODE"); }
void give_hdfs(const Gift& gift) {
  reach("credentials/hdfs");
  add_volume_if_absent(gift.pod, secret_volume("hdfs-secrets", gift.name()));
  append_mount(gift.container,
               {.name = "hdfs-secrets", .path = "/var/secrets/kserve-hdfscreds", .read_only = true});
}

bool is_hugging_face(const Gift& gift) { return gift.input.release.number >= 1400 && gift.has("HF_TOKEN"); }
void give_hugging_face(const Gift& gift) {
  reach("credentials/hugging-face");
  const int release = gift.input.release.number;
  if (release >= 1600) return gift.append_key("HF_TOKEN", "HF_TOKEN");
  append_env(gift.container, "HF_TOKEN", gift.data("HF_TOKEN"));
  if (release >= 1500) append_env(gift.container, "HF_HUB_ENABLE_HF_TRANSFER", "1");
}

/// The kinds of secrets; the first one that fits is used.
struct SecretKind {
  bool (*fits)(const Gift& gift);
  void (*give)(const Gift& gift);
};
constexpr auto kSecretKinds = std::to_array<SecretKind>({{is_s3, give_s3},
                                                         {is_gcs, give_gcs},
                                                         {is_azure, give_azure},
                                                         {is_azure_storage, give_azure_storage},
                                                         {is_https, give_https},
                                                         {is_hdfs, give_hdfs},
                                                         {is_hugging_face, give_hugging_face}});

Problem give_secret(Value& pod, Value& container, std::string_view name, const StepInput& input) {
  const Value* secret = input.find("Secret", name);
  if (secret == nullptr) reach("credentials/without-secret");
  if (secret == nullptr) return refuse("secrets \"" + std::string(name) + "\" not found");
  const Gift gift{*secret, input, pod, container};
  for (const SecretKind& kind : kSecretKinds) {
    if (!kind.fits(gift)) continue;
    kind.give(gift);
    break;
  }
  return std::nullopt;
}

/// The values of the storage spec's secret, after its overrides are applied.
struct StorageSpec {
  std::string type = {}, bucket = {};
};

bool is_supported_type(std::string_view type) { return type == "s3" || type == "hdfs" || type == "webhdfs"; }

/// Reads the secret's entry if no override names the type.
Problem read_storage_data(const std::string& data, Value& container, StorageSpec& spec,
                          const StepInput& input) {
  const auto json = unmarshal_texts(data);
  if (!json) reach("spec/bad-entry");
  if (!json) return refuse("invalid json encountered in the storage secret");
  if (const Value* type = json->find("type")) {
    spec.type = type->text();
    if (!is_supported_type(spec.type)) {
      reach("spec/unsupported-type");
      return refuse("storage type must be one of [s3, hdfs, webhdfs]. storage type [" + spec.type +
                    "] is not supported");
    }
  }
  if (spec.bucket.empty()) spec.bucket = (*json)["bucket"].text();
  const Value* bundle = json->find("cabundle_configmap");
  if (bundle != nullptr && input.release.number >= 1200)
    append_env(container, "AWS_CA_BUNDLE_CONFIGMAP", bundle->text());
  return std::nullopt;
}

std::string_view storage_secret_name(const Value& pod, const Value& credentials) {
  const std::string_view chosen = credentials["storageSecretNameAnnotation"].text();
  if (const Value* own = annotation(pod, document::Name(chosen))) return own->text();
  const std::string_view configured = credentials["storageSpecSecretName"].text();
  return configured.empty() ? "storage-config" : configured;
}

/// Replaces the placeholder in the URI with the type, and for S3 with the bucket.
Problem fill_placeholder(Value& container, const StorageSpec& spec) {
  const std::string_view uri = container["args"].at(0).text();
  if (!uri.starts_with(kPlaceholder)) return (reach("spec/without-placeholder"), std::nullopt);
  const std::string path(uri.substr(kPlaceholder.size()));
  if (spec.type == "s3" && spec.bucket.empty()) {
    reach("spec/without-bucket");
    return refuse("format [s3] requires a bucket but one wasn't found in storage data or parameters");
  }
  reach("spec/filled");
  container.edit("args").edit(0) = spec.type + "://" + (spec.type == "s3" ? spec.bucket + "/" : "") + path;
  return std::nullopt;
}

}  // namespace

Problem add_account_credentials(Value& pod, Value& container, std::string_view account,
                                const StepInput& input) {
  const Value* found = input.find("ServiceAccount", account.empty() ? "default" : account);
  if (found == nullptr) return (reach("credentials/without-account"), std::nullopt);
  const Value& annotations = (*found)["metadata"]["annotations"];
  if (annotations.find(kRoleArn) != nullptr) {
    reach("credentials/role");
    for (Value& entry : s3_settings(annotations, Value(), input)) {
      container.edit("env").push_back(std::move(entry));
    }
  }
  const std::string_view chosen = input.config.credentials["storageSecretNameAnnotation"].text();
  if (!chosen.empty()) {
    if (const Value* name = annotation(pod, document::Name(chosen))) {
      reach("credentials/named");
      const std::string secret(name->text());
      return give_secret(pod, container, secret, input);
    }
  }
  for (const Value& secret : (*found)["secrets"].elements()) {
    if (Problem problem = give_secret(pod, container, secret["name"].text(), input)) return problem;
  }
  return std::nullopt;
}

Problem add_storage_spec(const Value& pod, Value& container, std::string_view key, const Value& overrides,
                         const StepInput& input) {
  StorageSpec spec{std::string(overrides["type"].text()), std::string(overrides["bucket"].text())};
  const std::string secret_name(storage_secret_name(pod, input.config.credentials));
  const Value* secret = input.find("Secret", secret_name);
  std::string used(key);
  if (secret == nullptr) reach("spec/without-secret");
  if (secret == nullptr && !key.empty()) return refuse("can't read storage secret " + secret_name);
  if (used.empty()) used = spec.type.empty() ? "default" : "default_" + spec.type;
  const Value* data = secret == nullptr ? nullptr : (*secret)["data"].find(document::Name(used));
  if (secret != nullptr && data == nullptr && !key.empty()) {
    reach("spec/without-entry");
    return refuse("specified storage key " + used + " not found in storage secret " + secret_name);
  }
  if (data != nullptr) {
    if (spec.type.empty()) {
      const std::string text = document::decode_base64(data->text()).value_or("");
      if (Problem problem = read_storage_data(text, container, spec, input)) return problem;
    }
    container.edit("env").push_back(env_from_secret("STORAGE_CONFIG", secret_name, used));
  }
  if (spec.type.empty()) reach("spec/without-type");
  if (spec.type.empty()) return refuse("unable to determine storage type");
  if (Problem problem = fill_placeholder(container, spec)) return problem;
  if (!overrides.empty()) reach("spec/overrides");
  if (!overrides.empty())
    append_env(container, "STORAGE_OVERRIDE_CONFIG", document::write_go_json(document::sorted(overrides)));
  return std::nullopt;
}

}  // namespace fixpoint::injectors::kserve
