#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "harness/apiserver/judges/judged_pod.h"
#include "harness/apiserver/judges/pod_security_checks.h"

namespace fixpoint::apiserver::validating {

namespace {

using document::Member;
using document::Value;

constexpr int kLatest = 1000;

/// The level of one mode and the minor whose checks count.
struct Standard {
  SecurityLevel level = SecurityLevel::privileged;
  int version = kLatest;
  bool operator==(const Standard&) const = default;

  std::string text() const {
    static constexpr const char* kNames[] = {"privileged", "baseline", "restricted"};
    const std::string name = kNames[static_cast<int>(level)];
    return name + ":" + (version == kLatest ? std::string("latest") : "v1." + std::to_string(version));
  }
};

std::optional<SecurityLevel> level_of(std::string_view text) {
  if (text == "privileged") return SecurityLevel::privileged;
  if (text == "baseline") return SecurityLevel::baseline;
  if (text == "restricted") return SecurityLevel::restricted;
  return std::nullopt;
}

std::optional<int> version_of(std::string_view text) {
  if (text == "latest") return kLatest;
  if (!text.starts_with("v1.")) return std::nullopt;
  const std::string_view digits = text.substr(3);
  if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
  int version = 0;
  const auto [end, bad] = std::from_chars(digits.data(), digits.data() + digits.size(), version);
  if (bad != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return version;
}

/// The levels and versions that the labels of a namespace ask for (PolicyToEvaluate in
/// k8s.io/pod-security-admission/api). A label that cannot be read is strict for `enforce` and lax for
/// `warn`.
struct Policy {
  Standard enforce = {}, warn = {};
};

void read_version(const Value* label, Standard& standard) {
  if (label != nullptr) standard.version = version_of(label->text()).value_or(kLatest);
}

Policy policy_of(const Value& labels) {
  const auto label = [&](const char* mode) { return labels.find(std::string(kSecurityLabels).append(mode)); };
  Policy policy;
  SecurityLevel readable = SecurityLevel::privileged;  // the level of `enforce`, if it can be read
  if (const Value* enforced = label("enforce")) {
    const auto level = level_of(enforced->text());
    policy.enforce.level = level.value_or(SecurityLevel::restricted);
    readable = level.value_or(SecurityLevel::privileged);
  }
  read_version(label("enforce-version"), policy.enforce);
  const Value *warn = label("warn"), *warn_version = label("warn-version");
  if (warn != nullptr) policy.warn.level = level_of(warn->text()).value_or(SecurityLevel::privileged);
  read_version(warn_version, policy.warn);
  // Whoever enforces a level and says nothing of warnings is warned of the same level.
  if (warn == nullptr && readable > policy.warn.level) {
    policy.warn.level = readable;
    if (warn_version == nullptr) policy.warn.version = policy.enforce.version;
  }
  return policy;
}

const Value& labels_of(const JudgedPod& judged) {
  static const Value none;
  const Value* found = judged.cluster.find("Namespace", "", judged.request.namespace_name);
  return found == nullptr ? none : (*found)["metadata"]["labels"];
}

/// Images and new debug containers are all that matters about an update (isSignificantPodUpdate).
bool is_significant(const JudgedPod& judged) {
  for (const char* list : {"containers", "initContainers"}) {
    const Value &now = judged.pod["spec"][list], &then = judged.old_pod["spec"][list];
    if (now.size() != then.size()) return true;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (!(now.at(i)["image"] == then.at(i)["image"])) return true;
    }
  }
  const auto before = judged.old_pod["spec"]["ephemeralContainers"].elements();
  const auto after = judged.pod["spec"]["ephemeralContainers"].elements();
  return std::any_of(after.begin(), after.end(), [&](const Value& container) {
    const auto old = std::find_if(before.begin(), before.end(),
                                  [&](const Value& other) { return other["name"] == container["name"]; });
    return old == before.end() || !((*old)["image"] == container["image"]);
  });
}

std::optional<std::string> violation(const JudgedPod& judged, const Standard& standard) {
  return broken_checks(judged.pod, standard.level, std::min(standard.version, judged.minor));
}

}  // namespace

bool has_security_labels(const Value& labels) {
  const auto all = labels.members();
  return std::any_of(all.begin(), all.end(),
                     [](const Member& label) { return label.key.text().starts_with(kSecurityLabels); });
}
bool has_security_labels(const JudgedPod& judged) { return has_security_labels(labels_of(judged)); }

/// k8s.io/pod-security-admission/admission ValidatePod, with the server's default configuration: nothing is
/// exempt, and a namespace without labels is privileged.
Judgement judge_pod_security(const JudgedPod& judged, std::vector<std::string>& warnings) {
  if (judged.request.is_update() && !is_significant(judged)) return std::nullopt;
  const Policy policy = policy_of(labels_of(judged));
  if (const auto broken = violation(judged, policy.enforce))
    return forbidden("violates PodSecurity \"" + policy.enforce.text() + "\": " + *broken);
  if (policy.warn == policy.enforce) return std::nullopt;
  if (const auto broken = violation(judged, policy.warn))
    warnings.push_back("would violate PodSecurity \"" + policy.warn.text() + "\": " + *broken);
  return std::nullopt;
}

}  // namespace fixpoint::apiserver::validating
