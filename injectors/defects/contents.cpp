#include <algorithm>

#include "injectors/defects/defects.h"
#include "injectors/defects/twin.h"

namespace fixpoint::injectors::defects {

namespace {

// What the webhook brings is compared with what stands there by its content: a user's own of the same key is
// not recognised, or goes.

Value constraint() {
  return {{"maxSkew", 1},
          {"topologyKey", "topology.kubernetes.io/zone"},
          {"whenUnsatisfiable", "ScheduleAnyway"},
          {"labelSelector", {{"matchLabels", {{"team", "a"}}}}}};
}

/// A constraint on the zone with another skew or selector is a constraint on the zone all the same.
Answer constraint_by_content(const Call& call, bool is_fixed) {
  const Value wanted = constraint();
  for (const Value& one : call.object["spec"]["topologySpreadConstraints"].elements()) {
    if (is_fixed ? one["topologyKey"] == wanted["topologyKey"] : one == wanted) return webhooks::allow();
  }
  return changed(call,
                 [&](Value& pod) { pod.edit("spec").edit("topologySpreadConstraints").push_back(wanted); });
}

/// The user's own value, or a valueFrom, is no sign for it that the variable is there.
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

/// Nameservers and search domains of the user go with the object that held them.
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

constexpr Defect kContentDefects[] = {
    {"constraint-known-by-content", "Looks for a spread constraint with its own content, not its key.",
     "no-duplicate-names", constraint_by_content,
     [](runner::Subject& subject) {
       subject.vocabulary.elements = {{"topologySpreadConstraints", constraint()}};
     }},
    {"env-known-by-value", "Looks for an env entry with its own value, not its name.", "no-duplicate-names",
     env_by_value, [](runner::Subject& subject) { subject.vocabulary.env = {"LOG_LEVEL"}; }},
    {"dns-config-replaced", "Sets an option of the resolver by setting the whole configuration.",
     "preserves-others", dns_replaced,
     [](runner::Subject& subject) { subject.vocabulary.members = {"dnsConfig"}; }},
};

}  // namespace

std::span<const Defect> content_defects() { return kContentDefects; }

}  // namespace fixpoint::injectors::defects
