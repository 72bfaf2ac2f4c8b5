#include "harness/apiserver/types/job_types.h"

#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/apiserver/types/rows.h"

namespace fixpoint::apiserver {

constexpr Field kOnExitCodesFields[] = {
    text("containerName").pointer(),
    text("operator").always(),
    list_of(int32("values")).always(),
};
static constinit const Type kOnExitCodes{"PodFailurePolicyOnExitCodesRequirement", kOnExitCodesFields};

constexpr Field kOnPodConditionsFields[] = {
    text("type").always(),
    text("status").fallback("True"),
};
static constinit const Type kOnPodConditions{"PodFailurePolicyOnPodConditionsPattern",
                                             kOnPodConditionsFields};

constexpr Field kPodFailurePolicyRuleFields[] = {
    text("action").always(),
    object("onExitCodes", kOnExitCodes).pointer(),
    objects("onPodConditions", kOnPodConditions),
};
static constinit const Type kPodFailurePolicyRule{"PodFailurePolicyRule", kPodFailurePolicyRuleFields};

constexpr Field kPodFailurePolicyFields[] = {
    objects("rules", kPodFailurePolicyRule).always(),
};
static constinit const Type kPodFailurePolicy{"PodFailurePolicy", kPodFailurePolicyFields};

constexpr Field kSuccessPolicyRuleFields[] = {
    text("succeededIndexes").pointer(),
    int32("succeededCount").pointer(),
};
static constinit const Type kSuccessPolicyRule{"SuccessPolicyRule", kSuccessPolicyRuleFields};

constexpr Field kSuccessPolicyFields[] = {
    objects("rules", kSuccessPolicyRule).always(),
};
static constinit const Type kSuccessPolicy{"SuccessPolicy", kSuccessPolicyFields};

constexpr Field kJobSpecFields[] = {
    int32("parallelism").pointer(),
    int32("completions").pointer(),
    int64("activeDeadlineSeconds").pointer(),
    object("podFailurePolicy", kPodFailurePolicy).pointer(),
    object("successPolicy", kSuccessPolicy).pointer().from(30),
    int32("backoffLimit").pointer(),
    int32("backoffLimitPerIndex").pointer().from(28),
    int32("maxFailedIndexes").pointer().from(28),
    object("selector", kLabelSelector).pointer(),
    boolean("manualSelector").pointer(),
    object("template", kPodTemplateSpec),
    int32("ttlSecondsAfterFinished").pointer(),
    text("completionMode").pointer(),
    boolean("suspend").pointer(),
    text("podReplacementPolicy").pointer().from(28),
    text("managedBy").pointer().from(30),
};
static constinit const Type kJobSpec{"JobSpec", kJobSpecFields};

constexpr Field kJobConditionFields[] = {
    text("type").always(),      text("status").always(), time("lastProbeTime"),
    time("lastTransitionTime"), text("reason"),          text("message"),
};
static constinit const Type kJobCondition{"JobCondition", kJobConditionFields};

constexpr Field kUncountedTerminatedPodsFields[] = {
    list_of(text("succeeded")),
    list_of(text("failed")),
};
static constinit const Type kUncountedTerminatedPods{"UncountedTerminatedPods",
                                                     kUncountedTerminatedPodsFields};

constexpr Field kJobStatusFields[] = {
    objects("conditions", kJobCondition),
    time("startTime").pointer(),
    time("completionTime").pointer(),
    int32("active"),
    int32("succeeded"),
    int32("failed"),
    int32("terminating").pointer().from(28),
    text("completedIndexes"),
    text("failedIndexes").pointer().from(28),
    object("uncountedTerminatedPods", kUncountedTerminatedPods).pointer(),
    int32("ready").pointer(),
};
static constinit const Type kJobStatus{"JobStatus", kJobStatusFields};

constexpr auto kJobFields = object_fields(object("spec", kJobSpec), object("status", kJobStatus));
constinit const Type kJob{"Job", kJobFields};

constexpr Field kJobTemplateSpecFields[] = {
    object("metadata", kObjectMeta),
    object("spec", kJobSpec),
};
static constinit const Type kJobTemplateSpec{"JobTemplateSpec", kJobTemplateSpecFields};

constexpr Field kCronJobSpecFields[] = {
    text("schedule").always(),
    text("timeZone").pointer(),
    int64("startingDeadlineSeconds").pointer(),
    text("concurrencyPolicy").fallback("Allow"),
    boolean("suspend").pointer().fallback_truth(false),
    object("jobTemplate", kJobTemplateSpec),
    int32("successfulJobsHistoryLimit").pointer().fallback_number("3"),
    int32("failedJobsHistoryLimit").pointer().fallback_number("1"),
};
static constinit const Type kCronJobSpec{"CronJobSpec", kCronJobSpecFields};

constexpr Field kCronJobStatusFields[] = {
    objects("active", kObjectReference),
    time("lastScheduleTime").pointer(),
    time("lastSuccessfulTime").pointer(),
};
static constinit const Type kCronJobStatus{"CronJobStatus", kCronJobStatusFields};

constexpr auto kCronJobFields = object_fields(object("spec", kCronJobSpec), object("status", kCronJobStatus));
constinit const Type kCronJob{"CronJob", kCronJobFields};

}  // namespace fixpoint::apiserver
