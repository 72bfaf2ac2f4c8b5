#include <string_view>

#include "harness/document/check.h"
#include "harness/external/manifests/policy_subjects.h"
#include "injectors/defects/defect_helpers.h"
#include "injectors/defects/defects.h"

namespace fixpoint::injectors::defects {

namespace {

using document::Value;

// MutatingAdmissionPolicies with the mistakes that their authors make.

/// The difference between the two variants of a policy: its match condition, if it has one, and its mutation.
struct Variant {
  const char* condition;
  const char* patch_type;
  const char* expression;
};

/// The subject becomes the policy of its variant, bound to everything.
void become_policy(runner::Subject& subject, const Variant& buggy, const Variant& fixed) {
  const Variant& variant = subject.name.ends_with("@buggy") ? buggy : fixed;
  const bool is_json_patch = std::string_view(variant.patch_type) == "JSONPatch";
  Value mutation{{"patchType", variant.patch_type}};
  mutation.set(is_json_patch ? "jsonPatch" : "applyConfiguration", {{"expression", variant.expression}});
  Value rule{{"apiGroups", Value::list({""})},
             {"apiVersions", Value::list({"v1"})},
             {"operations", Value::list({"CREATE"})},
             {"resources", Value::list({"pods"})}};
  Value spec{{"matchConstraints", {{"resourceRules", Value::list({rule})}}},
             {"failurePolicy", "Fail"},
             {"reinvocationPolicy", "IfNeeded"},
             {"mutations", Value::list({mutation})}};
  if (*variant.condition != '\0') {
    spec.set("matchConditions", Value::list({Value{{"name", "guard"}, {"expression", variant.condition}}}));
  }
  external::PolicySubjects policies;
  const auto refused = policies.take({{"apiVersion", "admissionregistration.k8s.io/v1"},
                                      {"kind", "MutatingAdmissionPolicy"},
                                      {"metadata", {{"name", subject.configuration["metadata"]["name"]}}},
                                      {"spec", spec}});
  document::check(!refused.has_value(), "a server stores the policy of a planted defect");
  runner::Subject policy = policies.subjects({}).front().subject;
  policy.name = subject.name;
  subject = std::move(policy);
}

/// A policy has no handler: the API server runs it.
Answer no_call(const Call&, bool) { return webhooks::allow(); }

constexpr const char* kApply = "ApplyConfiguration";
constexpr const char* kJson = "JSONPatch";
constexpr const char* kNoMesh = "!object.spec.?initContainers.orValue([]).exists(c, c.name == 'mesh')";
constexpr const char* kMesh =
    "Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: 'mesh', image: 'mesh:1', "
    "restartPolicy: 'Always'}]}}";
constexpr const char* kNoSide =
    "!object.spec.containers.exists(c, c.name == 'side') && "
    "!object.spec.?initContainers.orValue([]).exists(c, c.name == 'side')";
constexpr const char* kSide =
    "[JSONPatch{op: 'add', path: '/spec/containers/-', value: Object.spec.containers{name: 'side', image: "
    "'side:1'}}]";
constexpr const char* kSeen =
    "Object{metadata: Object.metadata{annotations: {'policy.example.com/seen': 'yes'}}}";
constexpr const char* kEnvEverywhere =
    "Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, "
    "env: [Object.spec.containers.env{name: 'POLICY', value: 'a'}]}), initContainers: "
    "object.spec.?initContainers.orValue([]).map(c, Object.spec.initContainers{name: c.name, env: "
    "[Object.spec.initContainers.env{name: 'POLICY', value: 'a'}]})}}";

constexpr Defect kPolicyDefects[] = {
    {"policy-field-absent", "A condition reads initContainers, which most Pods lack.", "expressions-evaluate",
     no_call,
     [](runner::Subject& subject) {
       become_policy(subject, {"!object.spec.initContainers.exists(c, c.name == 'mesh')", kApply, kMesh},
                     {kNoMesh, kApply, kMesh});
     }},
    {"policy-append-without-guard", "Appends a container whenever the server runs it, which is twice.",
     "no-duplicate-names", no_call,
     [](runner::Subject& subject) { become_policy(subject, {"", kJson, kSide}, {kNoSide, kJson, kSide}); }},
    {"policy-name-generated", "Copies metadata.name, which a Pod with generateName lacks.",
     "expressions-evaluate", no_call,
     [](runner::Subject& subject) {
       become_policy(subject,
                     {"", kApply,
                      "Object{metadata: Object.metadata{annotations: {'policy.example.com/of': "
                      "object.metadata.name}}}"},
                     {"", kApply,
                      "Object{metadata: Object.metadata{annotations: {'policy.example.com/of': "
                      "request.namespace}}}"});
     }},
    {"policy-atomic-list", "An apply configuration mentions tolerations, which are atomic.",
     "expressions-evaluate", no_call,
     [](runner::Subject& subject) {
       become_policy(subject,
                     {"", kApply,
                      "Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key: 'team', operator: "
                      "'Exists'}]}}"},
                     {"!object.spec.?tolerations.orValue([]).exists(t, t.?key.orValue('') == 'team')", kJson,
                      "has(object.spec.tolerations) ? [JSONPatch{op: 'add', path: '/spec/tolerations/-', "
                      "value: {'key': 'team', 'operator': 'Exists'}}] : [JSONPatch{op: 'add', path: "
                      "'/spec/tolerations', value: [{'key': 'team', 'operator': 'Exists'}]}]"});
     }},
    {"policy-map-absent", "A JSON Patch adds a label below labels, which the Pod may lack.",
     "expressions-evaluate", no_call,
     [](runner::Subject& subject) {
       become_policy(subject,
                     {"", kJson, "[JSONPatch{op: 'add', path: '/metadata/labels/team', value: 'a'}]"},
                     {"", kApply, "Object{metadata: Object.metadata{labels: {'team': 'a'}}}"});
     }},
    {"policy-key-not-escaped", "A JSON Patch writes a key with a slash without escaping it.",
     "expressions-evaluate", no_call,
     [](runner::Subject& subject) {
       become_policy(subject,
                     {"has(object.metadata.annotations)", kJson,
                      "[JSONPatch{op: 'add', path: '/metadata/annotations/policy.example.com/seen', value: "
                      "'yes'}]"},
                     {"has(object.metadata.annotations)", kJson,
                      "[JSONPatch{op: 'add', path: '/metadata/annotations/' + "
                      "jsonpatch.escapeKey('policy.example.com/seen'), value: 'yes'}]"});
     }},
    {"policy-wrong-type-name", "An object stands in a place that its type name does not fit.",
     "expressions-evaluate", no_call,
     [](runner::Subject& subject) {
       become_policy(subject,
                     {"", kApply,
                      "Object{spec: Object.spec{securityContext: Object.securityContext{"
                      "fsGroup: 2000}}}"},
                     {"", kApply,
                      "Object{spec: Object.spec{securityContext: "
                      "Object.spec.securityContext{fsGroup: 2000}}}"});
     }},
    {"policy-index-absent", "Reads the second container, which most Pods lack.", "expressions-evaluate",
     no_call,
     [](runner::Subject& subject) {
       become_policy(subject, {"object.spec.containers[1].name != 'none'", kApply, kSeen},
                     {"object.spec.containers.all(c, c.name != 'none')", kApply, kSeen});
     }},
    {"policy-image-mirrored-again", "Puts the mirror in front of images that have it already.", "converges",
     no_call,
     [](runner::Subject& subject) {
       become_policy(
           subject,
           {"", kApply,
            "Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: "
            "c.name, image: 'mirror.example.com/' + c.image})}}"},
           {"", kApply,
            "Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: "
            "c.name, image: c.image.startsWith('mirror.example.com/') ? c.image : 'mirror.example.com/' + "
            "c.image}), initContainers: object.spec.?initContainers.orValue([]).map(c, "
            "Object.spec.initContainers{name: c.name, image: c.image.startsWith('mirror.example.com/') ? "
            "c.image : 'mirror.example.com/' + c.image})}}"});
     }},
    {"policy-counts-runs", "Counts in an annotation how often it ran.", "converges", no_call,
     [](runner::Subject& subject) {
       become_policy(
           subject,
           {"", kApply,
            "Object{metadata: Object.metadata{annotations: {'policy.example.com/runs': "
            "string(int(object.metadata.?annotations[?'policy.example.com/runs'].orValue('0')) + 1)}}}"},
           {"", kApply, "Object{metadata: Object.metadata{annotations: {'policy.example.com/runs': '1'}}}"});
     }},
    {"policy-value-is-no-label", "Copies an image into a label, which may not hold a slash or a colon.",
     "valid-spec", no_call,
     [](runner::Subject& subject) {
       become_policy(
           subject,
           {"", kApply,
            "Object{metadata: Object.metadata{labels: {'image': object.spec.containers[0].image}}}"},
           {"", kApply, "Object{metadata: Object.metadata{labels: {'image': 'seen'}}}"});
     }},
    {"policy-replaces-annotations", "A JSON Patch writes all annotations anew, and the user's are lost.",
     "preserves-others", no_call,
     [](runner::Subject& subject) {
       become_policy(subject,
                     {"", kJson,
                      "[JSONPatch{op: 'add', path: '/metadata/annotations', value: "
                      "{'policy.example.com/seen': 'yes'}}]"},
                     {"", kApply, kSeen});
     }},
    {"policy-mounts-absent-volume", "Mounts a volume that it adds only to Pods of one label.", "valid-spec",
     no_call,
     [](runner::Subject& subject) {
       become_policy(
           subject,
           {"", kApply,
            "Object{spec: Object.spec{volumes: object.metadata.?labels[?'app'].hasValue() ? "
            "[Object.spec.volumes{name: 'policy-cache', emptyDir: Object.spec.volumes.emptyDir{}}] : [], "
            "containers: object.spec.?containers.orValue([]).map(c, Object.spec.containers{name: c.name, "
            "volumeMounts: [Object.spec.containers.volumeMounts{name: 'policy-cache', mountPath: "
            "'/policy-cache'}]})}}"},
           {"", kApply,
            "Object{spec: Object.spec{volumes: [Object.spec.volumes{name: 'policy-cache', emptyDir: "
            "Object.spec.volumes.emptyDir{}}], containers: object.spec.?containers.orValue([]).map(c, "
            "Object.spec.containers{name: c.name, volumeMounts: [Object.spec.containers.volumeMounts{name: "
            "'policy-cache', mountPath: '/policy-cache'}]}), initContainers: "
            "object.spec.?initContainers.orValue([]).map(c, Object.spec.initContainers{name: c.name, "
            "volumeMounts: [Object.spec.initContainers.volumeMounts{name: 'policy-cache', mountPath: "
            "'/policy-cache'}]})}}"});
     }},
    {"policy-adds-empty-env", "A JSON Patch adds an env variable below env, which a container may lack.",
     "expressions-evaluate", no_call,
     [](runner::Subject& subject) {
       become_policy(subject,
                     {"", kJson,
                      "[JSONPatch{op: 'add', path: '/spec/containers/0/env/-', value: "
                      "Object.spec.containers.env{name: 'POLICY', value: 'a'}}]"},
                     {"", kApply, kEnvEverywhere});
     }},
    {"policy-first-container-only", "Sets an env variable in the first container alone, whichever it is.",
     "order-independent", no_call,
     [](runner::Subject& subject) {
       become_policy(subject,
                     {"", kApply,
                      "Object{spec: Object.spec{containers: [Object.spec.containers{name: "
                      "object.spec.containers[0].name, env: [Object.spec.containers.env{name: 'POLICY', "
                      "value: 'a'}]}]}}"},
                     {"", kApply, kEnvEverywhere});
     }},
};

}  // namespace

std::span<const Defect> policy_defects() { return kPolicyDefects; }

}  // namespace fixpoint::injectors::defects
