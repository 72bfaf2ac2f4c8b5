#include "harness/oracle/oracle_plugins.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "harness/oracle/oracle_managed_plugins.h"
#include "harness/oracle/oracle_quantity.h"

namespace fixpoint::oracle {

namespace {

using PluginFunction = void (*)(const RequestContext&, Json&);

constexpr const char* kTokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";

[[noreturn]] void forbid(const char* why) { throw Rejected(403, "Forbidden", why); }

// LimitRanger: SetDefaults_LimitRangeItem, then defaultContainerResourceRequirements and mergePodResources.

Json decoded_quantities(const Json& sent, bool to_milli) {
  Json result = Json::object();
  for (const auto& [name, quantity] : sent.items()) {
    const std::string text = quantity.is_string() ? quantity.get<std::string>() : number_text(quantity);
    result[name] = quantity_text(text, to_milli).value_or(text);
  }
  return result;
}

/// Adds the missing quantities, rounded up to milli units, as SetDefaults_ResourceList does.
void complete(Json& quantities, const Json& from) {
  const Json more = decoded_quantities(from, true);
  for (const auto& [name, quantity] : more.items()) {
    if (!quantities.contains(name)) quantities[name] = quantity;
  }
}

void merge(Json& container, const char* list, const Json& defaults, const char* what, const std::string& who,
           std::vector<std::string>& said) {
  std::string added;
  for (const auto& [name, quantity] : defaults.items()) {
    if (!in(container, {"resources", list, name}).is_null()) continue;
    container["resources"][list][name] = quantity;
    added += (added.empty() ? "" : ", ") + name;
  }
  if (!added.empty()) said.push_back(added + " " + what + " for " + who);
}

void apply_limit_range(const Json& range, Json& pod) {
  Json limits = Json::object(), requests = Json::object();
  for (const Json& item : each(in(range, {"spec", "limits"}))) {
    if (text_at(item, "type") != "Container") continue;
    Json own_limits = Json::object(), own_requests = Json::object();
    complete(own_limits, at(item, "default"));
    complete(own_limits, at(item, "max"));
    complete(own_requests, at(item, "defaultRequest"));
    complete(own_requests, own_limits);
    complete(own_requests, at(item, "min"));
    limits.update(own_limits);
    requests.update(own_requests);
  }
  std::vector<std::string> said;
  for (const auto& [list, word] :
       {std::pair{"containers", "container "}, {"initContainers", "init container "}}) {
    if (!at(pod["spec"], list).is_array()) continue;
    for (Json& container : pod["spec"][list]) {
      const std::string who = word + text_at(container, "name");
      merge(container, "requests", requests, "request", who, said);
      merge(container, "limits", limits, "limit", who, said);
    }
  }
  if (said.empty()) return;
  std::string text = "LimitRanger plugin set: ";
  for (std::size_t i = 0; i < said.size(); ++i) text += (i == 0 ? "" : "; ") + said[i];
  pod["metadata"]["annotations"]["kubernetes.io/limit-ranger"] = text;
}

void limit_ranger(const RequestContext& around, Json& pod) {
  if (around.is_update() && around.sub_resource != "resize") return;
  if (!in(around.old_object, {"metadata", "deletionTimestamp"}).is_null()) return;
  std::vector<std::pair<std::string, Json>> ranges;
  for (const Json& object : around.objects) {
    const Json& metadata = at(object, "metadata");
    if (text_at(object, "kind") == "LimitRange" && text_at(metadata, "namespace") == around.namespace_name)
      ranges.emplace_back(text_at(metadata, "name"), object);
  }
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [name, range] : ranges) apply_limit_range(range, pod);
}

// ServiceAccount

bool has_mount_at_token(const Json& container) {
  const auto& mounts = each(at(container, "volumeMounts"));
  return std::any_of(mounts.begin(), mounts.end(),
                     [](const Json& mount) { return text_at(mount, "mountPath") == kTokenPath; });
}

void mount_token(Json& pod, int pass) {
  Json& spec = pod["spec"];
  std::string name;
  for (const Json& volume : each(at(spec, "volumes"))) {
    if (name.empty() && text_at(volume, "name").starts_with("kube-api-access-"))
      name = text_at(volume, "name");
  }
  const bool has_volume = !name.empty();
  if (!has_volume) name = pass == 1 ? "kube-api-access-xxxxx" : "kube-api-access-yyyyy";
  bool mounted = false;
  for (const char* list : {"initContainers", "containers"}) {
    if (!at(spec, list).is_array()) continue;
    for (Json& container : spec[list]) {
      if (has_mount_at_token(container)) continue;
      container["volumeMounts"].push_back({{"name", name}, {"readOnly", true}, {"mountPath", kTokenPath}});
      mounted = true;
    }
  }
  if (has_volume || !mounted) return;
  static const Json sources = Json::parse(R"([
    {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
    {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
    {"downwardAPI": {"items": [{"path": "namespace",
                                "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]}}])");
  spec["volumes"].push_back({{"name", name}, {"projected", {{"sources", sources}, {"defaultMode", 420}}}});
}

/// Returns the names of the Secrets from which the containers of these lists take environment variables.
std::vector<std::string> env_secrets(const Json& spec, std::initializer_list<const char*> lists) {
  std::vector<std::string> names;
  for (const char* list : lists) {
    for (const Json& container : each(at(spec, list))) {
      for (const Json& env : each(at(container, "env"))) {
        const Json& key = in(env, {"valueFrom", "secretKeyRef"});
        if (!key.is_null()) names.push_back(text_at(key, "name"));
      }
      for (const Json& from : each(at(container, "envFrom"))) {
        if (!at(from, "secretRef").is_null()) names.push_back(text_at(from["secretRef"], "name"));
      }
    }
  }
  return names;
}

/// Returns the Secrets that a volume names. VisitPodSecretNames looks at one source only, the first in this
/// order.
std::vector<std::string> volume_secrets(const Json& volume) {
  const auto has = [&](const char* source) { return !at(volume, source).is_null(); };
  if (has("azureFile")) return {text_at(volume["azureFile"], "secretName")};
  for (const char* source : {"cephfs", "cinder", "flexVolume"})
    if (has(source)) return {text_at(in(volume, {source, "secretRef"}), "name")};
  if (has("projected")) {
    std::vector<std::string> names;
    for (const Json& source : each(in(volume, {"projected", "sources"})))
      names.push_back(text_at(at(source, "secret"), "name"));
    return names;
  }
  if (has("rbd")) return {text_at(in(volume, {"rbd", "secretRef"}), "name")};
  if (has("secret")) return {text_at(volume["secret"], "secretName")};
  for (const char* source : {"scaleIO", "iscsi", "storageos"})
    if (has(source)) return {text_at(in(volume, {source, "secretRef"}), "name")};
  return {text_at(in(volume, {"csi", "nodePublishSecretRef"}), "name")};
}

void check_mirror_pod(const Json& spec) {
  if (!text_at(spec, "serviceAccountName").empty()) forbid("a mirror pod with a service account");
  auto names = env_secrets(spec, {"containers", "initContainers", "ephemeralContainers"});
  for (const Json& secret : each(at(spec, "imagePullSecrets"))) names.push_back(text_at(secret, "name"));
  for (const Json& volume : each(at(spec, "volumes"))) {
    for (const std::string& name : volume_secrets(volume)) names.push_back(name);
    for (const Json& source : each(in(volume, {"projected", "sources"})))
      if (source.contains("serviceAccountToken")) forbid("a mirror pod with a token");
  }
  for (const std::string& name : names)
    if (!name.empty()) forbid("a mirror pod with secrets");
}

void check_secrets(const Json& account, const Json& spec) {
  static const std::set<std::string> yes{"1", "t", "T", "TRUE", "true", "True"};
  const Json& annotations = in(account, {"metadata", "annotations"});
  if (!yes.contains(text_at(annotations, "kubernetes.io/enforce-mountable-secrets"))) return;
  const auto require = [&](const char* list, const std::string& name) {
    for (const Json& element : each(at(account, list))) {
      if (text_at(element, "name") == name) return;
    }
    forbid("a secret that the service account does not name");
  };
  for (const Json& volume : each(at(spec, "volumes"))) {
    if (volume.contains("secret")) require("secrets", text_at(volume["secret"], "secretName"));
  }
  for (const std::string& name : env_secrets(spec, {"initContainers", "containers"}))
    require("secrets", name);
  for (const Json& secret : each(at(spec, "imagePullSecrets")))
    require("imagePullSecrets", text_at(secret, "name"));
}

void service_account(const RequestContext& around, Json& pod) {
  if (around.is_update() || !around.sub_resource.empty()) return;
  Json& spec = pod["spec"];
  if (in(pod, {"metadata", "annotations"}).contains("kubernetes.io/config.mirror"))
    return check_mirror_pod(spec);
  if (text_at(spec, "serviceAccountName").empty())
    spec["serviceAccountName"] = spec["serviceAccount"] = "default";
  const std::string name = text_at(spec, "serviceAccountName");
  const Json account = around.find("ServiceAccount", around.namespace_name, name);
  if (account.is_null() && name != "default") forbid("no such service account");
  const Json &own = at(spec, "automountServiceAccountToken"),
             &its = at(account, "automountServiceAccountToken");
  if (own.is_boolean() ? own.get<bool>() : !its.is_boolean() || its.get<bool>())
    mount_token(pod, around.pass);
  if (!is_given(at(spec, "imagePullSecrets"))) {
    for (const Json& secret : each(at(account, "imagePullSecrets"))) {
      const std::string its_name = text_at(secret, "name");
      spec["imagePullSecrets"].push_back(its_name.empty() ? Json::object() : Json{{"name", its_name}});
    }
  }
  check_secrets(account, spec);
}

// Priority

Json class_of(const RequestContext& around, const std::string& name) {
  if (!name.empty()) return around.find("PriorityClass", "", name);
  Json chosen;
  for (const Json& object : around.objects) {
    if (text_at(object, "kind") != "PriorityClass" || at(object, "globalDefault") != Json(true)) continue;
    if (chosen.is_null() || object.value("value", 0) < chosen.value("value", 0)) chosen = object;
  }
  return chosen;
}

void priority(const RequestContext& around, Json& pod) {
  if (!around.sub_resource.empty()) return;
  Json& spec = pod["spec"];
  if (around.is_update()) {
    for (const char* member : {"priority", "preemptionPolicy"}) {
      const Json& old = in(around.old_object, {"spec", member});
      if (!spec.contains(member) && !old.is_null()) spec[member] = old;
    }
    return;
  }
  const std::string name = text_at(spec, "priorityClassName");
  const Json its_class = class_of(around, name);
  if (its_class.is_null() && !name.empty()) forbid("no such priority class");
  const Json& said = at(its_class, "preemptionPolicy");
  const Json value = is_given(at(its_class, "value")) ? its_class["value"] : Json(0);
  const Json policy = said.is_null() ? Json("PreemptLowerPriority") : said;
  if (spec.contains("priority") && spec["priority"] != value) forbid("another priority");
  if (spec.contains("preemptionPolicy") && spec["preemptionPolicy"] != policy)
    forbid("another preemption policy");
  if (name.empty() && !its_class.is_null()) spec["priorityClassName"] = in(its_class, {"metadata", "name"});
  spec["priority"] = value;
  spec["preemptionPolicy"] = policy;
}

// DefaultTolerationSeconds

void default_toleration_seconds(const RequestContext& around, Json& pod) {
  if (!around.sub_resource.empty()) return;
  const std::vector<Json> before = each(in(pod, {"spec", "tolerations"}));
  for (const std::string which : {"not-ready", "unreachable"}) {
    const std::string key = "node.kubernetes.io/" + which;
    const Json& flag =
        in(around.settings, {"DefaultTolerationSeconds", "default-" + which + "-toleration-seconds"});
    const Json seconds = flag.is_null() ? Json(300) : flag;
    const bool is_tolerated = std::any_of(before.begin(), before.end(), [&](const Json& toleration) {
      const std::string its_key = text_at(toleration, "key"), effect = text_at(toleration, "effect");
      return (its_key.empty() || its_key == key) && (effect.empty() || effect == "NoExecute");
    });
    if (is_tolerated) continue;
    pod["spec"]["tolerations"].push_back(
        {{"key", key}, {"operator", "Exists"}, {"effect", "NoExecute"}, {"tolerationSeconds", seconds}});
  }
}

// RuntimeClass: overhead, node selector, tolerations.

bool is_same_amounts(const Json& a, const Json& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [name, quantity] : a.items()) {
    if (!b.contains(name)) return false;
    if (!(*parse_amount(quantity.get<std::string>()) == *parse_amount(b[name].get<std::string>())))
      return false;
  }
  return true;
}

void runtime_class(const RequestContext& around, Json& pod) {
  Json& spec = pod["spec"];
  if (around.is_update() || !around.sub_resource.empty() || !spec.contains("runtimeClassName")) return;
  const std::string name = text_at(spec, "runtimeClassName");
  if (name.empty()) throw Rejected(500, "", "a client has no path for an object without a name");
  const Json its_class = around.find("RuntimeClass", "", name);
  if (its_class.is_null()) forbid("no such runtime class");
  if (!at(its_class, "overhead").is_null()) {
    const Json fixed = decoded_quantities(in(its_class, {"overhead", "podFixed"}), false);
    if (is_given(at(spec, "overhead")) && !is_same_amounts(spec["overhead"], fixed))
      forbid("another overhead");
    spec.erase("overhead");
    if (!fixed.empty()) spec["overhead"] = fixed;
  }
  const Json& scheduling = at(its_class, "scheduling");
  if (scheduling.is_null()) return;
  for (const auto& [key, value] : at(scheduling, "nodeSelector").items()) {
    const Json& own = in(spec, {"nodeSelector", key});
    if (!own.is_null() && own != value) forbid("another node selector");
    spec["nodeSelector"][key] = value;
  }
  const Json wanted = read_tolerations(at(scheduling, "tolerations"), around.minor);
  const Json merged = merged_tolerations(at(spec, "tolerations"), wanted);
  if (!merged.empty()) spec["tolerations"] = merged;
}

}  // namespace

Json RequestContext::find(std::string_view kind, std::string_view where, std::string_view name) const {
  Json found;
  for (const Json& object : objects) {
    const Json& metadata = at(object, "metadata");
    if (text_at(object, "kind") == kind && text_at(metadata, "namespace") == where &&
        text_at(metadata, "name") == name) {
      found = object;
    }
  }
  if (found.is_null() && where.empty()) found = built_in(kind, name);
  return found;
}

void run_plugins(const RequestContext& around, Json& pod) {
  const std::array<std::pair<const char*, PluginFunction>, 10> all{
      {{"LimitRanger", limit_ranger},
       {"ServiceAccount", service_account},
       {"AlwaysPullImages", always_pull_images},
       {"PodNodeSelector", pod_node_selector},
       {"Priority", priority},
       {"DefaultTolerationSeconds", default_toleration_seconds},
       {"PodTolerationRestriction", pod_toleration_restriction},
       {"ExtendedResourceToleration", extended_resource_toleration},
       {"RuntimeClass", runtime_class},
       {"PodTopologyLabels", pod_topology_labels}}};
  if (!around.is_update()) {
    const Json space = around.find("Namespace", "", around.namespace_name);
    if (text_at(at(space, "status"), "phase") == "Terminating")
      forbid("a namespace that is being terminated");
  }
  for (const auto& [name, admit] : all) {
    if (std::find(around.plugins.begin(), around.plugins.end(), name) != around.plugins.end())
      admit(around, pod);
  }
}

}  // namespace fixpoint::oracle
