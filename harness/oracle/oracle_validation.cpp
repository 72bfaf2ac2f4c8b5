#include "harness/oracle/oracle_validation.h"

#include <map>
#include <vector>

#include "harness/oracle/oracle_formats.h"
#include "harness/oracle/oracle_rules.h"

namespace fixpoint::oracle {

namespace {

using NameSet = std::set<std::string>;

constexpr int kFirstMinorOfEnvFiles = 35;
constexpr const char* kProbes[] = {"livenessProbe", "readinessProbe", "startupProbe"};

/// Patterns of fields: [] is any index, and c any container; a star at the end matches every continuation.
constexpr const char* kFields[] = {"metadata.name",
                                   "metadata.generateName",
                                   "metadata.labels",
                                   "metadata.annotations",
                                   "spec.restartPolicy",
                                   "spec.dnsPolicy",
                                   "spec.serviceAccountName",
                                   "spec.hostname",
                                   "spec.subdomain",
                                   "spec.priorityClassName",
                                   "spec.runtimeClassName",
                                   "spec.nodeName",
                                   "spec.activeDeadlineSeconds",
                                   "spec.nodeSelector",
                                   "spec.preemptionPolicy",
                                   "spec.containers",
                                   "spec.ephemeralContainers",
                                   "spec.tolerations[].key",
                                   "spec.tolerations[].operator",
                                   "spec.tolerations[].effect",
                                   "spec.hostAliases[].hostnames[]",
                                   "c.name",
                                   "c.image",
                                   "c.imagePullPolicy",
                                   "c.terminationMessagePolicy",
                                   "c.ports[].name",
                                   "c.ports[].containerPort",
                                   "c.ports[].hostPort",
                                   "c.ports[].protocol",
                                   "c.env[].name",
                                   "c.env[].valueFrom",
                                   "c.env[].valueFrom.fieldRef*",
                                   "c.env[].valueFrom.configMapKeyRef*",
                                   "c.env[].valueFrom.secretKeyRef*",
                                   "c.envFrom",
                                   "c.envFrom[].prefix",
                                   "c.envFrom[].configMapRef.name",
                                   "c.envFrom[].secretRef.name",
                                   "c.resources",
                                   "c.resources.requests",
                                   "c.resources.limits",
                                   "c.resources.requests[cpu]",
                                   "c.resources.requests[memory]",
                                   "c.resources.requests[ephemeral-storage]",
                                   "c.resources.limits[cpu]",
                                   "c.resources.limits[memory]",
                                   "c.resources.limits[ephemeral-storage]"};
constexpr const char* kFieldsOfVolumes[] = {"c.volumeMounts[].name", "c.volumeMounts[].mountPath",
                                            "spec.volumes[].name"};

void judge_host_ports(const Json& spec, const Blame& blame) {
  NameSet taken;
  std::size_t index = 0;
  const auto judge = [&](const Json& container, const std::string& path) {
    std::size_t port_index = 0;
    for (const Json& port : each(at(container, "ports"))) {
      const std::string here = nth(path + ".ports", port_index++) + ".hostPort";
      if (!port.contains("hostPort")) continue;
      const std::string key =
          text_at(port, "protocol") + "/" + text_at(port, "hostIP") + "/" + port["hostPort"].dump();
      if (!taken.insert(key).second) blame("D", here);
    }
  };
  for (const Json& container : each(at(spec, "containers"))) {
    const std::string path = nth("spec.containers", index++);
    judge(container, path);
    std::size_t port_index = 0;
    for (const Json& port : each(at(container, "ports"))) {
      const std::string here = nth(path + ".ports", port_index++) + ".hostPort";
      if (spec.value("hostNetwork", false) && port.value("hostPort", 0) != port["containerPort"])
        blame("I", here);
    }
  }
  for (const Json& container : each(at(spec, "initContainers"))) {
    taken.clear();
    judge(container, "spec.initContainers[0]");
  }
}

void judge_containers(const Json& spec, const std::set<std::string>& volumes, const Blame& blame) {
  NameSet names;
  if (each(at(spec, "containers")).empty()) blame("R", "spec.containers");
  for (const char* list : {"containers", "initContainers"}) {
    std::size_t index = 0;
    for (const Json& container : each(at(spec, list))) {
      const std::string path = nth(std::string("spec.") + list, index++), name = text_at(container, "name");
      if (name.empty()) blame("R", path + ".name");
      if (!name.empty() && !is_dns_label(name)) blame("I", path + ".name");
      if (names.contains(name)) blame("D", path + ".name");
      if (!name.empty() || std::string_view(list) == "containers") names.insert(name);
      judge_container(container, path, blame);
      judge_mounts(container, path, volumes, blame);
      for (const char* probe : kProbes) {
        if (std::string_view(list) == "containers" && container.contains(probe))
          judge_probe(container[probe], path + "." + probe, probe, blame);
      }
    }
  }
}

void judge_spec(const Json& spec, const Blame& blame) {
  using Check = bool (*)(const std::string&);
  static const std::map<std::string, Check> formats{{"serviceAccountName", is_dns_subdomain},
                                                    {"hostname", is_dns_label},
                                                    {"subdomain", is_dns_label},
                                                    {"priorityClassName", is_dns_subdomain},
                                                    {"runtimeClassName", is_dns_subdomain},
                                                    {"nodeName", is_dns_subdomain}};
  static const std::map<std::string, NameSet> choices{
      {"restartPolicy", {"Always", "OnFailure", "Never"}},
      {"dnsPolicy", {"ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"}},
      {"preemptionPolicy", {"PreemptLowerPriority", "Never"}}};
  for (const auto& [member, is_good] : formats) {
    const bool has = spec.contains(member);
    if (has && !is_good(text_at(spec, member))) blame("I", "spec." + member);
  }
  for (const auto& [member, words] : choices) {
    if (!spec.contains(member) || words.contains(text_at(spec, member))) continue;
    blame(text_at(spec, member).empty() ? "R" : "NS", "spec." + member);
  }
  if (is_given(at(spec, "nodeName")) && is_given(at(spec, "schedulingGates"))) blame("F", "spec.nodeName");
  if (is_given(at(spec, "ephemeralContainers"))) blame("F", "spec.ephemeralContainers");
  if (spec.contains("activeDeadlineSeconds")) {
    const Json& seconds = spec["activeDeadlineSeconds"];
    if (seconds < 1 || seconds > 2147483647) blame("I", "spec.activeDeadlineSeconds");
  }
  for (const auto& [key, value] : at(spec, "nodeSelector").items()) {
    if (!is_qualified_name(key) || !is_label_value(value.get<std::string>())) blame("I", "spec.nodeSelector");
  }
  std::size_t index = 0;
  for (const Json& alias : each(at(spec, "hostAliases"))) {
    const std::string here = nth("spec.hostAliases", index++) + ".hostnames";
    std::size_t nth_name = 0;
    for (const Json& name : each(at(alias, "hostnames"))) {
      if (!is_dns_subdomain(name.get<std::string>())) blame("I", nth(here, nth_name));
      ++nth_name;
    }
  }
}

/// Turns spec.containers[3].ports[0].name into c.ports[].name; the keys of maps stay.
std::string pattern_of(const std::string& field) {
  std::string pattern;
  for (std::size_t i = 0; i < field.size(); ++i) {
    pattern += field[i];
    const auto end = field.find_first_not_of("0123456789", i + 1);
    if (field[i] == '[' && end != i + 1 && end < field.size() && field[end] == ']') i = end - 1;
  }
  for (const std::string container : {"spec.containers[]", "spec.initContainers[]"}) {
    if (pattern.starts_with(container)) return "c" + pattern.substr(container.size());
  }
  return pattern;
}

/// Prepares a Pod as the registry does, where that affects the rules.
Json prepared(Json pod, int minor) {
  if (minor >= kFirstMinorOfEnvFiles) return pod;
  for (const char* list : {"containers", "initContainers"}) {
    if (!at(pod["spec"], list).is_array()) continue;
    for (Json& container : pod["spec"][list]) {
      if (!container.contains("env")) continue;
      for (Json& env : container["env"]) {
        if (env.contains("valueFrom")) env["valueFrom"].erase("fileKeyRef");
      }
    }
  }
  return pod;
}

}  // namespace

Judgement::Judgement(const Json& left, int minor) {
  const Json pod = prepared(left, minor);
  static const std::map<std::string, std::string> types{
      {"R", "FieldValueRequired"},     {"I", "FieldValueInvalid"},   {"D", "FieldValueDuplicate"},
      {"F", "FieldValueForbidden"},    {"NF", "FieldValueNotFound"}, {"TL", "FieldValueTooLong"},
      {"NS", "FieldValueNotSupported"}};
  const Blame blame = [this](const char* type, const std::string& field) {
    if (speaks_of(field)) errors_.emplace(types.at(type), field);
  };
  const Json& spec = at(pod, "spec");
  for (const Json& volume : each(at(spec, "volumes"))) {
    bool knows = true;
    judge_volumes(Json::array({volume}), [](const char*, const std::string&) {}, knows);
    knows_volumes_ = knows_volumes_ && knows;
  }
  bool knows = true;
  const auto volumes = judge_volumes(at(spec, "volumes"), blame, knows);
  judge_metadata(at(pod, "metadata"), blame);
  judge_spec(spec, blame);
  judge_tolerations(at(spec, "tolerations"), blame);
  judge_containers(spec, volumes, blame);
  judge_host_ports(spec, blame);
}

bool Judgement::speaks_of(const std::string& field) const {
  const std::string pattern = pattern_of(field);
  for (const std::string known : kFields) {
    if (pattern == known || (known.ends_with('*') && pattern.starts_with(known.substr(0, known.size() - 1))))
      return true;
  }
  for (const std::string known : kFieldsOfVolumes) {
    if (knows_volumes_ && pattern == known) return true;
  }
  if (!field.starts_with("spec.containers[")) return false;
  for (const std::string probe : kProbes) {
    if (pattern.starts_with("c." + probe)) return pattern.find(".exec") == std::string::npos;
  }
  return false;
}

}  // namespace fixpoint::oracle
