#include "harness/apiserver/types/probe_types.h"

#include "harness/apiserver/types/rows.h"

namespace fixpoint::apiserver {

constexpr Field kExecActionFields[] = {
    list_of(text("command")),
};
static constinit const Type kExecAction{"ExecAction", kExecActionFields};

constexpr Field kHTTPHeaderFields[] = {
    text("name").always(),
    text("value").always(),
};
static constinit const Type kHTTPHeader{"HTTPHeader", kHTTPHeaderFields};

constexpr Field kHTTPGetActionFields[] = {
    text("path").fallback("/"),          int_or_text("port"), text("host"), text("scheme").fallback("HTTP"),
    objects("httpHeaders", kHTTPHeader),
};
static constinit const Type kHTTPGetAction{"HTTPGetAction", kHTTPGetActionFields};

constexpr Field kTCPSocketActionFields[] = {
    int_or_text("port"),
    text("host"),
};
static constinit const Type kTCPSocketAction{"TCPSocketAction", kTCPSocketActionFields};

constexpr Field kGRPCActionFields[] = {
    int32("port").always(),
    text("service").pointer().always().fallback(""),
};
static constinit const Type kGRPCAction{"GRPCAction", kGRPCActionFields};

constexpr Field kProbeFields[] = {
    object("exec", kExecAction).pointer(),
    object("httpGet", kHTTPGetAction).pointer(),
    object("tcpSocket", kTCPSocketAction).pointer(),
    object("grpc", kGRPCAction).pointer(),
    int32("initialDelaySeconds"),
    int32("timeoutSeconds").fallback_number("1"),
    int32("periodSeconds").fallback_number("10"),
    int32("successThreshold").fallback_number("1"),
    int32("failureThreshold").fallback_number("3"),
    int64("terminationGracePeriodSeconds").pointer(),
};
constinit const Type kProbe{"Probe", kProbeFields};

constexpr Field kSleepActionFields[] = {
    int64("seconds").always(),
};
static constinit const Type kSleepAction{"SleepAction", kSleepActionFields};

constexpr Field kLifecycleHandlerFields[] = {
    object("exec", kExecAction).pointer(),
    object("httpGet", kHTTPGetAction).pointer(),
    object("tcpSocket", kTCPSocketAction).pointer(),
    object("sleep", kSleepAction).pointer().from(29),
};
static constinit const Type kLifecycleHandler{"LifecycleHandler", kLifecycleHandlerFields};

constexpr Field kLifecycleFields[] = {
    object("postStart", kLifecycleHandler).pointer(),
    object("preStop", kLifecycleHandler).pointer(),
    text("stopSignal").pointer().from(33),
};
constinit const Type kLifecycle{"Lifecycle", kLifecycleFields};

}  // namespace fixpoint::apiserver
