#include "harness/oracle/oracle_pod_schema.h"

namespace fixpoint::oracle {

// Kinds: s string, b bool, i int32, l int64, q quantity, t time, p int or string, r raw; anything else is the
// name of a type. Marks after the kind: [] list, {} map, * pointer, ! written even if empty, ~ rounded up to
// milli units, >=N and <=N minors, =TEXT the default of an absent or zero value.
constexpr std::string_view kMeta = R"(
Pod: kind s, apiVersion s, metadata ObjectMeta, spec PodSpec, status PodStatus
ObjectMeta: name s, generateName s, namespace s, selfLink s, uid s, resourceVersion s, generation l,
  creationTimestamp t!<=33, creationTimestamp t>=34, deletionTimestamp t*, deletionGracePeriodSeconds l*,
  labels s{}, annotations s{}, ownerReferences OwnerReference[], finalizers s[], managedFields ManagedFields[]
OwnerReference: apiVersion s!, kind s!, name s!, uid s!, controller b*, blockOwnerDeletion b*
ManagedFields: manager s, operation s, apiVersion s, time t*, fieldsType s, fieldsV1 r*, subresource s
LabelSelector: matchLabels s{}, matchExpressions LabelRequirement[]
LabelRequirement: key s!, operator s!, values s[]
LocalReference: name s
)";

constexpr std::string_view kSpec = R"(
PodSpec: volumes Volume[], initContainers Container[], containers Container[]!,
  ephemeralContainers EphemeralContainer[], restartPolicy s=Always, terminationGracePeriodSeconds l*=30,
  activeDeadlineSeconds l*, dnsPolicy s=ClusterFirst, nodeSelector s{}, serviceAccountName s,
  serviceAccount s, automountServiceAccountToken b*, nodeName s, hostNetwork b, hostPID b, hostIPC b,
  shareProcessNamespace b*, securityContext PodSecurity*={}, imagePullSecrets LocalReference[], hostname s,
  subdomain s, affinity Affinity*, schedulerName s=default-scheduler, tolerations Toleration[],
  hostAliases HostAlias[], priorityClassName s, priority i*, dnsConfig DNSConfig*,
  readinessGates ReadinessGate[], runtimeClassName s*, enableServiceLinks b*=true, preemptionPolicy s*,
  overhead q{}~, topologySpreadConstraints Spread[], setHostnameAsFQDN b*, os OS*, hostUsers b*,
  schedulingGates Named[], resourceClaims PodClaim[], resources Resources*>=32, hostnameOverride s*>=34,
  schedulingGroup SchedulingGroup*>=36, workloadRef WorkloadRef*>=35<=35
HostAlias: ip s<=29, ip s!>=30, hostnames s[]
DNSConfig: nameservers s[], searches s[], options DNSOption[]
DNSOption: name s, value s*
ReadinessGate: conditionType s!
OS: name s!
Named: name s!
PodClaim: name s!, source ClaimSource<=30, resourceClaimName s*>=31, resourceClaimTemplateName s*>=31
ClaimSource: resourceClaimName s*, resourceClaimTemplateName s*
SchedulingGroup: podGroupName s*
WorkloadRef: name s!, podGroup s!, podGroupReplicaKey s
Affinity: nodeAffinity NodeAffinity*, podAffinity PodAffinity*, podAntiAffinity PodAffinity*
NodeAffinity: requiredDuringSchedulingIgnoredDuringExecution NodeSelector*,
  preferredDuringSchedulingIgnoredDuringExecution PreferredNodes[]
NodeSelector: nodeSelectorTerms NodeTerm[]!
NodeTerm: matchExpressions LabelRequirement[], matchFields LabelRequirement[]
PreferredNodes: weight i!, preference NodeTerm
PodAffinity: requiredDuringSchedulingIgnoredDuringExecution PodTerm[],
  preferredDuringSchedulingIgnoredDuringExecution WeightedPodTerm[]
