#include "harness/runner/learning/plain_schemas.h"

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "harness/apiserver/custom/structural_schema.h"

namespace fixpoint::runner {

namespace {

using document::Value;
using Properties = std::initializer_list<std::pair<std::string_view, Value>>;
using Texts = std::initializer_list<std::string_view>;

constexpr std::string_view kLabel = "^[a-z]([-a-z0-9]{0,20}[a-z0-9])?$";
constexpr std::string_view kHost = "^[a-z]{1,8}\\.example\\.(com|org)$";
constexpr std::string_view kQuantity = "^[1-9][0-9]?(Mi|Gi)$";
constexpr std::string_view kPath = "^/[a-z]{0,8}$";

Value text() { return {{"type", "string"}}; }
Value text_like(std::string_view pattern) { return {{"type", "string"}, {"pattern", pattern}}; }
Value flag() { return {{"type", "boolean"}}; }
Value number(int least, int most) { return {{"type", "integer"}, {"minimum", least}, {"maximum", most}}; }
Value bytes() { return {{"type", "string"}, {"format", "byte"}}; }
Value list_of(Value items, int least = 0) {
  return {{"type", "array"}, {"minItems", least}, {"items", std::move(items)}};
}
Value map_of(Value values) { return {{"type", "object"}, {"additionalProperties", std::move(values)}}; }

Value one_of(Texts names) {
  Value values = Value::empty_list();
  for (const std::string_view name : names) values.push_back(name);
  return {{"type", "string"}, {"enum", std::move(values)}};
}

Value object_of(Properties members, Texts required = {}) {
  Value properties = Value::empty_object(), names = Value::empty_list();
  for (const auto& [name, schema] : members) properties.set(document::Name(name), schema);
  for (const std::string_view name : required) names.push_back(name);
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(names)}};
}

/// The keys of a ConfigMap's or a Secret's data, which may not have a slash.
Value data_of(const Value& values) {
  return object_of({{"config.yaml", values}, {"USER", values}, {"tls.crt", values}});
}
Value selector() { return object_of({{"matchLabels", map_of(text_like(kLabel))}}); }
Value reference() { return object_of({{"name", text_like(kLabel)}}, {"name"}); }

Value service() {
  const Value port = object_of({{"name", text_like("^[a-z]{1,8}$")},
                                {"port", number(1, 65535)},
                                {"protocol", one_of({"TCP", "UDP", "SCTP"})},
                                {"appProtocol", one_of({"http", "grpc"})}},
                               {"name", "port"});
  Value ports = list_of(port, 1);
  ports.set("x-kubernetes-list-map-keys", Value::list({"name"}));
  return object_of({{"spec", object_of({{"type", one_of({"ClusterIP", "NodePort", "LoadBalancer"})},
                                        {"selector", map_of(text_like(kLabel))},
                                        {"ports", std::move(ports)},
                                        {"publishNotReadyAddresses", flag()},
                                        {"sessionAffinity", one_of({"None", "ClientIP"})}},
                                       {"ports"})}});
}

Value claim() {
  const Value modes = one_of({"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"});
  const Value requests = object_of({{"storage", text_like(kQuantity)}}, {"storage"});
  Value access = list_of(modes, 1);
  access.set("maxItems", 1);
  return object_of({{"spec", object_of({{"accessModes", std::move(access)},
                                        {"resources", object_of({{"requests", requests}}, {"requests"})},
                                        {"storageClassName", text_like(kLabel)},
                                        {"volumeMode", one_of({"Filesystem", "Block"})},
                                        {"selector", selector()}},
                                       {"accessModes", "resources"})}});
}

Value ingress() {
  const Value port = object_of({{"number", number(1, 65535)}}, {"number"});
  const Value backend = object_of(
      {{"service", object_of({{"name", text_like(kLabel)}, {"port", port}}, {"name", "port"})}}, {"service"});
  const Value path = object_of({{"path", text_like(kPath)},
                                {"pathType", one_of({"Exact", "Prefix", "ImplementationSpecific"})},
                                {"backend", backend}},
                               {"path", "pathType", "backend"});
  const Value rule =
      object_of({{"host", text_like(kHost)}, {"http", object_of({{"paths", list_of(path, 1)}}, {"paths"})}});
  const Value tls = object_of({{"hosts", list_of(text_like(kHost))}, {"secretName", text_like(kLabel)}});
  return object_of({{"spec", object_of({{"ingressClassName", text_like(kLabel)},
                                        {"defaultBackend", backend},
                                        {"rules", list_of(rule)},
                                        {"tls", list_of(tls)}},
                                       {"defaultBackend"})}});
}

Value autoscaler() {
  const Value target = object_of({{"apiVersion", one_of({"apps/v1"})},
                                  {"kind", one_of({"Deployment", "StatefulSet"})},
                                  {"name", text_like(kLabel)}},
                                 {"apiVersion", "kind", "name"});
  const Value utilization =
      object_of({{"type", one_of({"Utilization"})}, {"averageUtilization", number(1, 100)}},
                {"type", "averageUtilization"});
  const Value metric = object_of(
      {{"type", one_of({"Resource"})},
       {"resource",
        object_of({{"name", one_of({"cpu", "memory"})}, {"target", utilization}}, {"name", "target"})}},
      {"type", "resource"});
  return object_of({{"spec", object_of({{"scaleTargetRef", target},
                                        {"minReplicas", number(1, 3)},
                                        {"maxReplicas", number(3, 10)},
                                        {"metrics", list_of(metric)}},
                                       {"scaleTargetRef", "maxReplicas"})}});
}

