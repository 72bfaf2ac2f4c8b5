#include "generators/pod/feature.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

// Fields that today's server has and older libraries lack: decoding into an old type loses them.
constexpr Feature kCanaryFeatures[] = {
    {"canaries/restart-rules", exotic, Place::container,
     R"({"restartPolicy": "Never", "restartPolicyRules": [{"action": "Restart", "exitCodes":
         {"operator": "In", "values": [42, 43]}}]})"},
    {"canaries/restart-rules-of-init", exotic, Place::init_container,
     R"({"restartPolicy": "OnFailure", "restartPolicyRules": [{"action": "Restart", "exitCodes":
         {"operator": "NotIn", "values": [1]}}]})"},
    {"canaries/resize-policy", exotic, Place::container,
     R"({"resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"},
                          {"resourceName": "memory", "restartPolicy": "RestartContainer"}]})"},
    {"canaries/native-sidecar", exotic, Place::init_container,
     R"({"restartPolicy": "Always", "image": "sidecar:1"})"},
    {"canaries/grpc-probe", exotic, Place::container,
     R"({"livenessProbe": {"grpc": {"port": 9001, "service": "live"}}})"},
    {"canaries/recursive-read-only", exotic, Place::mount,
     R"({"readOnly": true, "recursiveReadOnly": "Enabled"})"},
    {"canaries/image-volume", exotic, Place::volume,
     R"({"image": {"reference": "models:2", "pullPolicy": "Always"}})"},
    {"canaries/pod-resources", exotic, Place::spec,
     R"({"resources": {"limits": {"cpu": "16", "memory": "32Gi"}}})"},
    {"canaries/scheduling-group", exotic, Place::spec, R"({"schedulingGroup": {"podGroupName": "batch"}})"},
    {"canaries/host-users", exotic, Place::spec, R"([{"hostUsers": false}, {"hostUsers": true}])"},
    {"canaries/hostname-override", exotic, Place::spec, R"({"hostnameOverride": "web.example"})"},
    {"canaries/stop-signal", exotic, Place::container, R"({"lifecycle": {"stopSignal": "SIGUSR1"}})",
     [](PodBuilder& builder, Value&) { merge_into(builder.spec, {{"os", {{"name", "linux"}}}}); }},
    {"canaries/supplemental-policy", exotic, Place::spec,
     R"({"securityContext": {"supplementalGroupsPolicy": "Strict"}})"},
    {"canaries/selinux-change", exotic, Place::spec,
     R"({"securityContext": {"seLinuxOptions": {"level": "s0:c1,c2"}, "seLinuxChangePolicy": "Recursive"}})"},
    {"canaries/env-file", exotic, Place::spec, R"({"volumes": [{"name": "env-files", "emptyDir": {}}]})",
     [](PodBuilder& builder, Value&) {
       builder.some_containers(true, [](Value& one) {
         one.edit("env").push_back(
             {{"name", "FROM_FILE"},
              {"valueFrom",
               {{"fileKeyRef", {{"volumeName", "env-files"}, {"path", "a.env"}, {"key", "A"}}}}}});
       });
     }},
    {"canaries/match-label-keys", exotic, Place::spec,
     R"({"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "rack",
         "whenUnsatisfiable": "ScheduleAnyway",
         "nodeAffinityPolicy": "Ignore", "nodeTaintsPolicy": "Honor",
         "labelSelector": {"matchLabels": {"app": "web"}}, "matchLabelKeys": ["pod-template-hash"]}]})"},
    {"canaries/cluster-trust-bundle", exotic, Place::volume,
     R"({"projected": {"sources": [{"clusterTrustBundle": {"name": "roots", "path": "ca.pem"}},
         {"serviceAccountToken": {"path": "token"}}]}})"},
    {"canaries/claim-request", exotic, Place::container,
     R"({"resources": {"claims": [{"name": "dev", "request": "r"}]}})",
     [](PodBuilder& builder, Value&) {
       merge_into(builder.spec,
                  {{"resourceClaims", Value::list({Value{{"name", "dev"}, {"resourceClaimName", "d"}}})}});
     }},
    {"canaries/probe-grace", exotic, Place::container,
     R"({"startupProbe": {"tcpSocket": {"port": 8080}, "terminationGracePeriodSeconds": 60}})"},
};

}  // namespace

std::span<const Feature> canary_features() { return kCanaryFeatures; }

}  // namespace fixpoint::generators
