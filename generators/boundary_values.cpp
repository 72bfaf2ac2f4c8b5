#include "generators/boundary_values.h"

#include <array>
#include <map>
#include <vector>

#include "harness/document/check.h"
#include "harness/document/json.h"
#include "harness/document/split.h"

namespace fixpoint::generators {

namespace {

using document::Value;
using runner::Choices;

/// Candidate strings, separated by bars, for the members of these names, separated by blanks. `~N~` stands
/// for N letters.
struct Row {
  std::string_view members, texts;
};

constexpr Row kTexts[] = {
    {"apiVersion", "v1|v1||v2|apps/v1"},
    {"kind", "Pod|Pod||pod|Nonsense"},
    {"restartPolicy", "Always|Never|OnFailure||RestartContainer|NotRequired|always"},
    {"dnsPolicy", "ClusterFirst|Default|None|ClusterFirstWithHostNet||None|Bad"},
    {"imagePullPolicy pullPolicy", "Always|Never|IfNotPresent||Sometimes"},
    {"image reference", "nginx|nginx:1|r.io/a/b@sha256:0| x|x:latest||UPPER|a:b:c"},
    {"terminationMessagePolicy", "File|FallbackToLogsOnError||Bad"},
    {"terminationMessagePath mountPath path devicePath workingDir",
     "/a|/a/b|a|..|../a|/a/../b|/a:b||a/..b|..a|/dev/x|/|a:b"},
    {"subPath subPathExpr", "a|a/b|/a|../a|a/..||$(A)|a/../b"},
    {"mountPropagation", "None|HostToContainer|Bidirectional||Bad"},
    {"recursiveReadOnly", "Disabled|IfPossible|Enabled||Bad"},
    {"operator", "In|NotIn|Exists|DoesNotExist|Equal|Gt|Lt||Bad"},
    {"effect", "NoSchedule|PreferNoSchedule|NoExecute||Bad"},
    {"protocol", "TCP|UDP|SCTP||tcp|HTTP"},
    {"scheme", "HTTP|HTTPS||http"},
    {"stopSignal", "SIGTERM|SIGUSR1|SIGKILL||TERM|SIGRTMIN+3"},
    {"procMount", "Default|Unmasked||Bad"},
    {"preemptionPolicy", "Never|PreemptLowerPriority||Bad"},
    {"fsGroupChangePolicy", "Always|OnRootMismatch||Bad"},
    {"supplementalGroupsPolicy", "Merge|Strict||Bad"},
    {"seLinuxChangePolicy", "Recursive|MountOption||Bad"},
    {"whenUnsatisfiable", "DoNotSchedule|ScheduleAnyway||Bad"},
    {"nodeAffinityPolicy nodeTaintsPolicy", "Honor|Ignore||Bad"},
    {"action", "Restart|RestartAllContainers||Bad"},
    {"medium", "|Memory|HugePages|HugePages-2Mi|Bad"},
    {"accessModes", "ReadWriteOnce|ReadOnlyMany|ReadWriteMany|ReadWriteOncePod||Bad"},
    {"volumeMode", "Filesystem|Block||Bad"},
    {"cachingMode", "None|ReadOnly|ReadWrite||Bad"},
    {"type",
     "|Directory|DirectoryOrCreate|File|Socket|RuntimeDefault|Localhost|Unconfined|Bad|PodScheduled|a.io/b"},
    {"localhostProfile", "a|a/b.json|../a|/a||~4096~|  | a"},
    {"add drop", "ALL|NET_ADMIN|SYS_TIME||CAP_X"},
    {"resource",
     "limits.cpu|requests.memory|limits.ephemeral-storage|requests.hugepages-2Mi|cpu||limits.x|"
     "requests.example.com/x"},
    {"resourceName", "cpu|memory||ephemeral-storage|x"},
    {"fieldPath",
     "metadata.name|metadata.namespace|metadata.uid|metadata.labels|metadata.labels['a']|"
     "metadata.annotations['x/"
     "y']|metadata.annotations['']|spec.nodeName|spec.serviceAccountName|status.hostIP|"
     "status.podIPs|status.phase||metadata.labels['a b']|metadata.labels['A/b']|spec.x|metadata.annotations"},
    {"ip nameservers", "1.2.3.4|::1|fe80::1|1.2.3|01.2.3.4|::ffff:1.2.3.4||a|2001:DB8::1|1.2.3.4/8"},
    {"hostIP podIP", "127.0.0.1|10.0.0.1||::|0.0.0.0|x|010.0.0.1"},
    {"searches", "a.b|.|a_b.c|a.b.||UPPER.x|~64~.x|-a"},
    {"hostnames hostname subdomain hostnameOverride",
     "a|a.b|A||~63~|~64~|a.b.c.d|-a|a_b|~63~.~63~.~63~.~63~"},
    {"nodeName", "n1|n.example|N_1||~253~"},
    {"key",
     "a|app|kubernetes.io/hostname|x/y|x/y/z||-a|~64~|a b|"
     "node.kubernetes.io/not-ready|metadata.name|a.b.c/d|A/b"},
    {"values value", "a|b|1||a b|-1|~64~|x_y.z|$(A)"},
    {"topologyKey",
     "kubernetes.io/hostname|zone|topology.kubernetes.io/zone||a b|failure-domain.beta.kubernetes.io/zone"},
    {"matchLabelKeys mismatchLabelKeys", "app|a|x/y||a b|pod-template-hash"},
    {"namespaces", "default|a||A_b"},
    {"conditionType", "a|example.io/ready||a b|Ready"},
    {"schedulerName priorityClassName runtimeClassName",
     "|a|high|system-node-critical|gvisor|A_b|default-scheduler"},
    {"serviceAccountName serviceAccount", "default|quiet|a||A_b|~254~"},
    {"secretName claimName", "s|a.b||S_s|~254~"},
    {"driver", "d.io|csi.example.com|D_d||~64~|a"},
    {"fsType", "ext4||xfs|bad"},
    {"server pdName volumeID endpoints repository targetPortal shareName diskName volumePath registry volume",
     "a||a:b|1.2.3.4:3"},
    {"iqn", "iqn.2001-04.com.example:a|eui.02004567A425678D|naa.52004567BA64678D|bad|"},
    {"directory", "a|..|../b|.||a/../b"},
    {"gmsaCredentialSpecName", "a|A_b||~254~|a.b"},
    {"runAsUserName", "a|D\\u|ContainerUser||a b:c|~21~|D.x\\u|\\u|a\\b\\c|~105~| "},
    {"storageClassName", "a|A_b|"},
    {"prefix", "A|a-|1||A=B|.|a b"},
    {"finalizers", "example.io/a|kubernetes|bare||a/b/c|foregroundDeletion|orphan"},
    {"generateName", "job-|a.|A||~63~|-"},
    {"namespace", "default|default||other|A_b"},
    {"uid", "u-1||x y"},
    {"resourceVersion", "1|3||x"},
    {"fieldsType", "FieldsV1||Bad"},
    {"operation", "Apply|Update||Bad"},
    {"manager", "kubectl|~129~|a\tb|"},
    {"phase", "Running|Pending|Failed|"},
    {"qosClass", "Guaranteed|Burstable|BestEffort|"},
    {"port", "http|80|a-b|UP||~16~|1-1"},
    {"signerName", "a.io/b|kubernetes.io/kubelet-serving|a||A/b|a.io/b/c"},
    {"keyType", "RSA3072|RSA4096|ECDSAP256|ECDSAP384|ED25519||Bad"},
    {"host", "a|1.2.3.4||a b"},
    {"service", "|a"},
    {"resourceClaimName resourceClaimTemplateName podGroupName", "a|A_b||a.b|~254~"},
    {"request", "r|a||R_r"},
};

constexpr std::string_view kNames =
    "a|main|web|proxy|data|http|x1|a-b||A|a.b|a_b|-a|~63~|~64~|~253~|~254~|a "
    "b|A_B|1A|A=B|.|..|net.core.somaxconn|"
    "kernel.shm_rmid_forced|net/core/x|linux|windows|cpu|X-Head";

constexpr Row kKeys[] = {
    {"limits requests overhead",
     "cpu|memory|cpu|memory|ephemeral-storage|hugepages-2Mi|hugepages-1Gi|hugepages-3|example.com/gpu|x||"
     "kubernetes.io/a|requests.cpu|storage|pods|requests.example.com/a|a b|limits.cpu|A.io/b_|hugepages-"},
    {"labels matchLabels nodeSelector",
     "app|a|x/y|A.b/c||a b|~64~|kubernetes.io/os|beta.kubernetes.io/os|-|x/y/z"},
    {"annotations",
     "a|x/y|kubernetes.io/config.mirror|container.apparmor.security.beta.kubernetes.io/main|A B||"
     "seccomp.security.alpha.kubernetes.io/pod|container.seccomp.security.alpha.kubernetes.io/main|"
     "container.apparmor.security.beta.kubernetes.io/none|scheduler.alpha.kubernetes.io/critical-pod|Ab/C|"
     "security.alpha.kubernetes.io/sysctls|container.apparmor.security.beta.kubernetes.io/web"},
    {"volumeAttributes", "a||a b"},
};
constexpr std::string_view kAnnotationValues =
    "x||runtime/default|docker/default|unconfined|localhost/a|localhost/|bad|~200~|{}";
constexpr std::string_view kAnyText =
    "a||A|a b|x/y|~64~|~254~|null|true|1|<&>|\xC3\xA4|a\nb|\xF0\x9F\x98\x80|$(A)|Always|None";

constexpr std::array kSmallNumbers = {"0",   "1",    "2",     "-1",    "5",     "30",
                                      "80",  "8080", "65535", "65536", "100",   "420",
                                      "511", "512",  "300",   "3600",  "86401", "2147483647"};
constexpr std::array kWideNumbers = {"2147483648", "-2147483648", "4294967296", "9007199254740993",
                                     "9223372036854775807"};
constexpr std::array kQuantities = {"1",
                                    "0",
                                    "100m",
                                    "250m",
                                    "2",
                                    "1Gi",
                                    "1Mi",
                                    "128Mi",
                                    "0.1m",
                                    "1e3",
                                    "1E3",
                                    "1k",
                                    "1Ki",
                                    "1.5Gi",
                                    ".5",
                                    "5.",
                                    "+1",
                                    "-1",
                                    "1n",
                                    "1u",
                                    "999999n",
                                    "2Mi",
                                    "4Mi",
                                    "3Mi",
                                    "1048576",
                                    "1Ei",
                                    "1e-12",
                                    "10000m",
                                    "00100m",
                                    "-0",
                                    "3P",
                                    "12e-3",
                                    "1025Mi",
                                    "64Gi",
                                    "1.0",
                                    "0.10",
                                    "9223372036854775807",
                                    "123456789012345678901234567890",
                                    "0.000000001",
                                    "50m"};
constexpr std::array kOddQuantities = {"1.5.1", "",      " 1",    "1 ",   "1x",     "Mi",  "1e",  "--1",
                                       "1Mib",  "1e3Mi", "e3",    "0x10", "1,5",    "1KI", "1m1", ".",
                                       "+",     "1e99",  "1E400", "-.5",  "1e-400", "+.",  "1ki", "1 Gi"};
constexpr std::array kTimes = {"2026-01-01T00:00:00Z", "2020-02-29T23:59:59+02:00",
                               "2020-01-01T00:00:00.123Z"};
constexpr std::array kOddTimes = {"2020-01-01",           "",
                                  "2020-13-01T00:00:00Z", "2020-01-01T00:00:00z",
                                  "2020-01-01 00:00:00Z", "2021-02-29T00:00:00Z",
                                  "2020-01-01T24:00:00Z", "2020-1-1T0:0:0Z",
                                  "2020-01-01T00:00:60Z", "20200-01-01T00:00:00Z"};
constexpr std::array kWrong = {R"(null)",    R"(null)",     R"("x")",        R"("1")",
                               R"("")",      R"(0)",        R"(1)",          R"(-1)",
                               R"(1.0)",     R"(1e2)",      R"(30.5)",       R"(true)",
                               R"(false)",   R"("true")",   R"([])",         R"([null])",
                               R"({})",      R"([{}])",     R"({"a":"b"})",  R"(["a",null])",
                               R"(["a",1])", R"(1E400)",    R"(2147483648)", R"(9223372036854775808)",
                               R"(-0)",      R"(0.0)",      R"({"a":null})", R"({"a":1,"a":"x"})",
                               R"([[]])",    R"("\ud83d")", R"("\u0061")",   R"({"name":null})"};

/// Replaces each `~N~` with N letters.
std::string with_letters(std::string_view word) {
  std::string out;
  const auto parts = document::split(word, "~");
  if (parts.size() % 2 == 0) return std::string(word);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part(parts[i]);
    out += i % 2 == 0 ? part : std::string(static_cast<std::size_t>(std::stoi(part)), 'a');
  }
  return out;
}

using Texts = std::vector<std::string>;

Texts texts_of(std::string_view text) {
  Texts texts;
  for (const std::string_view word : document::split(text, "|")) texts.push_back(with_letters(word));
  return texts;
}

std::map<std::string, Texts, std::less<>> by_member(std::span<const Row> rows) {
  std::map<std::string, Texts, std::less<>> table;
  for (const Row& row : rows) {
    for (const std::string_view member : document::split(row.members, " "))
      table.emplace(member, texts_of(row.texts));
  }
  return table;
}

}  // namespace

