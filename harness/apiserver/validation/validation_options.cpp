#include "harness/apiserver/validation/validation_options.h"

#include <algorithm>

#include "harness/apiserver/defaulting/resource_sum.h"
#include "harness/apiserver/validation/annotation_names.h"
#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver::validation {

namespace {

template <class Test>
bool any_container(const Value& spec, Test test) {
  bool found = false;
  for_each_container(spec, Path("spec"),
                     [&](const Value& container, const Path&) { found = found || test(container); });
  return found;
}

template <class Test>
bool any_element(const Value& list, Test test) {
  const auto elements = list.elements();
  return std::any_of(elements.begin(), elements.end(), test);
}

/// Returns true if the check reports an error.
template <class Check>
bool fails(Check check) {
  Errors errors;
  check(errors);
  return !errors.empty();
}

bool has_bad_selector(const Value& selector) {
  return fails([&](Errors& errors) { check_label_selector(selector, false, Path(""), errors); });
}

bool has_bad_affinity_selector(const Value& affinity) {
  const auto is_bad = [](const Value& term) {
    return has_bad_selector(term["labelSelector"]) || has_bad_selector(term["namespaceSelector"]);
  };
  const auto is_bad_weighted = [&](const Value& term) { return is_bad(term["podAffinityTerm"]); };
  return std::any_of(affinity.members().begin(), affinity.members().end(), [&](const Member& member) {
    return !member.key.is("nodeAffinity") &&
           (any_element(member.value["requiredDuringSchedulingIgnoredDuringExecution"], is_bad) ||
            any_element(member.value["preferredDuringSchedulingIgnoredDuringExecution"], is_bad_weighted));
  });
}

bool has_bad_node_value(const Value& spec) {
  const Value& required = spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"];
  return any_element(required["nodeSelectorTerms"], [](const Value& term) {
    return any_element(term["matchExpressions"], [](const Value& expression) {
      return any_element(expression["values"],
                         [](const Value& v) { return !check_label_value(v.text()).empty(); });
    });
  });
}

bool has_indivisible(const Value& amounts) {
  return std::any_of(amounts.members().begin(), amounts.members().end(), [](const Member& member) {
    return is_hugepages_resource(member.key.text()) &&
           !is_divisible_hugepage(member.key.text(), member.value);
  });
}

bool has_indivisible_hugepages(const Value& spec) {
  return has_indivisible(spec["overhead"]) || any_container(spec, [](const Value& container) {
           const Value& resources = container["resources"];
           return has_indivisible(resources["limits"]) || has_indivisible(resources["requests"]);
         });
}

bool has_bad_token_path(const Value& spec) {
  return any_element(spec["volumes"], [](const Value& volume) {
    return any_element(volume["projected"]["sources"], [](const Value& source) {
      const Value& token = source["serviceAccountToken"];
      return !token.is_null() && !check_non_reserved_path(token["path"].text()).empty();
    });
  });
}

bool has_host_sysctl(const Value& spec) {
  return any_element(spec["securityContext"]["sysctls"], [&](const Value& sysctl) {
    return is_sysctl_of_host(sysctl["name"].text(), spec["hostNetwork"].is_true(), spec["hostIPC"].is_true());
  });
}

bool sleeps_for_zero(const Value& spec) {
  return any_container(spec, [](const Value& container) {
    const Value& lifecycle = container["lifecycle"];
    return lifecycle["preStop"]["sleep"]["seconds"].text() == "0" ||
           lifecycle["postStart"]["sleep"]["seconds"].text() == "0";
  });
}

bool always_restarts(const Value& container) { return container["restartPolicy"].text() == "Always"; }

bool restarts_container_of_init(const Value& spec) {
  return any_element(spec["initContainers"], [](const Value& container) {
    return !always_restarts(container) && any_element(container["resizePolicy"], [](const Value& policy) {
      return policy["restartPolicy"].text() == "RestartContainer";
    });
  });
}

bool restarts_all(const Value& container) {
  return any_element(container["restartPolicyRules"],
                     [](const Value& rule) { return rule["action"].text() == "RestartAllContainers"; });
}

bool uses_restart_all_containers(const Value& spec) {
  return any_element(spec["containers"], restarts_all) ||
         any_element(spec["initContainers"], [](const Value& container) {
           return restarts_all(container) ||
                  (always_restarts(container) && !container["restartPolicyRules"].empty());
         });
}

/// Returns true if the new Pod keeps a name of the stored one that only the relaxed rule accepts.
bool keeps_relaxed_env_name(const Value& spec, const Value& old) {
  Names names;
  any_container(old, [&](const Value& container) {
    for (const Value& variable : container["env"].elements()) names.insert(variable["name"].text());
    for (const Value& source : container["envFrom"].elements()) names.insert(source["prefix"].text());
    return false;
  });
  const auto is_kept = [&](std::string_view name) {
    return !check_env_name(name).empty() && check_relaxed_env_name(name).empty() && names.contains(name);
  };
  return any_container(spec, [&](const Value& container) {
    return any_element(container["env"], [&](const Value& v) { return is_kept(v["name"].text()); }) ||
           any_element(container["envFrom"], [&](const Value& v) { return is_kept(v["prefix"].text()); });
  });
}

bool has_relaxed_search(const Value& spec) {
  return any_element(spec["dnsConfig"]["searches"], [](const Value& search) {
    return search.text() == "." || search.text().find('_') != std::string_view::npos;
  });
}

bool violates_match_label_keys(const Value& spec) {
  return any_element(spec["topologySpreadConstraints"], [](const Value& constraint) {
    return fails([&](Errors& errors) {
      check_match_label_keys(constraint["matchLabelKeys"], {}, constraint["labelSelector"], Path(""), errors);
    });
  });
}

bool has_devices(const Value& container) { return !container["volumeDevices"].empty(); }

void allow_what_is_stored(Options& options, const Value& pod, const Value& old) {
  const Value& spec = old["spec"];
  const bool has_user_namespace = spec["hostUsers"].is_boolean() && !spec["hostUsers"].is_true();
  const int minor = options.minor;
  options.allows_any_deletion_cost = !is_valid_deletion_cost(old["metadata"]["annotations"]);
  options.allows_selector_values = has_bad_affinity_selector(spec["affinity"]);
  options.allows_node_affinity_values = has_bad_node_value(spec);
  options.allows_spread_selector =
      any_element(spec["topologySpreadConstraints"],
                  [](const Value& constraint) { return has_bad_selector(constraint["labelSelector"]); });
  options.allows_indivisible_hugepages = has_indivisible_hugepages(spec);
  options.allows_any_token_path |= has_bad_token_path(spec);
  options.allows_host_sysctls = has_host_sysctl(spec);
  options.allows_any_selinux_policy = !spec["securityContext"]["seLinuxChangePolicy"].is_null();
  options.allows_comparing_tolerations =
      minor >= gate::kComparingTolerations && any_element(spec["tolerations"], [](const Value& toleration) {
        return is_one_of(toleration["operator"].text(), {"Gt", "Lt"});
      });
  options.allows_restart_container_for_init = restarts_container_of_init(spec);
  options.allows_user_namespace_devices = has_user_namespace && any_container(spec, has_devices);
  options.allows_user_namespace_host_network =
      minor >= gate::kUserNamespaceHostNetworkKept && has_user_namespace && spec["hostNetwork"].is_true();
  options.uses_legacy_match_label_keys |= violates_match_label_keys(spec);
  options.uses_relaxed_env_names |= minor >= 30 && keeps_relaxed_env_name(pod["spec"], spec);
  options.uses_relaxed_dns_searches |= minor >= 32 && has_relaxed_search(spec);
  options.allows_sleep_of_zero |= minor >= 32 && sleeps_for_zero(spec);
  options.allows_restart_rules |= minor >= gate::kRestartPolicyOfContainers && uses_restart_rules(spec);
  options.allows_restart_all_containers |=
      options.minor >= gate::kRestartAllContainersKnown && uses_restart_all_containers(spec);
  options.allows_sidecar_resize_policy |= any_element(spec["initContainers"], [](const Value& container) {
    return always_restarts(container) && !container["resizePolicy"].empty();
  });
}

}  // namespace

