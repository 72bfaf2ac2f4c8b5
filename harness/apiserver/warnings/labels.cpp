#include "harness/apiserver/text/formats.h"
#include "harness/apiserver/warnings/warning_parts.h"

namespace fixpoint::apiserver::warnings {

namespace {

struct Deprecated {
  std::string_view label, text;
};
constexpr Deprecated kDeprecated[] = {
    {"beta.kubernetes.io/arch", "deprecated since v1.14; use \"kubernetes.io/arch\" instead"},
    {"beta.kubernetes.io/os", "deprecated since v1.14; use \"kubernetes.io/os\" instead"},
    {"failure-domain.beta.kubernetes.io/region",
     "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead"},
    {"failure-domain.beta.kubernetes.io/zone",
     "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead"},
    {"beta.kubernetes.io/instance-type",
     "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead"},
    {"app.kubernetes.io/created-by", "deprecated since v1.9"},
    {"scheduler.alpha.kubernetes.io/preferAvoidPods",
     "deprecated since v1.22; use Taints and Tolerations instead"},
    {"node-role.kubernetes.io/master", "use \"node-role.kubernetes.io/control-plane\" instead"},
};
constexpr std::string_view kNoPod = "a null labelSelector results in matching no pod";
constexpr const char* kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr const char* kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

const Deprecated* find_deprecated(std::string_view label) {
  for (const Deprecated& row : kDeprecated) {
    if (row.label == label) return &row;
  }
  return nullptr;
}

void warn_of_key(Warner& warner, std::string_view key, const Path& path) {
  if (const Deprecated* row = find_deprecated(key); row != nullptr) {
    warner.add(path, std::string(key).append(" is ").append(row->text));
  }
}

std::string_view value_problem(std::string_view problem, int minor) {
  const bool is_length = problem.starts_with("must be no more");
  return is_length && minor < kLengthsInBytesSince ? "must be no more than 63 characters" : problem;
}

void warn_of_node_term(Warner& warner, const Value& term, bool is_preferred, const Path& path) {
  const Value& expressions = term["matchExpressions"];
  const Path expressions_path = path.child("matchExpressions");
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const Path item = expressions_path.at(i), values_path = item.child("values");
    warn_of_key(warner, expressions.at(i)["key"].text(), item.child("key"));
    if (!is_preferred || warner.minor() < kNodeValuesSince) continue;
    const Value& values = expressions.at(i)["values"];
    for (std::size_t j = 0; j < values.size(); ++j) {
      const std::string_view value = values.at(j).text();
      for (const document::Text& problem : validation::check_label_value(value)) {
        warner.add(values_path.at(j), std::string(value)
                                          .append(" is invalid, ")
                                          .append(value_problem(problem.words(), warner.minor())));
      }
    }
  }
}

void warn_of_node_affinity(Warner& warner, const Value& affinity, const Path& path) {
  const Value& terms = affinity[kRequired]["nodeSelectorTerms"];
  const Path required_path = path.child(kRequired), terms_path = required_path.child("nodeSelectorTerms");
  for (std::size_t i = 0; i < terms.size(); ++i)
    warn_of_node_term(warner, terms.at(i), false, terms_path.at(i));
  const Value& preferred = affinity[kPreferred];
  const Path preferred_path = path.child(kPreferred);
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    const Path item = preferred_path.at(i);
    warn_of_node_term(warner, preferred.at(i)["preference"], true, item.child("preference"));
  }
}

void warn_of_pod_affinity(Warner& warner, const Value& affinity, const Path& path) {
  const Value& required = affinity[kRequired];
  const Path required_path = path.child(kRequired), preferred_path = path.child(kPreferred);
  for (std::size_t i = 0; i < required.size(); ++i) {
    const Path item = required_path.at(i);
    if (required.at(i)["labelSelector"].is_null()) warner.add(item.child("labelSelector"), kNoPod);
  }
  const Value& preferred = affinity[kPreferred];
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    const Path item = preferred_path.at(i);
    if (!preferred.at(i)["podAffinityTerm"]["labelSelector"].is_null()) continue;
    warner.add(item.child("podAffinityTerm.labelSelector"), kNoPod);
  }
}

}  // namespace

void warn_of_labels(Warner& warner) {
  const Value& spec = warner.spec();
  const Path& spec_path = warner.spec_path();
  const Path selector_path = spec_path.child("nodeSelector");
  for (const Member& member : spec["nodeSelector"].members()) {
    const Deprecated* row = find_deprecated(member.key.text());
    if (row != nullptr) warner.add(selector_path.key(member.key.text()), row->text);
  }
  const Path affinity_path = spec_path.child("affinity");
  warn_of_node_affinity(warner, spec["affinity"]["nodeAffinity"], affinity_path.child("nodeAffinity"));
  static constexpr Name kNames[] = {"podAffinity", "podAntiAffinity"};
  for (const Name& kind : kNames) {
    warn_of_pod_affinity(warner, spec["affinity"][kind], affinity_path.child(kind.text));
  }
  const Value& constraints = spec["topologySpreadConstraints"];
  const Path constraints_path = spec_path.child("topologySpreadConstraints");
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const Path item = constraints_path.at(i);
    warn_of_key(warner, constraints.at(i)["topologyKey"].text(), item.child("topologyKey"));
    if (constraints.at(i)["labelSelector"].is_null()) warner.add(item.child("labelSelector"), kNoPod);
  }
}

}  // namespace fixpoint::apiserver::warnings
