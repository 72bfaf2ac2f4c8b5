#include "harness/apiserver/types/configuration_types.h"

#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/rows.h"

namespace fixpoint::apiserver {

constexpr Field kServiceReferenceFields[] = {
    text("namespace").always(),
    text("name").always(),
    text("path").pointer(),
    int32("port").pointer(),
};
static constinit const Type kServiceReference{"ServiceReference", kServiceReferenceFields};

constexpr Field kWebhookClientConfigFields[] = {
    text("url").pointer(),
    object("service", kServiceReference).pointer(),
    text("caBundle"),
};
constinit const Type kWebhookClientConfig{"WebhookClientConfig", kWebhookClientConfigFields};

constexpr Field kRuleWithOperationsFields[] = {
    list_of(text("operations")), list_of(text("apiGroups")), list_of(text("apiVersions")),
    list_of(text("resources")),  text("scope").pointer(),
};
static constinit const Type kRuleWithOperations{"RuleWithOperations", kRuleWithOperationsFields};

constexpr Field kMatchConditionFields[] = {
    text("name").always(),
    text("expression").always(),
};
static constinit const Type kMatchCondition{"MatchCondition", kMatchConditionFields};

constexpr Field kMutatingWebhookFields[] = {
    text("name").always(),
    object("clientConfig", kWebhookClientConfig),
    objects("rules", kRuleWithOperations),
    text("failurePolicy").pointer(),
    text("matchPolicy").pointer(),
    object("namespaceSelector", kLabelSelector).pointer(),
    object("objectSelector", kLabelSelector).pointer(),
    text("sideEffects").pointer(),
    int32("timeoutSeconds").pointer(),
    list_of(text("admissionReviewVersions")),
    text("reinvocationPolicy").pointer(),
    objects("matchConditions", kMatchCondition),
};
static constinit const Type kMutatingWebhook{"MutatingWebhook", kMutatingWebhookFields};

constexpr Field kValidatingWebhookFields[] = {
    text("name").always(),
    object("clientConfig", kWebhookClientConfig),
    objects("rules", kRuleWithOperations),
    text("failurePolicy").pointer(),
    text("matchPolicy").pointer(),
    object("namespaceSelector", kLabelSelector).pointer(),
    object("objectSelector", kLabelSelector).pointer(),
    text("sideEffects").pointer(),
    int32("timeoutSeconds").pointer(),
    list_of(text("admissionReviewVersions")),
    objects("matchConditions", kMatchCondition),
};
static constinit const Type kValidatingWebhook{"ValidatingWebhook", kValidatingWebhookFields};

constexpr auto kMutatingWebhookConfigurationFields = object_fields(objects("webhooks", kMutatingWebhook));
constinit const Type kMutatingWebhookConfiguration{"MutatingWebhookConfiguration",
                                                   kMutatingWebhookConfigurationFields};

constexpr auto kValidatingWebhookConfigurationFields = object_fields(objects("webhooks", kValidatingWebhook));
constinit const Type kValidatingWebhookConfiguration{"ValidatingWebhookConfiguration",
                                                     kValidatingWebhookConfigurationFields};

}  // namespace fixpoint::apiserver
