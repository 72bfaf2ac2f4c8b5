#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "harness/apiserver/plugins/plugin.h"
#include "harness/document/named.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::plugins {

namespace {

using document::Text;

using cases::Cluster;
using cases::Request;
using document::Name;
using document::Value;

constexpr std::string_view kMirror = "kubernetes.io/config.mirror";
constexpr std::string_view kTokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";
constexpr std::string_view kTokenVolume = "kube-api-access-";

bool automounts(const Value& account, const Value& pod) {
  const Value& own = pod["spec"]["automountServiceAccountToken"];
  if (own.is_boolean()) return own.is_true();
  const Value& of_account = account["automountServiceAccountToken"];
  return !of_account.is_boolean() || of_account.is_true();
}

/// Mounts the token in containers that have no mount at its path; returns true if it mounted any.
bool mount_token(Value& pod, const Name& list, const Value& mount) {
  bool mounted = false;
  for (std::size_t i = 0; i < pod["spec"][list].size(); ++i) {
    const auto mounts = pod["spec"][list].at(i)["volumeMounts"].elements();
    const bool taken = std::any_of(mounts.begin(), mounts.end(), [](const Value& other) {
      return other["mountPath"].text() == kTokenPath;
    });
    if (taken) continue;
    pod.edit("spec").edit(list).edit(i).edit("volumeMounts").push_back(mount);
    mounted = true;
  }
  return mounted;
}

const Value& token_source() {
  thread_local const Value source{
      {"sources",
       Value::list(
           {Value{{"serviceAccountToken", {{"expirationSeconds", 3607}, {"path", "token"}}}},
            Value{{"configMap",
                   {{"name", "kube-root-ca.crt"},
                    {"items", Value::list({Value{{"key", "ca.crt"}, {"path", "ca.crt"}}})}}}},
            Value{{"downwardAPI",
                   {{"items",
                     Value::list({Value{
                         {"path", "namespace"},
                         {"fieldRef", {{"apiVersion", "v1"}, {"fieldPath", "metadata.namespace"}}}}})}}}}})},
      {"defaultMode", 420}};
  return source;
}

void mount_service_account(Value& pod, int pass) {
  static constexpr std::array<std::string_view, 2> kNames{"kube-api-access-xxxxx", "kube-api-access-yyyyy"};
  const std::string_view own = kNames[pass == 1 ? 0 : 1];
  std::string_view name = own;
  bool has_volume = false;
  for (const Value& volume : pod["spec"]["volumes"].elements()) {
    if (!volume["name"].text().starts_with(kTokenVolume)) continue;
    name = volume["name"].text();
    has_volume = true;
    break;
  }
  const auto mount_of = [](std::string_view of) {
    return Value{{"name", of}, {"readOnly", true}, {"mountPath", kTokenPath}};
  };
  const auto volume_of = [](std::string_view of) {
    return Value{{"name", of}, {"projected", token_source()}};
  };
  // Nearly every Pod gets these two, so that they are kept together with their stamps.
  thread_local const Value usual = mount_of(kNames[0]);
  thread_local const Value usual_volume = volume_of(kNames[0]);
  const Value mount = name == kNames[0] ? usual : mount_of(name);
  const bool in_init = mount_token(pod, "initContainers", mount);
  const bool in_regular = mount_token(pod, "containers", mount);
  if (has_volume || !(in_init || in_regular)) return;
  pod.edit("spec").edit("volumes").push_back(pass == 1 ? usual_volume : volume_of(own));
}

bool names_a_secret(const Value& container) {
  for (const Value& env : container["env"].elements()) {
    if (!env["valueFrom"]["secretKeyRef"]["name"].text().empty()) return true;
  }
  for (const Value& from : container["envFrom"].elements()) {
    if (!from["secretRef"]["name"].text().empty()) return true;
  }
  return false;
}

/// Returns true if a volume's source names a Secret. Of two sources the first one in the table counts, and an
/// empty name is ignored (VisitPodSecretNames in pkg/api/pod/util.go).
bool volume_names_a_secret(const Value& volume) {
  struct Row {
    Name source;
    Name member;
  };
  static constexpr Row kRows[] = {
      {"azureFile", "secretName"}, {"cephfs", "secretRef"},        {"cinder", "secretRef"},
      {"flexVolume", "secretRef"}, {"projected", "sources"},       {"rbd", "secretRef"},
      {"secret", "secretName"},    {"scaleIO", "secretRef"},       {"iscsi", "secretRef"},
      {"storageos", "secretRef"},  {"csi", "nodePublishSecretRef"}};
  for (const Row& row : kRows) {
    const Value& source = volume[row.source];
    if (source.is_null()) continue;
    const Value& member = source[row.member];
    if (!member.is_array()) return !(member.is_object() ? member["name"] : member).text().empty();
    const auto sources = member.elements();
    return std::any_of(sources.begin(), sources.end(),
                       [](const Value& one) { return !one["secret"]["name"].text().empty(); });
  }
  return false;
}

Refusal check_mirror_pod(const Request& request, const Value& pod) {
  const Value& spec = pod["spec"];
  if (!spec["serviceAccountName"].text().empty())
    return forbid(request, pod, Text("a mirror pod may not reference service accounts").with({}));
  bool secrets = false;
  for (const Value& reference : spec["imagePullSecrets"].elements())
    secrets = secrets || !reference["name"].text().empty();
  for (const char* list : {"containers", "initContainers", "ephemeralContainers"}) {
    for (const Value& container : spec[list].elements()) secrets = secrets || names_a_secret(container);
  }
  bool tokens = false;
  for (const Value& volume : spec["volumes"].elements()) {
    secrets = secrets || volume_names_a_secret(volume);
    for (const Value& source : volume["projected"]["sources"].elements()) {
      tokens = tokens || !source["serviceAccountToken"].is_null();
    }
  }
  if (secrets) return forbid(request, pod, Text("a mirror pod may not reference secrets").with({}));
  if (tokens)
    return forbid(request, pod,
                  Text("a mirror pod may not use ServiceAccountToken volume projections").with({}));
  return std::nullopt;
}

bool enforces_secrets(const Value& account) {
  static constexpr std::array<std::string_view, 6> kTrue{"1", "t", "T", "TRUE", "true", "True"};
  const auto enforced = account["metadata"]["annotations"]["kubernetes.io/enforce-mountable-secrets"].text();
  return std::find(kTrue.begin(), kTrue.end(), enforced) != kTrue.end();
}

/// Why a ServiceAccount refuses a Secret of a list of containers; empty if it refuses none.
std::string foreign_secret(const Value& account, const Value& containers, const char* kind) {
  const std::string_view owner = account["metadata"]["name"].text();
  const auto is_foreign = [&](const Value& name) { return !has_named(account["secrets"], name.text()); };
  for (const Value& container : containers.elements()) {
    for (const Value& env : container["env"].elements()) {
      const Value& key = env["valueFrom"]["secretKeyRef"];
      if (key.is_null() || !is_foreign(key["name"])) continue;
      return Text(
                 "{} {} with envVar {} referencing secret.secretName=\"{}\" is not allowed because service "
                 "account {} does not reference that secret")
          .with({kind, container["name"].text(), env["name"].text(), key["name"].text(), owner});
    }
    for (const Value& from : container["envFrom"].elements()) {
      const Value& name = from["secretRef"]["name"];
      if (from["secretRef"].is_null() || !is_foreign(name)) continue;
      return Text(
                 "{} {} with envFrom referencing secret.secretName=\"{}\" is not allowed because service "
                 "account {} does not reference that secret")
          .with({kind, container["name"].text(), name.text(), owner});
    }
  }
  return {};
}

/// Enforces the annotation `kubernetes.io/enforce-mountable-secrets` of a ServiceAccount
/// (limitSecretReferences).
Refusal check_secrets(const Request& request, const Value& account, const Value& pod) {
  if (!enforces_secrets(account)) return std::nullopt;
  const std::string_view owner = account["metadata"]["name"].text();
  const auto is_listed = [&](const char* list, const Value& name) {
    return has_named(account[list], name.text());
  };
  for (const Value& volume : pod["spec"]["volumes"].elements()) {
    const Value& name = volume["secret"]["secretName"];
    if (volume["secret"].is_null() || is_listed("secrets", name)) continue;
    return forbid(request, pod,
                  Text("volume with secret.secretName=\"{}\" is not allowed because service account {} "
                       "does not reference that secret")
                      .with({name.text(), owner}));
  }
  for (const auto& [list, kind] :
       {std::pair{"initContainers", "init container"}, {"containers", "container"}}) {
    const std::string why = foreign_secret(account, pod["spec"][list], kind);
    if (!why.empty()) return forbid(request, pod, why);
  }
  const auto pull_secrets = pod["spec"]["imagePullSecrets"].elements();
  for (std::size_t i = 0; i < pull_secrets.size(); ++i) {
    const Value& name = pull_secrets[i]["name"];
    if (is_listed("imagePullSecrets", name)) continue;
    return forbid(request, pod,
                  Text("imagePullSecrets[{}].name=\"{}\" is not allowed because service account {} does "
                       "not reference that imagePullSecret")
                      .with({std::to_string(i), name.text(), owner}));
  }
  return std::nullopt;
}

/// The account of a Pod; a missing `default` counts as an empty one.
std::optional<Value> account_of(const Request& request, const Cluster& cluster, const std::string& name) {
  const Value* found = cluster.find("ServiceAccount", request.namespace_name, name);
  if (found != nullptr) return *found;
  if (name != "default") return std::nullopt;
  return Value::empty_object();
}

Refusal no_account(const Request& request, const Value& pod, const std::string& name) {
  return forbid(request, pod,
                Text("error looking up service account {}/{}: serviceaccount {} not found")
                    .with({request.namespace_name, name, document::go_quoted(name)}));
}

}  // namespace