PodTerm: labelSelector LabelSelector*, namespaces s[], topologyKey s!, namespaceSelector LabelSelector*,
  matchLabelKeys s[]>=29, mismatchLabelKeys s[]>=29
WeightedPodTerm: weight i!, podAffinityTerm PodTerm
Toleration: key s, operator s, value s, effect s, tolerationSeconds l*
Spread: maxSkew i!, topologyKey s!, whenUnsatisfiable s!, labelSelector LabelSelector*, minDomains i*,
  nodeAffinityPolicy s*, nodeTaintsPolicy s*, matchLabelKeys s[]
PodSecurity: seLinuxOptions SELinux*, windowsOptions Windows*, runAsUser l*, runAsGroup l*, runAsNonRoot b*,
  supplementalGroups l[], supplementalGroupsPolicy s*>=31, fsGroup l*, sysctls Sysctl[],
  fsGroupChangePolicy s*, seccompProfile Profile*, appArmorProfile Profile*>=30, seLinuxChangePolicy s*>=32
Sysctl: name s!, value s!
SELinux: user s, role s, type s, level s
Windows: gmsaCredentialSpecName s*, gmsaCredentialSpec s*, runAsUserName s*, hostProcess b*
Profile: type s!, localhostProfile s*
)";

constexpr std::string_view kContainer = R"(
Container: name s!, image s, command s[], args s[], workingDir s, ports Port[], envFrom EnvFrom[], env Env[],
  resources Resources, resizePolicy Resize[]>=27, restartPolicy s*>=28, restartPolicyRules RestartRule[]>=34,
  volumeMounts Mount[], volumeDevices Device[], livenessProbe Probe*, readinessProbe Probe*,
  startupProbe Probe*, lifecycle Lifecycle*, terminationMessagePath s=/dev/termination-log,
  terminationMessagePolicy s=File, imagePullPolicy s, securityContext Security*, stdin b, stdinOnce b, tty b
EphemeralContainer: name s!, image s, command s[], args s[], workingDir s, ports Port[], envFrom EnvFrom[],
  env Env[], resources Resources, resizePolicy Resize[]>=27, restartPolicy s*>=28,
  restartPolicyRules RestartRule[]>=34, volumeMounts Mount[], volumeDevices Device[], livenessProbe Probe*,
  readinessProbe Probe*, startupProbe Probe*, lifecycle Lifecycle*,
  terminationMessagePath s=/dev/termination-log, terminationMessagePolicy s=File, imagePullPolicy s,
  securityContext Security*, stdin b, stdinOnce b, tty b, targetContainerName s
Port: name s, hostPort i, containerPort i!, protocol s=TCP, hostIP s
EnvFrom: prefix s, configMapRef Source*, secretRef Source*
Source: name s, optional b*
Env: name s!, value s, valueFrom ValueFrom*
ValueFrom: fieldRef FieldRef*, resourceFieldRef ResourceRef*, configMapKeyRef KeyRef*, secretKeyRef KeyRef*,
  fileKeyRef FileKeyRef*>=34
FieldRef: apiVersion s=v1, fieldPath s!
ResourceRef: containerName s, resource s!, divisor q!
KeyRef: name s, key s!, optional b*
FileKeyRef: volumeName s!, path s!, key s!, optional b*=false
Resources: limits q{}~, requests q{}~, claims Claim[]
Claim: name s!, request s>=31
Resize: resourceName s!, restartPolicy s!
RestartRule: action s, exitCodes ExitCodes*
ExitCodes: operator s, values i[]
Mount: name s!, readOnly b, recursiveReadOnly s*>=30, mountPath s!, subPath s, mountPropagation s*,
  subPathExpr s
Device: name s!, devicePath s!
Probe: exec Exec*, httpGet HTTPGet*, tcpSocket TCPSocket*, grpc GRPC*, initialDelaySeconds i,
  timeoutSeconds i=1, periodSeconds i=10, successThreshold i=1, failureThreshold i=3,
  terminationGracePeriodSeconds l*
