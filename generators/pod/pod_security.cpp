#include "generators/pod/feature.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

/// Adds the Pod's account to the cluster: without it, ServiceAccount admission would refuse the Pod.
void with_account(PodBuilder& builder, Value& spec) {
  const Value& name =
      spec["serviceAccountName"].is_null() ? spec["serviceAccount"] : spec["serviceAccountName"];
  Value account{{"apiVersion", "v1"},
                {"kind", "ServiceAccount"},
                {"metadata", {{"name", name}, {"namespace", builder.namespace_name}}}};
  if (builder.c.one_in(3)) account.set("imagePullSecrets", Value::list({Value{{"name", "registry"}}}));
  if (builder.c.one_in(4)) account.set("automountServiceAccountToken", builder.c.coin());
  builder.objects.push_back(std::move(account));
}

void own_token_mount(PodBuilder& builder, Value& volume) {
  (void)volume;
  builder.some_containers(true, [](Value& one) {
    one.edit("volumeMounts")
        .push_back({{"name", "own-token"},
                    {"mountPath", "/var/run/secrets/kubernetes.io/serviceaccount"},
                    {"readOnly", true}});
  });
}

constexpr Feature kSecurityFeatures[] = {
    {"security/user", common, Place::container, R"({"securityContext": {"runAsUser": 1000}})"},
    {"security/pod-user", common, Place::spec, R"({"securityContext": {"runAsUser": 1000}})"},
    {"security/pod-non-root", common, Place::spec, R"({"securityContext": {"runAsNonRoot": true}})"},
    {"security/restricted", common, Place::any_container,
     R"({"securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]},
         "runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}}})"},
    {"security/container-user", exotic, Place::any_container,
     R"([{"securityContext": {"runAsUser": 1337, "runAsGroup": 1337}}, {"securityContext": {"runAsUser": 0}},
         {"securityContext": {"runAsNonRoot": false}},
         {"securityContext": {"readOnlyRootFilesystem": true}}])"},
    {"security/empty-context", exotic, Place::any_container,
     R"([{"securityContext": {}}, {"securityContext": null}])"},
    {"security/empty-pod-context", exotic, Place::spec,
     R"([{"securityContext": {}}, {"securityContext": null}])"},
    {"security/pod-root", exotic, Place::spec,
     R"([{"securityContext": {"runAsUser": 0}}, {"securityContext": {"runAsNonRoot": false}}])"},
    {"security/groups", exotic, Place::spec,
     R"({"securityContext": {"fsGroup": 2000, "fsGroupChangePolicy": "OnRootMismatch", "runAsGroup": 3000,
         "supplementalGroups": [4000, 5000]}})"},
    {"security/privileged", exotic, Place::any_container, R"({"securityContext": {"privileged": true}})"},
    {"security/capabilities", exotic, Place::any_container,
     R"({"securityContext": {"capabilities": {"add": ["NET_ADMIN", "NET_RAW"], "drop": ["ALL"]}}})"},
    {"security/empty-capabilities", exotic, Place::any_container,
     R"({"securityContext": {"capabilities": {"add": [], "drop": []}}})"},
    {"security/selinux", exotic, Place::any_container,
     R"({"securityContext": {"seLinuxOptions": {"level": "s0:c1,c2", "type": "spc_t"}}})"},
    {"security/seccomp", exotic, Place::spec,
     R"([{"securityContext": {"seccompProfile": {"type": "RuntimeDefault"}}},
         {"securityContext": {"seccompProfile": {"type": "Localhost", "localhostProfile": "p.json"}}}])"},
    {"security/apparmor-field", exotic, Place::any_container,
     R"({"securityContext": {"appArmorProfile": {"type": "RuntimeDefault"}}})"},
    {"security/proc-mount", exotic, Place::any_container, R"({"securityContext": {"procMount": "Default"}})"},
    {"security/sysctls", exotic, Place::spec,
     R"({"securityContext": {"sysctls": [{"name": "net.ipv4.ip_unprivileged_port_start", "value": "0"}]}})"},
    {"security/service-account", exotic, Place::spec,
     R"([{"serviceAccountName": "model-reader"}, {"serviceAccount": "old-way"}])", with_account},
    {"security/automount-off", exotic, Place::spec, R"({"automountServiceAccountToken": false})"},
    {"security/automount-on", exotic, Place::spec, R"({"automountServiceAccountToken": true})"},
    {"security/pull-secrets", exotic, Place::spec,
     R"([{"imagePullSecrets": [{"name": "registry"}]}, {"imagePullSecrets": [{"name": "a"}, {"name": "b"}]},
         {"imagePullSecrets": []}])"},
    {"security/pull-secret-twice",
     exotic,
     Place::spec,
     {},
     [](PodBuilder&, Value& at) {
       at.set("imagePullSecrets", Value::list({Value{{"name", "a"}}, Value{{"name", "a"}}}));
     }},
    {"security/own-token", exotic, Place::spec,
     R"({"volumes": [{"name": "own-token", "projected": {"sources": [{"serviceAccountToken":
         {"path": "token", "audience": "vault", "expirationSeconds": 7200}}]}}]})",
     own_token_mount},
    {"security/words-of-a-token-path", exotic, Place::mount,
     R"({"mountPath": "/opt/app/serviceaccount/data"})"},
    {"security/host-namespaces", exotic, Place::spec, R"([{"hostPID": true}, {"hostIPC": true}])"},
    {"security/windows", exotic, Place::spec,
     R"({"os": {"name": "linux"}, "nodeSelector": {"kubernetes.io/os": "linux"}})"},
    {"security/non-root-as-root", defect, Place::any_container, R"({"securityContext": {"runAsUser": -1}})"},
    {"security/escalation", defect, Place::any_container,
     R"({"securityContext": {"privileged": true, "allowPrivilegeEscalation": false}})"},
    {"security/two-pod-namespaces", defect, Place::spec,
     R"({"hostPID": true, "shareProcessNamespace": true})"},
};

}  // namespace

std::span<const Feature> security_features() { return kSecurityFeatures; }

}  // namespace fixpoint::generators
