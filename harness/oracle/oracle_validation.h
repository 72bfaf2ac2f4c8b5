#pragma once

#include <set>
#include <string>
#include <utility>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// The registry's errors for a Pod that is created, as the machinery's error type and the field, for those
/// rules that the reference model has (docs/validation.md#10). It has all rules of these fields, and of no
/// others (`c` is a regular or an init container):
///
///   metadata.name, .generateName, .labels, .annotations
///   spec.restartPolicy, .dnsPolicy, .serviceAccountName, .hostname, .subdomain, .priorityClassName,
///     .runtimeClassName, .nodeName, .activeDeadlineSeconds, .nodeSelector, .preemptionPolicy, .containers,
///     .ephemeralContainers, .tolerations[] .key .operator .effect, .hostAliases[].hostnames[]
///   c.name, .image, .imagePullPolicy, .terminationMessagePolicy
///   c.ports[] .name .containerPort .hostPort .protocol
///   c.env[] .name .valueFrom .valueFrom.fieldRef… .configMapKeyRef… .secretKeyRef…
///   c.envFrom, .envFrom[] .prefix .configMapRef.name .secretRef.name
///   c.resources, .requests, .limits, and [cpu], [memory], [ephemeral-storage] of both
///   c.volumeMounts[] .name .mountPath, volumes[].name: of a Pod whose volumes are all of the six kinds
///     emptyDir, hostPath, secret, configMap, persistentVolumeClaim and projected (of Secrets, ConfigMaps,
///     the downward API and tokens)
///   containers[].livenessProbe, .readinessProbe, .startupProbe and all below but exec
class Judgement {
 public:
  using Errors = std::set<std::pair<std::string, std::string>>;
  /// Judges `pod` as mutating admission left it.
  Judgement(const Json& pod, int minor);
  const Errors& errors() const { return errors_; }
  /// Returns true if the list above contains the field.
  bool speaks_of(const std::string& field) const;

 private:
  Errors errors_;
  bool knows_volumes_ = true;
};

}  // namespace fixpoint::oracle