Lifecycle: postStart Handler*, preStop Handler*, stopSignal s*>=33
Handler: exec Exec*, httpGet HTTPGet*, tcpSocket TCPSocket*, sleep Sleep*>=29
Exec: command s[]
HTTPGet: path s=/, port p!, host s, scheme s=HTTP, httpHeaders Header[]
Header: name s!, value s!
TCPSocket: port p!, host s
GRPC: port i!, service s*!=
Sleep: seconds l!
Security: capabilities Capabilities*, privileged b*, seLinuxOptions SELinux*, windowsOptions Windows*,
  runAsUser l*, runAsGroup l*, runAsNonRoot b*, readOnlyRootFilesystem b*, allowPrivilegeEscalation b*,
  procMount s*, seccompProfile Profile*, appArmorProfile Profile*>=30
Capabilities: add s[], drop s[]
)";

constexpr std::string_view kVolumes = R"(
Volume: name s!, hostPath HostPath*, emptyDir EmptyDir*, gcePersistentDisk GCEDisk*,
  awsElasticBlockStore AWSDisk*, gitRepo GitRepo*, secret SecretVolume*, nfs NFS*, iscsi ISCSI*,
  glusterfs Glusterfs*, persistentVolumeClaim ClaimVolume*, rbd RBD*, flexVolume Flex*, cinder Cinder*,
  cephfs CephFS*, flocker Flocker*, downwardAPI DownwardVolume*, fc FC*, azureFile AzureFile*,
  configMap ConfigMapVolume*, vsphereVolume Vsphere*, quobyte Quobyte*, azureDisk AzureDisk*,
  photonPersistentDisk Photon*, projected Projected*, portworxVolume Portworx*, scaleIO ScaleIO*,
  storageos StorageOS*, csi CSI*, ephemeral Ephemeral*, image ImageVolume*>=31
HostPath: path s!, type s*=
EmptyDir: medium s, sizeLimit q*
GCEDisk: pdName s!, fsType s, partition i, readOnly b
AWSDisk: volumeID s!, fsType s, partition i, readOnly b
GitRepo: repository s!, revision s, directory s
SecretVolume: secretName s, items Item[], defaultMode i*=420, optional b*
Item: key s!, path s!, mode i*
NFS: server s!, path s!, readOnly b
ISCSI: targetPortal s!, iqn s!, lun i!, iscsiInterface s=default, fsType s, readOnly b, portals s[],
  chapAuthDiscovery b, chapAuthSession b, secretRef LocalReference*, initiatorName s*
Glusterfs: endpoints s!, path s!, readOnly b
ClaimVolume: claimName s!, readOnly b
RBD: monitors s[]!, image s!, fsType s, pool s=rbd, user s=admin, keyring s=/etc/ceph/keyring,
  secretRef LocalReference*, readOnly b
Flex: driver s!, fsType s, secretRef LocalReference*, readOnly b, options s{}
Cinder: volumeID s!, fsType s, readOnly b, secretRef LocalReference*
CephFS: monitors s[]!, path s, user s, secretFile s, secretRef LocalReference*, readOnly b
Flocker: datasetName s, datasetUUID s
DownwardVolume: items DownwardFile[], defaultMode i*=420
DownwardFile: path s!, fieldRef FieldRef*, resourceFieldRef ResourceRef*, mode i*
FC: targetWWNs s[], lun i*, fsType s, readOnly b, wwids s[]
AzureFile: secretName s!, shareName s!, readOnly b
ConfigMapVolume: name s, items Item[], defaultMode i*=420, optional b*
Vsphere: volumePath s!, fsType s, storagePolicyName s, storagePolicyID s
Quobyte: registry s!, volume s!, readOnly b, user s, group s, tenant s
AzureDisk: diskName s!, diskURI s!, cachingMode s*=ReadWrite, fsType s*=ext4, readOnly b*=false,
  kind s*=Shared
Photon: pdID s!, fsType s
Projected: sources Projection[]!, defaultMode i*=420
Projection: secret ProjectedMap*, downwardAPI ProjectedDownward*, configMap ProjectedMap*,
  serviceAccountToken Token*, clusterTrustBundle TrustBundle*>=29, podCertificate Certificate*>=34