std::string boundary_text(Choices& choices, std::string_view member, std::span<const std::string> known) {
  static const auto texts = by_member(kTexts);
  static const Texts names = texts_of(kNames), any = texts_of(kAnyText);
  static const Texts annotations = texts_of(kAnnotationValues);
  if (choices.one_in(24)) return choices.pick(any);
  if (member == "annotations") return choices.pick(annotations);
  const auto row = texts.find(member);
  const bool is_name = member.ends_with("ame") || member.ends_with("port") || member == "request";
  if (!known.empty() && is_name && choices.below(5) < 2) return choices.pick(known);
  if (row != texts.end()) return choices.pick(row->second);
  if (is_name || member.ends_with("Name")) return choices.pick(names);
  return choices.pick(any);
}

std::string boundary_key(Choices& choices, std::string_view member, std::span<const std::string> known) {
  static const auto keys = by_member(kKeys);
  const auto row = keys.find(member);
  if (member == "annotations" && !known.empty() && choices.one_in(6)) {
    const char* prefix = choices.coin() ? "container.apparmor.security.beta.kubernetes.io/"
                                        : "container.seccomp.security.alpha.kubernetes.io/";
    return prefix + choices.pick(known);
  }
  return choices.pick((row == keys.end() ? keys.find("labels") : row)->second);
}

Value boundary_number(Choices& choices, bool is_wide) {
  if (is_wide && choices.one_in(4)) return Value::number(choices.pick(kWideNumbers));
  return Value::number(choices.pick(kSmallNumbers));
}

Value boundary_quantity(Choices& choices, bool is_careless) {
  if (is_careless && choices.one_in(4)) return choices.pick(kOddQuantities);
  if (choices.one_in(16)) return Value::number(choices.coin() ? "1" : "0.5");
  return choices.pick(kQuantities);
}

Value boundary_time(Choices& choices, bool is_careless) {
  if (is_careless && choices.coin()) return choices.pick(kOddTimes);
  return choices.pick(kTimes);
}

Value wrong_value(Choices& choices) {
  const auto read = document::read_json(choices.pick(kWrong), {}, document::Strictness::foreign);
  document::check(read.ok(), "a row of wrong values is JSON");
  return *read;
}

}  // namespace fixpoint::generators
