#include "harness/apiserver/types/security_types.h"

#include "harness/apiserver/types/rows.h"

namespace fixpoint::apiserver {

constexpr Field kCapabilitiesFields[] = {
    list_of(text("add")),
    list_of(text("drop")),
};
static constinit const Type kCapabilities{"Capabilities", kCapabilitiesFields};

constexpr Field kSELinuxOptionsFields[] = {
    text("user"),
    text("role"),
    text("type"),
    text("level"),
};
static constinit const Type kSELinuxOptions{"SELinuxOptions", kSELinuxOptionsFields};

constexpr Field kWindowsSecurityContextOptionsFields[] = {
    text("gmsaCredentialSpecName").pointer(),
    text("gmsaCredentialSpec").pointer(),
    text("runAsUserName").pointer(),
    boolean("hostProcess").pointer(),
};
static constinit const Type kWindowsSecurityContextOptions{"WindowsSecurityContextOptions",
                                                           kWindowsSecurityContextOptionsFields};

constexpr Field kSeccompProfileFields[] = {
    text("type").always(),
    text("localhostProfile").pointer(),
};
static constinit const Type kSeccompProfile{"SeccompProfile", kSeccompProfileFields};

constexpr Field kAppArmorProfileFields[] = {
    text("type").always(),
    text("localhostProfile").pointer(),
};
static constinit const Type kAppArmorProfile{"AppArmorProfile", kAppArmorProfileFields};

constexpr Field kSecurityContextFields[] = {
    object("capabilities", kCapabilities).pointer(),
    boolean("privileged").pointer(),
    object("seLinuxOptions", kSELinuxOptions).pointer(),
    object("windowsOptions", kWindowsSecurityContextOptions).pointer(),
    int64("runAsUser").pointer(),
    int64("runAsGroup").pointer(),
    boolean("runAsNonRoot").pointer(),
    boolean("readOnlyRootFilesystem").pointer(),
    boolean("allowPrivilegeEscalation").pointer(),
    text("procMount").pointer(),
    object("seccompProfile", kSeccompProfile).pointer(),
    object("appArmorProfile", kAppArmorProfile).pointer().from(30),
};
constinit const Type kSecurityContext{"SecurityContext", kSecurityContextFields};

constexpr Field kSysctlFields[] = {
    text("name").always(),
    text("value").always(),
};
static constinit const Type kSysctl{"Sysctl", kSysctlFields};

constexpr Field kPodSecurityContextFields[] = {
    object("seLinuxOptions", kSELinuxOptions).pointer(),
    object("windowsOptions", kWindowsSecurityContextOptions).pointer(),
    int64("runAsUser").pointer(),
    int64("runAsGroup").pointer(),
    boolean("runAsNonRoot").pointer(),
    list_of(int64("supplementalGroups")),
    text("supplementalGroupsPolicy").pointer().from(31),
    int64("fsGroup").pointer(),
    objects("sysctls", kSysctl).keyed(kByName),
    text("fsGroupChangePolicy").pointer(),
    object("seccompProfile", kSeccompProfile).pointer(),
    object("appArmorProfile", kAppArmorProfile).pointer().from(30),
    text("seLinuxChangePolicy").pointer().from(32),
};
constinit const Type kPodSecurityContext{"PodSecurityContext", kPodSecurityContextFields};

}  // namespace fixpoint::apiserver