ProjectedMap: name s, items Item[], optional b*
ProjectedDownward: items DownwardFile[]
Token: audience s, expirationSeconds l*=3600, path s!
TrustBundle: name s*, signerName s*, labelSelector LabelSelector*, optional b*, path s!
Certificate: signerName s, keyType s, maxExpirationSeconds i*, credentialBundlePath s, keyPath s,
  certificateChainPath s, userAnnotations s{}>=35
Portworx: volumeID s!, fsType s, readOnly b
ScaleIO: gateway s!, system s!, secretRef LocalReference*!, sslEnabled b, protectionDomain s, storagePool s,
  storageMode s=ThinProvisioned, volumeName s, fsType s=xfs, readOnly b
StorageOS: volumeName s, volumeNamespace s, fsType s, readOnly b, secretRef LocalReference*
CSI: driver s!, readOnly b*, fsType s*, volumeAttributes s{}, nodePublishSecretRef LocalReference*
Ephemeral: volumeClaimTemplate ClaimTemplate*
ClaimTemplate: metadata ObjectMeta, spec ClaimSpec
ClaimSpec: accessModes s[], selector LabelSelector*, resources ClaimResources,
  volumeName s, storageClassName s*, volumeMode s*=Filesystem, dataSource TypedReference*,
  dataSourceRef TypedObject*, volumeAttributesClassName s*>=29
ClaimResources: limits q{}~, requests q{}~
TypedReference: apiGroup s*!, kind s!, name s!
TypedObject: apiGroup s*!, kind s!, name s!, namespace s*
ImageVolume: reference s, pullPolicy s
)";

constexpr std::string_view kStatus = R"(
PodStatus: observedGeneration l>=33, phase s, conditions Condition[], message s, reason s,
  nominatedNodeName s, hostIP s, hostIPs IP[]>=28, podIP s, podIPs IP[], startTime t*,
  initContainerStatuses ContainerStatus[], containerStatuses ContainerStatus[], qosClass s,
  ephemeralContainerStatuses ContainerStatus[], resize s>=27, resourceClaimStatuses ClaimStatus[]>=28,
  extendedResourceClaimStatus ExtendedClaim*>=34, allocatedResources q{}~>=35, resources Resources*>=35,
  nodeAllocatableResourceClaimStatuses NodeClaim[]>=36
Condition: type s!, observedGeneration l>=33, status s!, lastProbeTime t!, lastTransitionTime t!, reason s,
  message s
IP: ip s!
ContainerStatus: name s!, state State, lastState State, ready b!, restartCount i!, image s!, imageID s!,
  containerID s, started b*, allocatedResources q{}~, resources Resources*, volumeMounts MountStatus[]>=30,
  user User*>=31, allocatedResourcesStatus ResourceStatus[]>=31, stopSignal s*>=33
State: waiting Waiting*, running Running*, terminated Terminated*
Waiting: reason s, message s
Running: startedAt t!
Terminated: exitCode i!, signal i, reason s, message s, startedAt t!, finishedAt t!, containerID s
MountStatus: name s!, mountPath s!, readOnly b, recursiveReadOnly s*, volumeStatus VolumeStatus*>=36
VolumeStatus: image ImageStatus*
ImageStatus: imageRef s
User: linux LinuxUser*
LinuxUser: uid l!, gid l!, supplementalGroups l[]
ResourceStatus: name s!, resources Health[]
Health: resourceID s!, health s, message s*>=36
ClaimStatus: name s!, resourceClaimName s*
ExtendedClaim: requestMappings Mapping[]!, resourceClaimName s!
Mapping: containerName s!, resourceName s!, requestName s!
NodeClaim: resourceClaimName s!, containers s[], resources q{}!
)";

std::string pod_schema() {
  return std::string(kMeta).append(kSpec).append(kContainer).append(kVolumes).append(kStatus);
}

}  // namespace fixpoint::oracle
