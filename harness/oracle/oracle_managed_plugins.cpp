#include "harness/oracle/oracle_managed_plugins.h"

#include <algorithm>
#include <optional>
#include <set>

#include "harness/oracle/oracle_formats.h"
#include "harness/oracle/oracle_quantity.h"
#include "harness/oracle/oracle_schema.h"

namespace fixpoint::oracle {

namespace {

constexpr int kPodLevelResources = 34, kTopologyLabels = 35;

[[noreturn]] void refuse(const char* why) { throw Rejected(403, "Forbidden", why); }
[[noreturn]] void break_down(const char* why) { throw Rejected(500, "", why); }

const std::vector<const char*> kAllContainers{"initContainers", "containers", "ephemeralContainers"};

std::optional<std::string> annotation_of_namespace(const RequestContext& around, const std::string& name) {
  const Json space = around.find("Namespace", "", around.namespace_name);
  const Json& text = in(space, {"metadata", "annotations", "scheduler.alpha.kubernetes.io/" + name});
  if (!text.is_string()) return std::nullopt;
  return text.get<std::string>();
}

// PodNodeSelector

std::string trimmed(const std::string& text) {
  const std::string blanks = " \t\n\r\v\f";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

Json read_selector(const std::string& text) {
  Json selector = Json::object();
  if (text.empty()) return selector;
  for (const std::string& part : split(text, ',')) {
    const auto sides = split(part, '=');
    if (sides.size() != 2) break_down("no selector");
    const std::string key = trimmed(sides[0]), value = trimmed(sides[1]);
    if (!is_qualified_name(key) || !is_label_value(value)) break_down("no label");
    selector[key] = value;
  }
  return selector;
}

// PodTolerationRestriction

bool is_superset(const Json& wide, const Json& narrow);

Json tolerations_of_namespace(const RequestContext& around, const std::string& name) {
  const auto text = annotation_of_namespace(around, name);
  if (!text) return {};
  if (text->empty()) return Json::array();
  const Json list = Json::parse(*text, nullptr, false);
  if (list.is_null()) return Json::array();
  if (!list.is_array()) break_down("no list of tolerations");
  for (const Json& one : list) {
    if (!one.is_object() && !one.is_null()) break_down("no toleration");
  }
  try {
    return read_tolerations(list, around.minor);
  } catch (const Undecodable&) {
    break_down("no toleration");
  }
}

bool is_above_zero(const Json& amounts) {
  for (const char* name : {"cpu", "memory"}) {
    const auto amount = parse_amount(text_at(amounts, name));
    if (amount && !amount->is_zero() && !amount->negative) return true;
  }
  return false;
}

bool is_best_effort(const RequestContext& around, const Json& pod) {
  const std::string said = text_at(at(pod, "status"), "qosClass");
  if (!said.empty()) return said == "BestEffort";
  const auto asks = [](const Json& resources) {
    return is_above_zero(at(resources, "requests")) || is_above_zero(at(resources, "limits"));
  };
  const Json& spec = at(pod, "spec");
  if (around.minor >= kPodLevelResources && !at(spec, "resources").is_null()) return !asks(spec["resources"]);
  for (const char* list : {"containers", "initContainers"}) {
    for (const Json& container : each(at(spec, list)))
      if (asks(at(container, "resources"))) return false;
  }
  return true;
}

}  // namespace

void always_pull_images(const RequestContext& around, Json& pod) {
  if (!around.sub_resource.empty()) return;
  if (around.is_update()) {
    std::set<std::string> old;
    for (const char* list : kAllContainers) {
      for (const Json& container : each(in(around.old_object, {"spec", list})))
        old.insert(text_at(container, "image"));
    }
    bool is_new = false;
    for (const char* list : kAllContainers) {
      for (const Json& container : each(in(pod, {"spec", list})))
        is_new = is_new || !old.contains(text_at(container, "image"));
    }
    if (!is_new) return;
  }
  for (const char* list : kAllContainers) {
    if (!in(pod, {"spec", list}).is_array()) continue;
    for (Json& container : pod["spec"][list]) container["imagePullPolicy"] = "Always";
  }
  if (!in(pod, {"spec", "volumes"}).is_array()) return;
  for (Json& volume : pod["spec"]["volumes"]) {
    if (!at(volume, "image").is_null()) volume["image"]["pullPolicy"] = "Always";
  }
}

void pod_node_selector(const RequestContext& around, Json& pod) {
  if (around.is_update() || !around.sub_resource.empty()) return;
  const Json& settings = at(around.settings, "PodNodeSelector");
  const auto annotation = annotation_of_namespace(around, "node-selector");
  const Json selector =
      read_selector(annotation ? *annotation : text_at(settings, "clusterDefaultNodeSelector"));
  Json own = in(pod, {"spec", "nodeSelector"});
  if (!own.is_object()) own = Json::object();
  for (const auto& [key, value] : selector.items()) {
    if (own.contains(key) && own[key] != value) refuse("another node selector than the namespace's");
    own[key] = value;
  }
  if (!own.empty()) pod["spec"]["nodeSelector"] = own;
  const Json allowed = read_selector(text_at(settings, around.namespace_name));
  if (allowed.empty()) return;
  for (const auto& [key, value] : own.items()) {
    if (at(allowed, key) != value) refuse("a node selector beyond the whitelist");
  }
}

void pod_toleration_restriction(const RequestContext& around, Json& pod) {
  if (!around.sub_resource.empty()) return;
  const Json& settings = at(around.settings, "PodTolerationRestriction");
  Json more = Json::array();
  if (!around.is_update()) {
    more = tolerations_of_namespace(around, "defaultTolerations");
    if (more.is_null()) more = read_tolerations(at(settings, "default"), around.minor);
  }
  if (!is_best_effort(around, pod)) {
    more.push_back(
        {{"key", "node.kubernetes.io/memory-pressure"}, {"operator", "Exists"}, {"effect", "NoSchedule"}});
  }
  if (!more.empty()) pod["spec"]["tolerations"] = merged_tolerations(in(pod, {"spec", "tolerations"}), more);
  const auto& own = each(in(pod, {"spec", "tolerations"}));
  if (own.empty()) return;
  Json whitelist = tolerations_of_namespace(around, "tolerationsWhitelist");
  if (whitelist.is_null()) whitelist = read_tolerations(at(settings, "whitelist"), around.minor);
  if (whitelist.empty()) return;
  for (const Json& toleration : own) {
    const bool is_allowed = std::any_of(whitelist.begin(), whitelist.end(),
                                        [&](const Json& wide) { return is_superset(wide, toleration); });
    if (!is_allowed) break_down("a toleration beyond the whitelist");
  }
}

void extended_resource_toleration(const RequestContext& around, Json& pod) {
  if (!around.sub_resource.empty()) return;
  std::set<std::string> resources;
  for (const char* list : {"containers", "initContainers"}) {
    for (const Json& container : each(in(pod, {"spec", list}))) {
      for (const auto& [name, amount] : in(container, {"resources", "requests"}).items()) {
        const bool is_native =
            name.find('/') == std::string::npos || name.find("kubernetes.io/") != std::string::npos;
        const bool is_extended =
            !is_native && !name.starts_with("requests.") && is_qualified_name("requests." + name);
        if (is_extended) resources.insert(name);
      }
    }
  }
  for (const std::string& name : resources) {
    const Json wanted{{"key", name}, {"operator", "Exists"}, {"effect", "NoSchedule"}};
    Json all = Json::array();
    bool is_there = false;
    for (const Json& one : each(in(pod, {"spec", "tolerations"}))) {
      const bool is_it = text_at(one, "key") == name && text_at(one, "operator") == "Exists" &&
                         text_at(one, "effect") == "NoSchedule" && text_at(one, "value").empty();
      all.push_back(is_it ? wanted : one);
      is_there = is_there || is_it;
    }
    if (!is_there) all.push_back(wanted);
    pod["spec"]["tolerations"] = all;
  }
}

void pod_topology_labels(const RequestContext& around, Json& pod) {
  const std::string name = text_at(at(pod, "spec"), "nodeName");
  if (around.is_update() || !around.sub_resource.empty() || name.empty()) return;
  if (around.minor < kTopologyLabels) return;
  const Json node = around.find("Node", "", name);
  for (const char* label : {"topology.kubernetes.io/zone", "topology.kubernetes.io/region"}) {
    const Json& its = in(node, {"metadata", "labels", label});
    if (!its.is_null()) pod["metadata"]["labels"][label] = its;
  }
}

Json read_tolerations(const Json& sent, int minor) {
  Json list = Json::array();
  for (const Json& toleration : each(sent))
    list.push_back(decode("Toleration", toleration.is_null() ? Json::object() : toleration, minor));
  return list;
}

namespace {

bool is_superset(const Json& wide, const Json& narrow) {
  if (wide == narrow) return true;
  const std::string wide_op = text_at(wide, "operator"), wide_effect = text_at(wide, "effect");
  const bool is_any_key = text_at(wide, "key").empty() && wide_op == "Exists";
  if (text_at(wide, "key") != text_at(narrow, "key") && !is_any_key) return false;
  if (!wide_effect.empty() && wide_effect != text_at(narrow, "effect")) return false;
  if (wide_effect == "NoExecute" && wide.contains("tolerationSeconds")) {
    if (!narrow.contains("tolerationSeconds") || narrow["tolerationSeconds"] > wide["tolerationSeconds"])
      return false;
  }
  if (wide_op == "Exists") return true;
  return (wide_op.empty() || wide_op == "Equal") && text_at(narrow, "operator") == "Equal" &&
         text_at(narrow, "value") == text_at(wide, "value");
}

}  // namespace

Json merged_tolerations(const Json& first, const Json& second) {
  std::vector<Json> all = each(first);
  all.insert(all.end(), each(second).begin(), each(second).end());
  Json merged = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool is_redundant = std::any_of(merged.begin(), merged.end(),
                                    [&](const Json& other) { return is_superset(other, all[i]); });
    for (std::size_t j = i + 1; j < all.size(); ++j)
      is_redundant = is_redundant || (all[j] != all[i] && is_superset(all[j], all[i]));
    if (!is_redundant) merged.push_back(all[i]);
  }
  return merged;
}

Json built_in(std::string_view kind, std::string_view name) {
  if (kind != "PriorityClass") return {};
  if (name == "system-cluster-critical") return {{"value", 2000000000}};
  if (name == "system-node-critical") return {{"value", 2000001000}};
  return {};
}

}  // namespace fixpoint::oracle
