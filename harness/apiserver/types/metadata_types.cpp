#include "harness/apiserver/types/metadata_types.h"

#include "harness/apiserver/types/rows.h"

namespace fixpoint::apiserver {

namespace {

constexpr ListKey kByUid[] = {{{"uid", {}}, Duplicate::silent}};

}  // namespace

constexpr Field kOwnerReferenceFields[] = {
    text("apiVersion").always(), text("kind").always(),           text("name").always(),
    text("uid").always(),        boolean("controller").pointer(), boolean("blockOwnerDeletion").pointer(),
};
static constinit const Type kOwnerReference{"OwnerReference", kOwnerReferenceFields};

constexpr Field kManagedFieldsEntryFields[] = {
    text("manager"),    text("operation"), text("apiVersion"),  time("time").pointer(),
    text("fieldsType"), raw("fieldsV1"),   text("subresource"),
};
static constinit const Type kManagedFieldsEntry{"ManagedFieldsEntry", kManagedFieldsEntryFields};

constexpr Field kObjectMetaFields[] = {
    text("name"),
    text("generateName"),
    text("namespace"),
    text("selfLink"),
    text("uid"),
    text("resourceVersion"),
    int64("generation"),
    time("creationTimestamp").through(33),
    time("creationTimestamp").unless_zero().from(34),
    time("deletionTimestamp").pointer(),
    int64("deletionGracePeriodSeconds").pointer(),
    map_of(text("labels")),
    map_of(text("annotations")),
    objects("ownerReferences", kOwnerReference).keyed(kByUid),
    list_of(text("finalizers")).keyed(kBySelf),
    objects("managedFields", kManagedFieldsEntry),
};
constinit const Type kObjectMeta{"ObjectMeta", kObjectMetaFields};

constexpr Field kLabelSelectorRequirementFields[] = {
    text("key").always(),
    text("operator").always(),
    list_of(text("values")),
};
static constinit const Type kLabelSelectorRequirement{"LabelSelectorRequirement",
                                                      kLabelSelectorRequirementFields};

constexpr Field kLabelSelectorFields[] = {
    map_of(text("matchLabels")),
    objects("matchExpressions", kLabelSelectorRequirement),
};
constinit const Type kLabelSelector{"LabelSelector", kLabelSelectorFields};

constexpr Field kLocalObjectReferenceFields[] = {
    text("name"),
};
constinit const Type kLocalObjectReference{"LocalObjectReference", kLocalObjectReferenceFields};

constexpr Field kObjectReferenceFields[] = {
    text("kind"),       text("namespace"),       text("name"),      text("uid"),
    text("apiVersion"), text("resourceVersion"), text("fieldPath"),
};
constinit const Type kObjectReference{"ObjectReference", kObjectReferenceFields};

}  // namespace fixpoint::apiserver