Value network_policy() {
  const Value peer = object_of({{"podSelector", selector()}}, {"podSelector"});
  const Value port = object_of({{"port", number(1, 65535)}, {"protocol", one_of({"TCP", "UDP"})}}, {"port"});
  const Value from = object_of({{"from", list_of(peer)}, {"ports", list_of(port)}});
  const Value to = object_of({{"to", list_of(peer)}, {"ports", list_of(port)}});
  return object_of({{"spec", object_of({{"podSelector", selector()},
                                        {"policyTypes", list_of(one_of({"Ingress", "Egress"}))},
                                        {"ingress", list_of(from)},
                                        {"egress", list_of(to)}},
                                       {"podSelector"})}});
}

Value rules_of_role() {
  const Value rule = object_of({{"apiGroups", list_of(one_of({"", "apps", "batch"}), 1)},
                                {"resources", list_of(one_of({"pods", "secrets", "deployments", "*"}), 1)},
                                {"verbs", list_of(one_of({"get", "list", "watch", "create", "*"}), 1)}},
                               {"apiGroups", "resources", "verbs"});
  return object_of({{"rules", list_of(rule)}}, {"rules"});
}

Value binding(Texts kinds) {
  constexpr std::string_view kGroup = "rbac.authorization.k8s.io";
  const Value role =
      object_of({{"apiGroup", one_of({kGroup})}, {"kind", one_of(kinds)}, {"name", text_like(kLabel)}},
                {"apiGroup", "kind", "name"});
  const Value subject = object_of(
      {{"kind", one_of({"ServiceAccount"})}, {"name", text_like(kLabel)}, {"namespace", text_like(kLabel)}},
      {"kind", "name", "namespace"});
  return object_of({{"roleRef", role}, {"subjects", list_of(subject)}}, {"roleRef"});
}

Value storage_class() {
  return object_of({{"provisioner", one_of({"csi.example.com", "kubernetes.io/no-provisioner"})},
                    {"parameters", map_of(text())},
                    {"reclaimPolicy", one_of({"Delete", "Retain"})},
                    {"allowVolumeExpansion", flag()},
                    {"volumeBindingMode", one_of({"Immediate", "WaitForFirstConsumer"})}},
                   {"provisioner"});
}

Value priority_class() {
  return object_of({{"value", number(-10, 1000000)},
                    {"globalDefault", flag()},
                    {"preemptionPolicy", one_of({"PreemptLowerPriority", "Never"})},
                    {"description", text()}},
                   {"value"});
}

Value runtime_class() {
  const Value pods = map_of(text_like(kQuantity));
  return object_of({{"handler", text_like("^[a-z]{1,8}$")},
                    {"overhead", object_of({{"podFixed", pods}})},
                    {"scheduling", object_of({{"nodeSelector", map_of(text_like(kLabel))}})}},
                   {"handler"});
}

Value ingress_class() {
  const Value parameters = object_of({{"apiGroup", one_of({"example.com"})},
                                      {"kind", one_of({"IngressParameters"})},
                                      {"name", text_like(kLabel)}},
                                     {"kind", "name"});
  return object_of({{"spec", object_of({{"controller", one_of({"example.com/ingress", "example.com/other"})},
                                        {"parameters", parameters}},
                                       {"controller"})}});
}

using Schemas = std::map<std::pair<std::string_view, std::string_view>, Value>;

/// The schemas by group and kind; they are the same for all versions that are served.
const Schemas& schemas() {
  constexpr std::string_view kNetworking = "networking.k8s.io", kRoles = "rbac.authorization.k8s.io";
  static const Schemas all{
      {{"", "ConfigMap"}, object_of({{"data", data_of(text())}, {"immutable", flag()}})},
      {{"", "Namespace"}, object_of({{"spec", object_of({})}})},
      {{"", "PersistentVolumeClaim"}, claim()},
      {{"", "Secret"},
       object_of({{"type", one_of({"Opaque"})},
                  {"data", data_of(bytes())},
                  {"stringData", data_of(text())},
                  {"immutable", flag()}})},
      {{"", "Service"}, service()},
      {{"", "ServiceAccount"},
       object_of({{"automountServiceAccountToken", flag()},
                  {"imagePullSecrets", list_of(reference())},
                  {"secrets", list_of(reference())}})},
      {{"autoscaling", "HorizontalPodAutoscaler"}, autoscaler()},
      {{kNetworking, "Ingress"}, ingress()},
      {{kNetworking, "IngressClass"}, ingress_class()},
      {{kNetworking, "NetworkPolicy"}, network_policy()},
      {{"node.k8s.io", "RuntimeClass"}, runtime_class()},
      {{"policy", "PodDisruptionBudget"},
       object_of(
           {{"spec", object_of({{"minAvailable", number(1, 3)}, {"selector", selector()}}, {"selector"})}})},
      {{kRoles, "Role"}, rules_of_role()},
      {{kRoles, "ClusterRole"}, rules_of_role()},
      {{kRoles, "RoleBinding"}, binding({"Role", "ClusterRole"})},
      {{kRoles, "ClusterRoleBinding"}, binding({"ClusterRole"})},
      {{"scheduling.k8s.io", "PriorityClass"}, priority_class()},
      {{"storage.k8s.io", "StorageClass"}, storage_class()}};
  return all;
}

}  // namespace

const Value& drawn_schema_of(const cases::Kind& kind) {
  if (kind.is_custom()) return apiserver::custom::schema_of(kind);
  static const Value kNone;
  const auto known = schemas().find({kind.group, kind.name});
  return known == schemas().end() ? kNone : known->second;
}

}  // namespace fixpoint::runner
