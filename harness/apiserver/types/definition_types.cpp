#include "harness/apiserver/types/definition_types.h"

#include "harness/apiserver/types/configuration_types.h"
#include "harness/apiserver/types/rows.h"

namespace fixpoint::apiserver {

extern const Type kJsonSchemaProps;

constexpr Field kExternalDocumentationFields[] = {text("description"), text("url")};
static constinit const Type kExternalDocumentation{"ExternalDocumentation", kExternalDocumentationFields};

constexpr Field kValidationRuleFields[] = {
    text("rule").always(),    text("message"),   text("messageExpression"),
    text("reason").pointer(), text("fieldPath"), boolean("optionalOldSelf").pointer(),
};
static constinit const Type kValidationRule{"ValidationRule", kValidationRuleFields};

constexpr Field kJsonSchemaPropsFields[] = {
    text("id"),
    text("$schema"),
    text("$ref").pointer(),
    text("description"),
    text("type"),
    text("format"),
    text("title"),
    raw("default"),
    raw("maximum"),
    boolean("exclusiveMaximum"),
    raw("minimum"),
    boolean("exclusiveMinimum"),
    int64("maxLength").pointer(),
    int64("minLength").pointer(),
    text("pattern"),
    int64("maxItems").pointer(),
    int64("minItems").pointer(),
    boolean("uniqueItems"),
    raw("multipleOf"),
    list_of(raw("enum")),
    int64("maxProperties").pointer(),
    int64("minProperties").pointer(),
    list_of(text("required")),
    object("items", kJsonSchemaProps).pointer(),
    objects("allOf", kJsonSchemaProps),
    objects("oneOf", kJsonSchemaProps),
    objects("anyOf", kJsonSchemaProps),
    object("not", kJsonSchemaProps).pointer(),
    map_of(object("properties", kJsonSchemaProps)),
    object("additionalProperties", kJsonSchemaProps).pointer(),
    map_of(object("patternProperties", kJsonSchemaProps)),
    raw("dependencies"),
    raw("additionalItems"),
    map_of(object("definitions", kJsonSchemaProps)),
    object("externalDocs", kExternalDocumentation).pointer(),
    raw("example"),
    boolean("nullable"),
    boolean("x-kubernetes-preserve-unknown-fields").pointer(),
    boolean("x-kubernetes-embedded-resource"),
    boolean("x-kubernetes-int-or-string"),
    list_of(text("x-kubernetes-list-map-keys")),
    text("x-kubernetes-list-type").pointer(),
    text("x-kubernetes-map-type").pointer(),
    objects("x-kubernetes-validations", kValidationRule),
};
constinit const Type kJsonSchemaProps{"JSONSchemaProps", kJsonSchemaPropsFields};

constexpr Field kValidationFields[] = {object("openAPIV3Schema", kJsonSchemaProps).pointer()};
static constinit const Type kValidation{"CustomResourceValidation", kValidationFields};

constexpr Field kScaleFields[] = {
    text("specReplicasPath").always(),
    text("statusReplicasPath").always(),
    text("labelSelectorPath").pointer(),
};
static constinit const Type kScale{"CustomResourceSubresourceScale", kScaleFields};

static constinit const Type kStatus{"CustomResourceSubresourceStatus", {}};
constexpr Field kSubresourcesFields[] = {object("status", kStatus).pointer(),
                                         object("scale", kScale).pointer()};
static constinit const Type kSubresources{"CustomResourceSubresources", kSubresourcesFields};

constexpr Field kColumnFields[] = {
    text("name").always(), text("type").always(), text("format"),
    text("description"),   int32("priority"),     text("jsonPath").always(),
};
static constinit const Type kColumn{"CustomResourceColumnDefinition", kColumnFields};

constexpr Field kSelectableFieldFields[] = {text("jsonPath").always()};
static constinit const Type kSelectableField{"SelectableField", kSelectableFieldFields};

constexpr Field kVersionFields[] = {
    text("name").always(),
    boolean("served").always(),
    boolean("storage").always(),
    boolean("deprecated"),
    text("deprecationWarning").pointer(),
    object("schema", kValidation).pointer(),
    object("subresources", kSubresources).pointer(),
    objects("additionalPrinterColumns", kColumn),
    objects("selectableFields", kSelectableField),
};
static constinit const Type kVersion{"CustomResourceDefinitionVersion", kVersionFields};

constexpr Field kNamesFields[] = {
    text("plural").always(), text("singular"), list_of(text("shortNames")),
    text("kind").always(),   text("listKind"), list_of(text("categories")),
};
static constinit const Type kNames{"CustomResourceDefinitionNames", kNamesFields};

constexpr Field kConversionWebhookFields[] = {
    object("clientConfig", kWebhookClientConfig).pointer(),
    list_of(text("conversionReviewVersions")),
};
static constinit const Type kConversionWebhook{"WebhookConversion", kConversionWebhookFields};

constexpr Field kConversionFields[] = {text("strategy").always(),
                                       object("webhook", kConversionWebhook).pointer()};
static constinit const Type kConversion{"CustomResourceConversion", kConversionFields};

constexpr Field kSpecFields[] = {
    text("group").always(),
    object("names", kNames),
    text("scope").always(),
    objects("versions", kVersion),
    object("conversion", kConversion).pointer(),
    boolean("preserveUnknownFields"),
};
static constinit const Type kSpec{"CustomResourceDefinitionSpec", kSpecFields};

constexpr auto kDefinitionFields = object_fields(object("spec", kSpec));
constinit const Type kCustomResourceDefinition{"CustomResourceDefinition", kDefinitionFields};

}  // namespace fixpoint::apiserver
