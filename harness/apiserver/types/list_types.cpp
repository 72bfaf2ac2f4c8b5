#include "harness/apiserver/types/list_types.h"

#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/rows.h"

namespace fixpoint::apiserver {

constexpr Field kListMetaFields[] = {
    text("selfLink"),
    text("resourceVersion"),
    text("continue"),
    int64("remainingItemCount").pointer(),
};
static constinit const Type kListMeta{"ListMeta", kListMetaFields};

constexpr Field kPodListFields[] = {
    text("kind"),
    text("apiVersion"),
    object("metadata", kListMeta),
    objects("items", kPod).always(),
};
constinit const Type kPodList{"PodList", kPodListFields};

constexpr Field kObjectListFields[] = {
    text("kind"),
    text("apiVersion"),
    object("metadata", kListMeta),
    list_of(raw("items")).always(),
};
constinit const Type kObjectList{"List", kObjectListFields};

constexpr auto kAnyObjectFields = object_fields();
constinit const Type kAnyObject{"Object", kAnyObjectFields};

constexpr Field kStatusCauseFields[] = {
    text("reason"),
    text("message"),
    text("field"),
};
static constinit const Type kStatusCause{"StatusCause", kStatusCauseFields};

constexpr Field kStatusDetailsFields[] = {
    text("name"),
    text("group"),
    text("kind"),
    text("uid"),
    objects("causes", kStatusCause),
    int32("retryAfterSeconds"),
};
static constinit const Type kStatusDetails{"StatusDetails", kStatusDetailsFields};

constexpr Field kStatusFields[] = {
    text("kind"),
    text("apiVersion"),
    object("metadata", kListMeta),
    text("status"),
    text("message"),
    text("reason"),
    object("details", kStatusDetails).pointer(),
    int32("code"),
};
constinit const Type kStatus{"Status", kStatusFields};

}  // namespace fixpoint::apiserver