bool uses_restart_rules(const Value& spec) {
  return any_element(spec["containers"], [](const Value& c) { return !c["restartPolicy"].is_null(); }) ||
         any_element(spec["initContainers"], [](const Value& container) {
           const Value& policy = container["restartPolicy"];
           return (!policy.is_null() && policy.text() != "Always") ||
                  !container["restartPolicyRules"].empty();
         });
}

bool is_valid_deletion_cost(const Value& annotations) {
  const Value* cost = annotations.find(kDeletionCostAnnotation);
  if (cost == nullptr) return true;
  const std::string_view text = cost->text();
  if (text.empty() || (text[0] == '0' && text != "0")) return false;
  const auto number = Value::number(text).integer();
  return number && *number >= INT32_MIN && *number <= INT32_MAX;
}

Options make_options(const Value& pod, const Value& old, int minor) {
  Options options{.minor = minor};
  options.allows_any_token_path = minor < gate::kTokenPaths;
  options.uses_legacy_match_label_keys = minor < gate::kSpreadSelectorMerge;
  options.uses_relaxed_env_names = minor >= gate::kRelaxedEnvNames;
  options.uses_relaxed_dns_searches = minor >= gate::kRelaxedDnsSearch;
  options.allows_sleep_of_zero = minor >= gate::kSleepOfZero;
  options.allows_restart_rules = minor >= gate::kContainerRestartRules;
  options.allows_restart_all_containers = minor >= gate::kRestartAllContainers;
  options.allows_sidecar_resize_policy = minor >= gate::kInPlaceResize;
  if (!old.is_null()) allow_what_is_stored(options, pod, old);
  return options;
}

}  // namespace fixpoint::apiserver::validation