/// Validate of plugin/pkg/admission/serviceaccount: of a creation, and of new debug containers.
Refusal judge_service_account(const Request& request, const Cluster& cluster, const Value& pod) {
  const bool is_debug = request.is_update() && request.sub_resource == "ephemeralcontainers";
  if (!is_debug && (request.is_update() || !request.sub_resource.empty())) return std::nullopt;
  if (!is_debug && pod["metadata"]["annotations"].find(kMirror) != nullptr)
    return check_mirror_pod(request, pod);
  const std::string name(pod["spec"]["serviceAccountName"].text());
  if (name.empty()) {
    return forbid(request, pod,
                  Text("no service account specified for pod {}/{}")
                      .with({request.namespace_name, pod["metadata"]["name"].text()}));
  }
  const auto account = account_of(request, cluster, name);
  if (!account) return no_account(request, pod, name);
  if (!is_debug) return check_secrets(request, *account, pod);
  if (!enforces_secrets(*account)) return std::nullopt;
  const std::string why = foreign_secret(*account, pod["spec"]["ephemeralContainers"], "ephemeral container");
  // The server answers with a plain error here, which has no code of its own.
  return why.empty() ? std::nullopt : fail(why);
}

Refusal service_account(const Request& request, const Cluster& cluster, Value& pod, int pass) {
  if (request.is_update() || !request.sub_resource.empty()) return std::nullopt;
  if (pod["metadata"]["annotations"].find(kMirror) != nullptr) return check_mirror_pod(request, pod);
  if (pod["spec"]["serviceAccountName"].text().empty()) {
    pod.edit("spec").set("serviceAccountName", "default");
    pod.edit("spec").set("serviceAccount", "default");
  }
  const std::string name(pod["spec"]["serviceAccountName"].text());
  const auto account = account_of(request, cluster, name);
  if (!account) return no_account(request, pod, name);
  if (automounts(*account, pod)) mount_service_account(pod, pass);
  if (pod["spec"]["imagePullSecrets"].empty()) {
    for (const Value& secret : (*account)["imagePullSecrets"].elements()) {
      Value reference = Value::empty_object();
      if (!secret["name"].text().empty()) reference.set("name", secret["name"]);
      pod.edit("spec").edit("imagePullSecrets").push_back(std::move(reference));
    }
  }
  return check_secrets(request, *account, pod);
}

}  // namespace fixpoint::apiserver::plugins
