#include "harness/apiserver/types/plain_types.h"

#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/rows.h"
#include "harness/apiserver/types/volume_types.h"

namespace fixpoint::apiserver {

constexpr Field kMetaConditionFields[] = {
    text("type").always(),      text("status").always(), int64("observedGeneration"),
    time("lastTransitionTime"), text("reason").always(), text("message").always(),
};
static constinit const Type kMetaCondition{"Condition", kMetaConditionFields};

// Service.

constexpr Field kServicePortFields[] = {
    text("name"),           text("protocol").fallback("TCP"), text("appProtocol").pointer(),
    int32("port").always(), int_or_text("targetPort"),        int32("nodePort"),
};
static constinit const Type kServicePort{"ServicePort", kServicePortFields};

constexpr Field kClientIpFields[] = {int32("timeoutSeconds").pointer()};
static constinit const Type kClientIp{"ClientIPConfig", kClientIpFields};
constexpr Field kSessionAffinityFields[] = {object("clientIP", kClientIp).pointer()};
static constinit const Type kSessionAffinity{"SessionAffinityConfig", kSessionAffinityFields};

constexpr Field kServiceSpecFields[] = {
    objects("ports", kServicePort),
    map_of(text("selector")),
    text("clusterIP"),
    list_of(text("clusterIPs")),
    text("type").fallback("ClusterIP"),
    list_of(text("externalIPs")),
    text("sessionAffinity").fallback("None"),
    text("loadBalancerIP"),
    list_of(text("loadBalancerSourceRanges")),
    text("externalName"),
    text("externalTrafficPolicy"),
    int32("healthCheckNodePort"),
    boolean("publishNotReadyAddresses"),
    object("sessionAffinityConfig", kSessionAffinity).pointer(),
    list_of(text("ipFamilies")),
    text("ipFamilyPolicy").pointer(),
    boolean("allocateLoadBalancerNodePorts").pointer(),
    text("loadBalancerClass").pointer(),
    text("internalTrafficPolicy").pointer(),
    text("trafficDistribution").pointer().from(30),
};
static constinit const Type kServiceSpec{"ServiceSpec", kServiceSpecFields};

constexpr Field kPortStatusFields[] = {
    int32("port").always(),
    text("protocol").always(),
    text("error").pointer(),
};
static constinit const Type kPortStatus{"PortStatus", kPortStatusFields};

constexpr Field kBalancerAddressFields[] = {
    text("ip"),
    text("hostname"),
    text("ipMode").pointer(),
    objects("ports", kPortStatus),
};
static constinit const Type kBalancerAddress{"LoadBalancerIngress", kBalancerAddressFields};
constexpr Field kBalancerStatusFields[] = {objects("ingress", kBalancerAddress)};
static constinit const Type kBalancerStatus{"LoadBalancerStatus", kBalancerStatusFields};

constexpr Field kServiceStatusFields[] = {
    object("loadBalancer", kBalancerStatus),
    objects("conditions", kMetaCondition),
};
static constinit const Type kServiceStatus{"ServiceStatus", kServiceStatusFields};

constexpr auto kServiceFields = object_fields(object("spec", kServiceSpec), object("status", kServiceStatus));
constinit const Type kService{"Service", kServiceFields};

// ConfigMap, Secret, ServiceAccount, Namespace.

constexpr auto kConfigMapFields =
    object_fields(boolean("immutable").pointer(), map_of(text("data")), map_of(text("binaryData")));
constinit const Type kConfigMap{"ConfigMap", kConfigMapFields};

constexpr auto kSecretFields = object_fields(boolean("immutable").pointer(), map_of(text("data")),
                                             map_of(text("stringData")), text("type").fallback("Opaque"));
constinit const Type kSecret{"Secret", kSecretFields};

constexpr auto kServiceAccountFields =
    object_fields(objects("secrets", kObjectReference), objects("imagePullSecrets", kLocalObjectReference),
                  boolean("automountServiceAccountToken").pointer());
constinit const Type kServiceAccount{"ServiceAccount", kServiceAccountFields};

constexpr Field kNamespaceConditionFields[] = {
    text("type").always(), text("status").always(), time("lastTransitionTime"),
    text("reason"),        text("message"),
};
static constinit const Type kNamespaceCondition{"NamespaceCondition", kNamespaceConditionFields};
constexpr Field kNamespaceStatusFields[] = {
    text("phase").fallback("Active"),
    objects("conditions", kNamespaceCondition),
};
static constinit const Type kNamespaceStatus{"NamespaceStatus", kNamespaceStatusFields};
constexpr Field kNamespaceSpecFields[] = {list_of(text("finalizers"))};
static constinit const Type kNamespaceSpec{"NamespaceSpec", kNamespaceSpecFields};

constexpr auto kNamespaceFields =
    object_fields(object("spec", kNamespaceSpec), object("status", kNamespaceStatus));
constinit const Type kNamespace{"Namespace", kNamespaceFields};

// Ingress.

constexpr Field kBackendPortFields[] = {text("name"), int32("number")};
static constinit const Type kBackendPort{"ServiceBackendPort", kBackendPortFields};
constexpr Field kServiceBackendFields[] = {text("name").always(), object("port", kBackendPort)};
static constinit const Type kServiceBackend{"IngressServiceBackend", kServiceBackendFields};
constexpr Field kIngressBackendFields[] = {
    object("service", kServiceBackend).pointer(),
    object("resource", kTypedLocalObjectReference).pointer(),
};
static constinit const Type kIngressBackend{"IngressBackend", kIngressBackendFields};

constexpr Field kIngressPathFields[] = {
    text("path"),
    text("pathType").pointer().always(),
    object("backend", kIngressBackend),
};
static constinit const Type kIngressPath{"HTTPIngressPath", kIngressPathFields};
constexpr Field kIngressHttpFields[] = {objects("paths", kIngressPath).always()};
static constinit const Type kIngressHttp{"HTTPIngressRuleValue", kIngressHttpFields};
constexpr Field kIngressRuleFields[] = {text("host"), object("http", kIngressHttp).pointer()};
static constinit const Type kIngressRule{"IngressRule", kIngressRuleFields};
constexpr Field kIngressTlsFields[] = {list_of(text("hosts")), text("secretName")};
static constinit const Type kIngressTls{"IngressTLS", kIngressTlsFields};

constexpr Field kIngressSpecFields[] = {
    text("ingressClassName").pointer(),
    object("defaultBackend", kIngressBackend).pointer(),
    objects("tls", kIngressTls),
    objects("rules", kIngressRule),
};
static constinit const Type kIngressSpec{"IngressSpec", kIngressSpecFields};

constexpr Field kIngressAddressFields[] = {text("ip"), text("hostname"), objects("ports", kPortStatus)};
static constinit const Type kIngressAddress{"IngressLoadBalancerIngress", kIngressAddressFields};
constexpr Field kIngressBalancerFields[] = {objects("ingress", kIngressAddress)};
static constinit const Type kIngressBalancer{"IngressLoadBalancerStatus", kIngressBalancerFields};
constexpr Field kIngressStatusFields[] = {object("loadBalancer", kIngressBalancer)};
static constinit const Type kIngressStatus{"IngressStatus", kIngressStatusFields};

constexpr auto kIngressFields = object_fields(object("spec", kIngressSpec), object("status", kIngressStatus));
constinit const Type kIngress{"Ingress", kIngressFields};

// HorizontalPodAutoscaler of autoscaling/v2; its defaults are in defaulting/default_autoscaler.h.

constexpr Field kScaledObjectFields[] = {
    text("kind").always(),
    text("name").always(),
    text("apiVersion"),
};
static constinit const Type kScaledObject{"CrossVersionObjectReference", kScaledObjectFields};

constexpr Field kMetricIdentifierFields[] = {text("name").always(),
                                             object("selector", kLabelSelector).pointer()};
static constinit const Type kMetricIdentifier{"MetricIdentifier", kMetricIdentifierFields};
constexpr Field kMetricTargetFields[] = {
    text("type").always(),
    quantity("value").pointer(),
    quantity("averageValue").pointer(),
    int32("averageUtilization").pointer(),
};
static constinit const Type kMetricTarget{"MetricTarget", kMetricTargetFields};

constexpr Field kObjectMetricFields[] = {
    object("describedObject", kScaledObject),
    object("target", kMetricTarget),
    object("metric", kMetricIdentifier),
};
static constinit const Type kObjectMetric{"ObjectMetricSource", kObjectMetricFields};
constexpr Field kPodsMetricFields[] = {object("metric", kMetricIdentifier), object("target", kMetricTarget)};
static constinit const Type kPodsMetric{"PodsMetricSource", kPodsMetricFields};
static constinit const Type kExternalMetric{"ExternalMetricSource", kPodsMetricFields};
constexpr Field kResourceMetricFields[] = {text("name").always(), object("target", kMetricTarget)};
static constinit const Type kResourceMetric{"ResourceMetricSource", kResourceMetricFields};
constexpr Field kContainerMetricFields[] = {
    text("name").always(),
    object("target", kMetricTarget),
    text("container").always(),
};
static constinit const Type kContainerMetric{"ContainerResourceMetricSource", kContainerMetricFields};

constexpr Field kMetricFields[] = {
    text("type").always(),
    object("object", kObjectMetric).pointer(),
    object("pods", kPodsMetric).pointer(),
    object("resource", kResourceMetric).pointer(),
    object("containerResource", kContainerMetric).pointer(),
    object("external", kExternalMetric).pointer(),
};
static constinit const Type kMetric{"MetricSpec", kMetricFields};

constexpr Field kScalingPolicyFields[] = {
    text("type").always(),
    int32("value").always(),
    int32("periodSeconds").always(),
};
static constinit const Type kScalingPolicy{"HPAScalingPolicy", kScalingPolicyFields};
constexpr Field kScalingRulesFields[] = {
    int32("stabilizationWindowSeconds").pointer(),
    text("selectPolicy").pointer(),
    objects("policies", kScalingPolicy),
    quantity("tolerance").pointer().from(33),
};
static constinit const Type kScalingRules{"HPAScalingRules", kScalingRulesFields};
constexpr Field kBehaviorFields[] = {
    object("scaleUp", kScalingRules).pointer(),
    object("scaleDown", kScalingRules).pointer(),
};
static constinit const Type kBehavior{"HorizontalPodAutoscalerBehavior", kBehaviorFields};

constexpr Field kAutoscalerSpecFields[] = {
    object("scaleTargetRef", kScaledObject), int32("minReplicas").pointer(),
    int32("maxReplicas").always(),           objects("metrics", kMetric),
    object("behavior", kBehavior).pointer(),
};
static constinit const Type kAutoscalerSpec{"HorizontalPodAutoscalerSpec", kAutoscalerSpecFields};

constexpr Field kAutoscalerConditionFields[] = {
    text("type").always(), text("status").always(), time("lastTransitionTime"),
    text("reason"),        text("message"),
};
static constinit const Type kAutoscalerCondition{"HorizontalPodAutoscalerCondition",
                                                 kAutoscalerConditionFields};
constexpr Field kAutoscalerStatusFields[] = {
    int64("observedGeneration").pointer(),
    time("lastScaleTime").pointer(),
    int32("currentReplicas"),
    int32("desiredReplicas").always(),
    raw("currentMetrics").always(),
    objects("conditions", kAutoscalerCondition),
};
static constinit const Type kAutoscalerStatus{"HorizontalPodAutoscalerStatus", kAutoscalerStatusFields};

constexpr Field kScaleSpecFields[] = {int32("replicas")};
static constinit const Type kScaleSpec{"ScaleSpec", kScaleSpecFields};
constexpr Field kScaleStatusFields[] = {int32("replicas").always(), text("selector")};
static constinit const Type kScaleStatus{"ScaleStatus", kScaleStatusFields};
constexpr auto kScaleFields = object_fields(object("spec", kScaleSpec), object("status", kScaleStatus));
constinit const Type kScale{"Scale", kScaleFields};

constexpr auto kAutoscalerFields =
    object_fields(object("spec", kAutoscalerSpec), object("status", kAutoscalerStatus));
constinit const Type kHorizontalPodAutoscaler{"HorizontalPodAutoscaler", kAutoscalerFields};

}  // namespace fixpoint::apiserver
