#include <array>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/kinds/workload_checks.h"
#include "harness/apiserver/plugins/plugins.h"
#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/plain_types.h"
#include "harness/apiserver/types/volume_types.h"
#include "harness/document/base64.h"

// The plain kinds: decoded, defaulted and prepared as the API server does it; their content is not validated.
namespace fixpoint::apiserver::kinds {

namespace {

bool is_zero_port(const Value& port) {
  return port.is_null() || (port.is_string() ? port.text().empty() : port.integer() == 0);
}

/// pkg/apis/core/v1/defaults.go SetDefaults_Service, beside the table.
void default_service(Value& service, int) {
  constexpr int kAffinitySeconds = 10800;
  const std::string type(service["spec"]["type"].text().empty() ? "ClusterIP"
                                                                : service["spec"]["type"].text());
  if (service["spec"]["sessionAffinity"].text() == "ClientIP")
    put_default(service, kService, {"spec", "sessionAffinityConfig", "clientIP", "timeoutSeconds"},
                kAffinitySeconds);
  else if (!service["spec"]["sessionAffinityConfig"].is_null())
    service.edit("spec").remove("sessionAffinityConfig");
  for (std::size_t i = 0; i < service["spec"]["ports"].size(); ++i) {
    const Value& port = service["spec"]["ports"].at(i);
    if (!is_zero_port(port["targetPort"])) continue;
    const Value number = port["port"].is_null() ? Value(0) : port["port"];
    service.edit("spec").edit("ports").edit(i).set("targetPort", number);
  }
  const bool is_balanced = type == "LoadBalancer", has_node_port = is_balanced || type == "NodePort";
  const bool has_external = type == "ClusterIP" && !service["spec"]["externalIPs"].empty();
  if (has_node_port || has_external)
    put_default(service, kService, {"spec", "externalTrafficPolicy"}, "Cluster");
  if (has_node_port || type == "ClusterIP")
    put_default(service, kService, {"spec", "internalTrafficPolicy"}, "Cluster");
  if (is_balanced) put_default(service, kService, {"spec", "allocateLoadBalancerNodePorts"}, true);
}

/// The addresses that a server allocates to a new Service, as a dry run gets them. Node ports are left out.
void prepare_service(Value& service, const Value& old, int) {
  const Value& spec = service["spec"];
  if (!old.is_null() || spec["type"].text() == "ExternalName") return;
  const bool is_headless = spec["clusterIP"].text() == "None";
  const bool has_both = is_headless && spec["selector"].empty();
  put_default(service, kService, {"spec", "clusterIP"}, "10.0.0.0");
  put_default(service, kService, {"spec", "clusterIPs"}, Value::list({service["spec"]["clusterIP"]}));
  put_default(service, kService, {"spec", "ipFamilies"},
              has_both ? Value::list({Value("IPv4"), Value("IPv6")}) : Value::list({Value("IPv4")}));
  put_default(service, kService, {"spec", "ipFamilyPolicy"}, has_both ? "RequireDualStack" : "SingleStack");
}

/// The texts of stringData become data (Convert_v1_Secret_To_core_Secret).
std::string convert_secret(Value& secret) {
  if (secret["stringData"].is_null()) return {};
  Value data = secret["data"].is_object() ? secret["data"] : Value::empty_object();
  for (const document::Member& member : secret["stringData"].members())
    data.set(member.key.name(), document::encode_base64(member.value.text()));
  secret.remove("stringData");
  if (!data.empty()) put_member(secret, kSecret, "data", data);
  return {};
}

/// References to secrets keep their names alone (registry/core/serviceaccount cleanSecretReferences).
void prepare_service_account(Value& account, const Value&, int) {
  for (std::size_t i = 0; i < account["secrets"].size(); ++i) {
    const Value name = account["secrets"].at(i)["name"];
    account.edit("secrets").edit(i) = name.is_null() ? Value::empty_object() : Value{{"name", name}};
  }
}

void default_namespace(Value& space, int) {
  if (const Value name = space["metadata"]["name"]; !name.text().empty())
    put_at(space, kNamespace, std::array{Name("metadata"), Name("labels")}, [&] {
      Value labels =
          space["metadata"]["labels"].is_object() ? space["metadata"]["labels"] : Value::empty_object();
      labels.set("kubernetes.io/metadata.name", name);
      return labels;
    }());
}

/// A new Namespace is active and has the server's finalizer; of an old one both stay
/// (registry/core/namespace).
void prepare_namespace(Value& space, const Value& old, int) {
  if (!old.is_null()) return put_member(space, kNamespace, "spec", old["spec"]);
  put_member(space, kNamespace, "status", Value{{"phase", "Active"}});
  Value finalizers =
      space["spec"]["finalizers"].is_array() ? space["spec"]["finalizers"] : Value::empty_list();
  for (const Value& one : finalizers.elements())
    if (one.text() == "kubernetes") return;
  finalizers.push_back("kubernetes");
  put_member(space, kNamespace, "spec", Value{{"finalizers", finalizers}});
}

/// Both references to a source of data say the same (pkg/api/persistentvolumeclaim NormalizeDataSources).
void prepare_claim(Value& claim, const Value&, int) {
  const Value source = claim["spec"]["dataSource"], reference = claim["spec"]["dataSourceRef"];
  if (reference.is_null() && !source.is_null())
    put_at(claim, kPersistentVolumeClaim, std::array{Name("spec"), Name("dataSourceRef")}, source);
  else if (source.is_null() && !reference.is_null() && reference["namespace"].text().empty())
    put_at(claim, kPersistentVolumeClaim, std::array{Name("spec"), Name("dataSource")}, reference);
}

/// StorageObjectInUseProtection (plugin/pkg/admission/storage/storageobjectinuseprotection).
std::optional<cases::Status> run_claim_plugins(const cases::Request& request, const cases::Cluster& cluster,
                                               Value& claim, int pass) {
  if (auto refused = run_lifecycle(request, cluster, claim, pass)) return refused;
  if (request.is_update()) return std::nullopt;
  constexpr std::string_view kProtection = "kubernetes.io/pvc-protection";
  const Value& now = claim["metadata"]["finalizers"];
  for (const Value& one : now.elements())
    if (one.text() == kProtection) return std::nullopt;
  Value finalizers = now.is_array() ? now : Value::empty_list();
  finalizers.push_back(kProtection);
  put_member(claim.edit("metadata"), kObjectMeta, "finalizers", finalizers);
  return std::nullopt;
}

validation::Problems check_label(std::string_view name, int) { return validation::check_dns_label(name); }
validation::Problems check_service_name(std::string_view name, int minor) {
  constexpr int kRelaxedSince = 36;
  return minor < kRelaxedSince ? validation::check_dns_1035_label(name) : validation::check_dns_label(name);
}

}  // namespace

const TypedKind kServices{.type = kService,
                          .set_defaults = default_service,
                          .prepare = prepare_service,
                          .has_generation = false,
                          .check_name = check_service_name};
const TypedKind kConfigMaps{.type = kConfigMap, .has_generation = false, .check_name = check_subdomain};
const TypedKind kSecrets{
    .type = kSecret, .convert = convert_secret, .has_generation = false, .check_name = check_subdomain};
const TypedKind kServiceAccounts{.type = kServiceAccount,
                                 .prepare = prepare_service_account,
                                 .has_generation = false,
                                 .check_name = check_subdomain};
const TypedKind kNamespaces{.type = kNamespace,
                            .set_defaults = default_namespace,
                            .prepare = prepare_namespace,
                            .has_generation = false,
                            .check_name = check_label};
const TypedKind kVolumeClaims{.type = kPersistentVolumeClaim,
                              .prepare = prepare_claim,
                              .has_generation = false,
                              .check_name = check_subdomain,
                              .run_plugins = run_claim_plugins};
const TypedKind kIngresses{.type = kIngress, .check_name = check_subdomain};

}  // namespace fixpoint::apiserver::kinds
