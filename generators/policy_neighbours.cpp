#include <algorithm>
#include <map>

#include "generators/draw_context.h"
#include "harness/cases/minors.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/check.h"
#include "harness/document/yaml.h"
#include "harness/external/manifests/policy_subjects.h"

namespace fixpoint::generators {

namespace {

constexpr std::uint64_t kPolicyOneIn = 4, kSecondPolicyOneIn = 4;

/// Uses of policies in clusters. Each is right for every Pod: it settles, and it can be evaluated.
constexpr std::string_view kPolicies = R"(
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  failurePolicy: Fail
  reinvocationPolicy: IfNeeded
---
metadata: {name: label-team}
spec:
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: >-
          Object{metadata: Object.metadata{labels: {'policy.example.io/team': request.namespace}}}
---
metadata: {name: guarded-sidecar}
spec:
  matchConditions:
    - name: not-there
      expression: >-
        !(object.spec.?containers.orValue([]) + object.spec.?initContainers.orValue([]))
        .exists(c, c.?name.orValue('') == 'policy-sidecar')
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: >-
          [JSONPatch{op: 'add', path: '/spec/containers/-',
          value: Object.spec.containers{name: 'policy-sidecar', image: 'policy:1'}}]
---
metadata: {name: native-sidecar-once}
spec:
  reinvocationPolicy: Never
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: >-
          Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: 'policy-native',
          image: 'policy:1', restartPolicy: 'Always'}]}}
---
metadata: {name: seccomp-profile}
spec:
  matchConditions:
    - name: has-none
      expression: >-
        object.spec.?os.?name.orValue('linux') == 'linux' &&
        !object.spec.?securityContext.?seccompProfile.hasValue()
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: >-
          Object{spec: Object.spec{securityContext: Object.spec.securityContext{
          seccompProfile: Object.spec.securityContext.seccompProfile{type: 'RuntimeDefault'}}}}
---
metadata: {name: mirror-image}
spec:
  failurePolicy: Ignore
  variables:
    - name: mirrored
      expression: >-
        object.spec.?containers.orValue([]).filter(c, c.?image.orValue('').startsWith('docker.io/'))
  matchConditions:
    - name: any
      expression: >-
        object.spec.?containers.orValue([]).exists(c, c.?image.orValue('').startsWith('docker.io/'))
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: >-
          Object{spec: Object.spec{containers: variables.mirrored.map(c, Object.spec.containers{
          name: c.name, image: c.image.replace('docker.io/', 'mirror.example.io/', 1)})}}
---
metadata: {name: tolerate-pool}
spec:
  matchConditions:
    - name: not-there
      expression: >-
        !object.spec.?tolerations.orValue([]).exists(t, t.?key.orValue('') == 'pool')
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: >-
          (has(object.spec.tolerations) ? [] :
          [JSONPatch{op: 'add', path: '/spec/tolerations', value: []}]) +
          [JSONPatch{op: 'add', path: '/spec/tolerations/-',
          value: Object.spec.tolerations{key: 'pool', operator: 'Equal', value: request.namespace}}]
---
metadata: {name: team-defaults}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: >-
          Object{metadata: Object.metadata{annotations: {
          'policy.example.io/owner': params.?data.?owner.orValue('nobody')}}}
---
policyName: team-defaults
paramRef: {name: team-defaults, namespace: default, parameterNotFoundAction: Allow}
)";

/// The parameter of `team-defaults`, which is not there in half of the Cases.
Value team_defaults() {
  return {{"apiVersion", "v1"},
          {"kind", "ConfigMap"},
          {"metadata", {{"name", "team-defaults"}, {"namespace", "default"}}},
          {"data", {{"owner", "data"}}}};
}

Value registered(std::string_view kind, const Value& name, Value spec) {
  return {{"apiVersion", "admissionregistration.k8s.io/v1"},
          {"kind", kind},
          {"metadata", {{"name", name}}},
          {"spec", std::move(spec)}};
}

}  // namespace

std::vector<Subject> policy_neighbours() {
  const auto stream = document::read_yaml_stream(kPolicies);
  document::check(stream.ok(), "the neighbours' policies are YAML");
  external::PolicySubjects policies;
  const auto take = [&](const Value& object) {
    document::check(!policies.take(object), "a server stores a neighbour's policy");
  };
  for (const Value& one : std::span(*stream).subspan(1)) {
    if (one.find("policyName") != nullptr) {
      take(registered(cases::kPolicyBinding.kind, one["policyName"], one));
      continue;
    }
    Value spec = stream->front()["spec"];
    for (const auto& member : one["spec"].members()) spec.set(member.key.text(), member.value);
    take(registered(cases::kPolicy.kind, one["metadata"]["name"], std::move(spec)));
  }
  std::vector<Subject> neighbours;
  for (auto& one : policies.subjects({})) {
    if (!one.subject.configuration["spec"]["paramKind"].is_null())
      one.subject.vocabulary.objects.push_back({Value(), team_defaults()});
    one.subject.name = "policy/" + one.subject.name;
    neighbours.push_back(std::move(one.subject));
  }
  return neighbours;
}

void draw_policy_neighbours(Case& value, const DrawContext::Prepared& prepared, Choices& choices) {
  // Older servers run policies behind a feature gate alone, and in other versions of their API.
  if (prepared.policies.empty() || !choices.one_in(kPolicyOneIn)) return;
  if (value.request.is_update() || value.cluster.version != cases::kNewestVersion) return;
  const auto add = [&] {
    const PreparedSubject& policy = choices.pick(prepared.policies);
    if (cases::find_configuration(value.cluster, policy.configuration) != nullptr) return;
    join_subject(value, policy, choices);
    if (value.neighbours) value.neighbours->push_back(policy.configuration);
  };
  add();
  if (choices.one_in(kSecondPolicyOneIn)) add();
}

}  // namespace fixpoint::generators
