#include <algorithm>

#include "injectors/defects/defect_helpers.h"
#include "injectors/defects/defects.h"

namespace fixpoint::injectors::defects {

namespace {

// The injected element is compared with the existing ones by its content: a user's own element with the same
// key is not recognised, or is lost.

Value constraint() {
  return {{"maxSkew", 1},
          {"topologyKey", "topology.kubernetes.io/zone"},
          {"whenUnsatisfiable", "ScheduleAnyway"},
          {"labelSelector", {{"matchLabels", {{"team", "a"}}}}}};
}

/// Overlooks a constraint on the same zone with another skew or selector.
Answer constraint_by_content(const Call& call, bool is_fixed) {
  const Value wanted = constraint();
  for (const Value& one : call.object["spec"]["topologySpreadConstraints"].elements()) {
    if (is_fixed ? one["topologyKey"] == wanted["topologyKey"] : one == wanted) return webhooks::allow();
  }
  return changed(call,
                 [&](Value& pod) { pod.edit("spec").edit("topologySpreadConstraints").push_back(wanted); });
}

/// Overlooks a variable of the same name with a user's own value or valueFrom.
Answer env_by_value(const Call& call, bool is_fixed) {
  const Value wanted = env("LOG_LEVEL", "info");
  return changed(call, [&](Value& pod) {
    for_each_container(pod, [&](Value& one) {
      const auto entries = one["env"].elements();
      const bool is_there = std::any_of(entries.begin(), entries.end(), [&](const Value& entry) {
        return is_fixed ? entry["name"] == wanted["name"] : entry == wanted;
      });
      if (!is_there) one.edit("env").push_back(wanted);
    });
  });
}

/// Replaces the whole object, and so loses the user's nameservers and search domains.
Answer dns_replaced(const Call& call, bool is_fixed) {
  const Value& spec = call.object["spec"];
  if (has_named(spec["dnsConfig"]["options"], "ndots")) return webhooks::allow();
  const Value option{{"name", "ndots"}, {"value", "2"}};
  if (is_fixed) {
    return changed(call,
                   [&](Value& pod) { pod.edit("spec").edit("dnsConfig").edit("options").push_back(option); });
  }
  return webhooks::allow(Value::list({add("/spec/dnsConfig", Value{{"options", Value::list({option})}})}));
}

/// Adds a term to a node selector. Terms are alternatives, so the new one allows nodes that the user's terms
/// exclude.
Answer term_added(const Call& call, bool is_fixed) {
  const Value wanted{{"key", "example.com/pool"}, {"operator", "In"}, {"values", Value::list({"general"})}};
  const auto has_key = [&](const Value& term) {
    const auto all = term["matchExpressions"].elements();
    return std::any_of(all.begin(), all.end(), [&](const Value& one) { return one["key"] == wanted["key"]; });
  };
  return changed(call, [&](Value& pod) {
    Value& required = pod.edit("spec").edit("affinity").edit("nodeAffinity");
    Value& terms = required.edit("requiredDuringSchedulingIgnoredDuringExecution").edit("nodeSelectorTerms");
    const auto all = terms.elements();
    if (all.empty() || (!is_fixed && std::none_of(all.begin(), all.end(), has_key)))
      return terms.push_back({{"matchExpressions", Value::list({wanted})}});
    for (std::size_t i = 0; is_fixed && i < terms.size(); ++i) {
      if (!has_key(terms.at(i))) terms.edit(i).edit("matchExpressions").push_back(wanted);
    }
  });
}

constexpr const char* kBatch = "defects-batch";

/// Sets the class but not its value. The server had already set the value for no class before it called the
/// webhook, and refuses that value with the class.
Answer class_alone(const Call& call, bool is_fixed) {
  if (!call.object["spec"]["priorityClassName"].text().empty()) return webhooks::allow();
  return changed(call, [&](Value& pod) {
    Value& spec = pod.edit("spec");
    spec.set("priorityClassName", kBatch);
    if (!is_fixed) return;
    spec.remove("priority");
    spec.remove("preemptionPolicy");
  });
}

/// Mistakes a path that only begins like the injected one for that path.
Answer mount_by_prefix(const Call& call, bool is_fixed) {
  constexpr const char* kPath = "/etc/roots";
  const auto looks_mounted = [](const Value& one) {
    const auto mounts = one["volumeMounts"].elements();
    return std::any_of(mounts.begin(), mounts.end(),
                       [](const Value& mount) { return mount["mountPath"].text().starts_with(kPath); });
  };
  return changed(call, [&](Value& pod) {
    if (is_fixed) return mount_everywhere(pod, "roots", kPath);
    if (!has_named(pod["spec"]["volumes"], "roots"))
      pod.edit("spec").edit("volumes").push_back(empty_volume("roots"));
    for_each_container(pod, [&](Value& one) {
      if (!looks_mounted(one) && wants_mount(one, "roots", kPath))
        one.edit("volumeMounts").push_back({{"name", "roots"}, {"mountPath", kPath}});
    });
  });
}

constexpr Defect kContentDefects[] = {
    {"constraint-known-by-content", "Looks for a spread constraint with its own content, not its key.",
     "no-duplicate-names", constraint_by_content,
     [](runner::Subject& subject) {
       subject.vocabulary.elements = {{"topologySpreadConstraints", constraint()}};
     }},
    {"env-known-by-value", "Looks for an env entry with its own value, not its name.", "no-duplicate-names",
     env_by_value,
     [](runner::Subject& subject) { subject.vocabulary.names[runner::NameKind::env] = {"LOG_LEVEL"}; }},
    {"dns-config-replaced", "Sets an option of the resolver by setting the whole configuration.",
     "preserves-others", dns_replaced,
     [](runner::Subject& subject) { subject.vocabulary.members = {"dnsConfig"}; }},
    {"affinity-term-added", "Adds its node selector term beside the user's, which makes it an alternative.",
     "preserves-others", term_added,
     [](runner::Subject& subject) { subject.vocabulary.members = {"affinity"}; }},
    {"priority-class-alone", "Sets the priority class and leaves the value that the server wrote.",
     "valid-spec", class_alone,
     [](runner::Subject& subject) {
       owns(subject, {"spec.priorityClassName", "spec.priority", "spec.preemptionPolicy"});
       subject.objects.push_back({{"apiVersion", "scheduling.k8s.io/v1"},
                                  {"kind", "PriorityClass"},
                                  {"metadata", {{"name", kBatch}}},
                                  {"value", 1000}});
     }},
    {"mount-known-by-prefix", "Mistakes a mount whose path begins with its own path for its own.",
     "request-context", mount_by_prefix,
     [](runner::Subject& subject) {
       subject.vocabulary.names[runner::NameKind::volume] = {"roots"};
       subject.vocabulary.names[runner::NameKind::mount_path] = {"/etc/roots"};
     }},
};

}  // namespace

std::span<const Defect> content_defects() { return kContentDefects; }

}  // namespace fixpoint::injectors::defects
