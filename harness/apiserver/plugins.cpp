#include "harness/apiserver/plugins.h"

#include <algorithm>
#include <array>
#include <string>

#include "harness/apiserver/types/decode.h"
#include "harness/apiserver/types/quantity.h"
#include "harness/apiserver/types/scheduling_types.h"
#include "harness/document/rules.h"

namespace fixpoint::apiserver {

namespace {

using cases::Cluster;
using cases::Request;
using cases::Status;
using document::Member;
using document::Name;
using document::Value;
using Refusal = std::optional<Status>;

constexpr std::string_view kMirror = "kubernetes.io/config.mirror";
constexpr std::string_view kTokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";
constexpr std::string_view kTokenVolume = "kube-api-access-";

Refusal forbid(const Value& pod, const std::string& why, document::Line line = document::Line::here()) {
  if (!document::holds({.part = "plugins", .file = line.file, .line = line.number})) return std::nullopt;
  std::string message = "pods \"";
  message.append(pod["metadata"]["name"].text()).append("\" is forbidden: ").append(why);
  return Status{.code = 403, .reason = "Forbidden", .message = std::move(message)};
}

bool is_create(const Request& request) { return !request.is_update(); }

// --- LimitRanger
// -----------------------------------------------------------------------------------------------

/// What defaulting does to the quantities of an object in the cluster.
enum class Amounts { kept, rounded_up_to_milli };

/// A quantity as the server writes it after decoding; what it cannot read stays, no cluster stores such an
/// object.
Value canonical(const Value& sent, Amounts amounts) {
  constexpr std::int32_t kMilli = -3;
  if (amounts == Amounts::rounded_up_to_milli) {
    if (auto quantity = Quantity::parse(sent.text()); quantity && quantity->round_up(kMilli))
      return quantity->canonical();
  }
  std::string buffer;
  const auto text = canonical_quantity(sent.text(), buffer);
  return text ? Value(*text) : sent;
}

void add_missing(Value& into, const Value& from, Amounts amounts) {
  for (const Member& member : from.members()) {
    if (into.find(member.key.name()) == nullptr)
      into.set(member.key.name(), canonical(member.value, amounts));
  }
}

/// The defaults a LimitRange gives to containers: `default` to limits, `defaultRequest` to requests, each
/// filled up first as the server does when it reads the LimitRange, and then rounded
/// (SetDefaults_LimitRangeItem and SetDefaults_ResourceList in pkg/apis/core/v1/defaults.go).
void collect_defaults(const Value& limit_range, Value& limits, Value& requests) {
  for (const Value& item : limit_range["spec"]["limits"].elements()) {
    if (item["type"].text() != "Container") continue;
    Value item_limits = Value::empty_object(), item_requests = Value::empty_object();
    add_missing(item_limits, item["default"], Amounts::rounded_up_to_milli);
    add_missing(item_limits, item["max"], Amounts::rounded_up_to_milli);
    add_missing(item_requests, item["defaultRequest"], Amounts::rounded_up_to_milli);
    add_missing(item_requests, item_limits, Amounts::rounded_up_to_milli);
    add_missing(item_requests, item["min"], Amounts::rounded_up_to_milli);
    for (const Member& member : item_limits.members()) limits.set(member.key.name(), member.value);
    for (const Member& member : item_requests.members()) requests.set(member.key.name(), member.value);
  }
}

/// Adds what is missing to one list of a container's resources, and says what in the plugin's words.
void merge(const Value& defaults, Value& container, const char* list, const char* word,
           const std::string& who, std::vector<std::string>& said) {
  std::vector<std::string> added;
  const Value present = container["resources"][list];
  for (const Member& member : defaults.members()) {
    if (present.find(member.key.name()) != nullptr) continue;
    container.edit("resources").edit(list).set(member.key.name(), member.value);
    added.emplace_back(member.key.text());
  }
  if (added.empty()) return;
  std::sort(added.begin(), added.end());
  std::string text;
  for (const std::string& name : added) text.append(text.empty() ? "" : ", ").append(name);
  said.push_back(text.append(" ").append(word).append(" for ").append(who));
}

void apply_limit_range(const Value& limit_range, Value& pod) {
  Value limits = Value::empty_object(), requests = Value::empty_object();
  collect_defaults(limit_range, limits, requests);
  std::vector<std::string> said;
  for (const auto& [list, word] :
       {std::pair{"containers", "container "}, {"initContainers", "init container "}}) {
    for (std::size_t i = 0; i < pod["spec"][list].size(); ++i) {
      Value container = pod["spec"][list].at(i);
      const Value before = container;
      const std::string who = word + std::string(container["name"].text());
      merge(requests, container, "requests", "request", who, said);
      merge(limits, container, "limits", "limit", who, said);
      if (!container.same(before)) pod.edit("spec").edit(list).edit(i) = container;
    }
  }
  if (said.empty()) return;
  std::string text = "LimitRanger plugin set: ";
  for (const std::string& part : said) text.append(&part == &said.front() ? "" : "; ").append(part);
  pod.edit("metadata").edit("annotations").set("kubernetes.io/limit-ranger", text);
}

Refusal limit_ranger(const Request& request, const Cluster& cluster, Value& pod) {
  if (request.is_update() && request.sub_resource != "resize") return std::nullopt;
  if (!request.old_object["metadata"]["deletionTimestamp"].is_null()) return std::nullopt;
  for (const Value* range : cluster.of_kind("LimitRange")) {
    if ((*range)["metadata"]["namespace"].text() == request.namespace_name) apply_limit_range(*range, pod);
  }
  return std::nullopt;
}

// --- ServiceAccount
// --------------------------------------------------------------------------------------------

bool automounts(const Value& account, const Value& pod) {
  const Value& own = pod["spec"]["automountServiceAccountToken"];
  if (own.is_boolean()) return own.is_true();
  const Value& of_account = account["automountServiceAccountToken"];
  return !of_account.is_boolean() || of_account.is_true();
}

/// Mounts the token where nothing is mounted at its path; whether it mounted any.
bool mount_token(Value& pod, const Name& list, const Value& mount) {
  bool mounted = false;
  for (std::size_t i = 0; i < pod["spec"][list].size(); ++i) {
    const auto mounts = pod["spec"][list].at(i)["volumeMounts"].elements();
    const bool taken = std::any_of(mounts.begin(), mounts.end(), [](const Value& other) {
      return other["mountPath"].text() == kTokenPath;
    });
    if (taken) continue;
    pod.edit("spec").edit(list).edit(i).edit("volumeMounts").push_back(mount);
    mounted = true;
  }
  return mounted;
}

const Value& token_source() {
  thread_local const Value source{
      {"sources",
       Value::list(
           {Value{{"serviceAccountToken", {{"expirationSeconds", 3607}, {"path", "token"}}}},
            Value{{"configMap",
                   {{"name", "kube-root-ca.crt"},
                    {"items", Value::list({Value{{"key", "ca.crt"}, {"path", "ca.crt"}}})}}}},
            Value{{"downwardAPI",
                   {{"items",
                     Value::list({Value{
                         {"path", "namespace"},
                         {"fieldRef", {{"apiVersion", "v1"}, {"fieldPath", "metadata.namespace"}}}}})}}}}})},
      {"defaultMode", 420}};
  return source;
}

void mount_service_account(Value& pod) {
  static constexpr std::string_view kName = "kube-api-access-xxxxx";
  std::string_view name = kName;
  bool has_volume = false;
  for (const Value& volume : pod["spec"]["volumes"].elements()) {
    if (!volume["name"].text().starts_with(kTokenVolume)) continue;
    name = volume["name"].text();
    has_volume = true;
    break;
  }
  const auto mount_of = [](std::string_view of) {
    return Value{{"name", of}, {"readOnly", true}, {"mountPath", kTokenPath}};
  };
  // Nearly every Pod gets these two: kept, with what is known of them.
  thread_local const Value usual = mount_of(kName);
  thread_local const Value volume_of_token{{"name", kName}, {"projected", token_source()}};
  const Value mount = name == kName ? usual : mount_of(name);
  const bool in_init = mount_token(pod, "initContainers", mount);
  const bool in_regular = mount_token(pod, "containers", mount);
  if (has_volume || !(in_init || in_regular)) return;
  pod.edit("spec").edit("volumes").push_back(volume_of_token);
}

bool names_a_secret(const Value& container) {
  for (const Value& env : container["env"].elements()) {
    if (!env["valueFrom"]["secretKeyRef"]["name"].text().empty()) return true;
  }
  for (const Value& from : container["envFrom"].elements()) {
    if (!from["secretRef"]["name"].text().empty()) return true;
  }
  return false;
}

/// Where a volume's source names a Secret. Of two sources the first one here counts, and an empty name is
/// none (VisitPodSecretNames in pkg/api/pod/util.go).
bool volume_names_a_secret(const Value& volume) {
  struct Row {
    Name source;
    Name member;
  };
  static constexpr Row kRows[] = {
      {"azureFile", "secretName"}, {"cephfs", "secretRef"},        {"cinder", "secretRef"},
      {"flexVolume", "secretRef"}, {"projected", "sources"},       {"rbd", "secretRef"},
      {"secret", "secretName"},    {"scaleIO", "secretRef"},       {"iscsi", "secretRef"},
      {"storageos", "secretRef"},  {"csi", "nodePublishSecretRef"}};
  for (const Row& row : kRows) {
    const Value& source = volume[row.source];
    if (source.is_null()) continue;
    const Value& member = source[row.member];
    if (!member.is_array()) return !(member.is_object() ? member["name"] : member).text().empty();
    const auto sources = member.elements();
    return std::any_of(sources.begin(), sources.end(),
                       [](const Value& one) { return !one["secret"]["name"].text().empty(); });
  }
  return false;
}

Refusal check_mirror_pod(const Value& pod) {
  const Value& spec = pod["spec"];
  if (!spec["serviceAccountName"].text().empty())
    return forbid(pod, "a mirror pod may not reference service accounts");
  bool secrets = false;
  for (const Value& reference : spec["imagePullSecrets"].elements())
    secrets = secrets || !reference["name"].text().empty();
  for (const char* list : {"containers", "initContainers", "ephemeralContainers"}) {
    for (const Value& container : spec[list].elements()) secrets = secrets || names_a_secret(container);
  }
  bool tokens = false;
  for (const Value& volume : spec["volumes"].elements()) {
    secrets = secrets || volume_names_a_secret(volume);
    for (const Value& source : volume["projected"]["sources"].elements()) {
      tokens = tokens || !source["serviceAccountToken"].is_null();
    }
  }
  if (secrets) return forbid(pod, "a mirror pod may not reference secrets");
  if (tokens) return forbid(pod, "a mirror pod may not use ServiceAccountToken volume projections");
  return std::nullopt;
}

/// What the annotation `kubernetes.io/enforce-mountable-secrets` of a ServiceAccount forbids.
Refusal check_secrets(const Value& account, const Value& pod) {
  static constexpr std::array<std::string_view, 6> kTrue{"1", "t", "T", "TRUE", "true", "True"};
  const auto enforced = account["metadata"]["annotations"]["kubernetes.io/enforce-mountable-secrets"].text();
  if (std::find(kTrue.begin(), kTrue.end(), enforced) == kTrue.end()) return std::nullopt;
  const auto lists = [&](const char* list, const Value& name) {
    const auto elements = account[list].elements();
    return std::any_of(elements.begin(), elements.end(),
                       [&](const Value& element) { return element["name"].text() == name.text(); });
  };
  bool allowed = true;
  for (const Value& volume : pod["spec"]["volumes"].elements()) {
    if (!volume["secret"].is_null()) allowed = allowed && lists("secrets", volume["secret"]["secretName"]);
  }
  for (const char* list : {"initContainers", "containers"}) {
    for (const Value& container : pod["spec"][list].elements()) {
      for (const Value& env : container["env"].elements()) {
        const Value& key = env["valueFrom"]["secretKeyRef"];
        if (!key.is_null()) allowed = allowed && lists("secrets", key["name"]);
      }
      for (const Value& from : container["envFrom"].elements()) {
        if (!from["secretRef"].is_null()) allowed = allowed && lists("secrets", from["secretRef"]["name"]);
      }
    }
  }
  for (const Value& secret : pod["spec"]["imagePullSecrets"].elements()) {
    allowed = allowed && lists("imagePullSecrets", secret["name"]);
  }
  if (allowed) return std::nullopt;
  return forbid(pod, "the service account does not reference a secret that the pod names");
}

Refusal service_account(const Request& request, const Cluster& cluster, Value& pod) {
  if (!is_create(request) || !request.sub_resource.empty()) return std::nullopt;
  if (pod["metadata"]["annotations"].find(kMirror) != nullptr) return check_mirror_pod(pod);
  if (pod["spec"]["serviceAccountName"].text().empty()) {
    pod.edit("spec").set("serviceAccountName", "default");
    pod.edit("spec").set("serviceAccount", "default");
  }
  const std::string name(pod["spec"]["serviceAccountName"].text());
  const Value* found = cluster.find("ServiceAccount", request.namespace_name, name);
  if (found == nullptr && name != "default") {
    return forbid(pod, "error looking up service account " + request.namespace_name + "/" + name +
                           ": serviceaccount \"" + name + "\" not found");
  }
  const Value account = found == nullptr ? Value::empty_object() : *found;
  if (automounts(account, pod)) mount_service_account(pod);
  if (pod["spec"]["imagePullSecrets"].empty()) {
    for (const Value& secret : account["imagePullSecrets"].elements()) {
      Value reference = Value::empty_object();
      if (!secret["name"].text().empty()) reference.set("name", secret["name"]);
      pod.edit("spec").edit("imagePullSecrets").push_back(std::move(reference));
    }
  }
  return check_secrets(account, pod);
}

// --- Priority
// --------------------------------------------------------------------------------------------------

/// The class that counts: the one named, or the global default with the lowest value, or nothing.
Value priority_class(const Cluster& cluster, std::string_view name) {
  Value chosen;
  for (const Value* one : cluster.of_kind("PriorityClass")) {
    const Value& object = *one;
    if (!name.empty()) {
      if (object["metadata"]["name"].text() == name) chosen = object;
    } else if (object["globalDefault"].is_true() &&
               (chosen.is_null() ||
                chosen["value"].integer().value_or(0) > object["value"].integer().value_or(0))) {
      chosen = object;
    }
  }
  return chosen;
}

Refusal restore_priority(const Request& request, Value& pod) {
  for (const char* field : {"priority", "preemptionPolicy"}) {
    const Value& old = request.old_object["spec"][field];
    if (pod["spec"][field].is_null() && !old.is_null()) pod.edit("spec").set(field, old);
  }
  return std::nullopt;
}

Refusal priority(const Request& request, const Cluster& cluster, Value& pod) {
  if (!request.sub_resource.empty()) return std::nullopt;
  if (request.is_update()) return restore_priority(request, pod);
  const std::string name(pod["spec"]["priorityClassName"].text());
  const Value found = priority_class(cluster, name);
  if (found.is_null() && !name.empty())
    return forbid(pod, "no PriorityClass with name " + name + " was found");
  const std::int64_t value = found["value"].integer().value_or(0);
  Value policy = found["preemptionPolicy"];
  if (policy.is_null()) policy = "PreemptLowerPriority";
  const Value& own = pod["spec"]["priority"];
  if (!own.is_null() && own.integer() != value) {
    return forbid(pod, "the integer value of priority must not be provided in pod spec");
  }
  const Value& own_policy = pod["spec"]["preemptionPolicy"];
  if (!own_policy.is_null() && own_policy.text() != policy.text()) {
    return forbid(pod, "the string value of PreemptionPolicy must not be provided in pod spec");
  }
  if (name.empty() && !found.is_null()) pod.edit("spec").set("priorityClassName", found["metadata"]["name"]);
  if (own.is_null()) pod.edit("spec").set("priority", value);
  if (pod["spec"]["preemptionPolicy"].is_null()) pod.edit("spec").set("preemptionPolicy", policy);
  return std::nullopt;
}

// --- DefaultTolerationSeconds
// ----------------------------------------------------------------------------------

Refusal default_toleration_seconds(const Request& request, const Cluster&, Value& pod) {
  if (!request.sub_resource.empty()) return std::nullopt;
  const Value before = pod["spec"]["tolerations"];
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    const auto all = before.elements();
    const bool tolerated = std::any_of(all.begin(), all.end(), [&](const Value& toleration) {
      const auto own = toleration["key"].text(), effect = toleration["effect"].text();
      return (own == key || own.empty()) && (effect == "NoExecute" || effect.empty());
    });
    if (tolerated) continue;
    pod.edit("spec")
        .edit("tolerations")
        .push_back(
            {{"key", key}, {"operator", "Exists"}, {"effect", "NoExecute"}, {"tolerationSeconds", 300}});
  }
  return std::nullopt;
}

// --- RuntimeClass
// ----------------------------------------------------------------------------------------------

/// Whether `wide` tolerates all that `narrow` does (upstream's isSuperset).
bool covers(const Value& wide, const Value& narrow) {
  if (wide == narrow) return true;
  if (narrow["key"].text() != wide["key"].text() &&
      (!wide["key"].text().empty() || wide["operator"].text() != "Exists")) {
    return false;
  }
  const auto effect = wide["effect"].text();
  if (narrow["effect"].text() != effect && !effect.empty()) return false;
  if (const auto seconds = wide["tolerationSeconds"].integer(); effect == "NoExecute" && seconds) {
    const auto narrow_seconds = narrow["tolerationSeconds"].integer();
    if (!narrow_seconds || *narrow_seconds > *seconds) return false;
  }
  const auto op = wide["operator"].text();
  if (op == "Exists") return true;
  return (op.empty() || op == "Equal") && narrow["operator"].text() == "Equal" &&
         narrow["value"].text() == wide["value"].text();
}

Value merge_tolerations(const Value& first, const Value& second) {
  std::vector<Value> all(first.elements().begin(), first.elements().end()), merged;
  all.insert(all.end(), second.elements().begin(), second.elements().end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto covered = [&](const Value& other) { return covers(other, all[i]); };
    const auto rest = all.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    const bool redundant = std::any_of(merged.begin(), merged.end(), covered) ||
                           std::any_of(rest, all.end(), [&](const Value& other) {
                             return !(other == all[i]) && covered(other);
                           });
    if (!redundant) merged.push_back(all[i]);
  }
  return merged;
}

/// The tolerations of a RuntimeClass as the server has them after decoding: without what is empty.
Value decoded_tolerations(const Value& sent) {
  std::vector<Value> decoded;
  for (const Value& toleration : sent.elements()) {
    const auto read = decode_as(kToleration, toleration, kNewestMinor);
    decoded.push_back(read ? *read : toleration);
  }
  return Value(std::move(decoded));
}

bool same_quantities(const Value& a, const Value& b) {
  if (a.size() != b.size()) return false;
  for (const Member& member : a.members()) {
    const Value* other = b.find(member.key.name());
    if (other == nullptr) return false;
    const auto left = Quantity::parse(member.value.text()), right = Quantity::parse(other->text());
    if (!left || !right || !(*left == *right)) return false;
  }
  return true;
}

Refusal runtime_class(const Request& request, const Cluster& cluster, Value& pod) {
  if (!is_create(request) || !request.sub_resource.empty()) return std::nullopt;
  if (pod["spec"]["runtimeClassName"].is_null()) return std::nullopt;
  const std::string name(pod["spec"]["runtimeClassName"].text());
  const Value* found = cluster.find("RuntimeClass", "", name);
  if (found == nullptr) return forbid(pod, "pod rejected: RuntimeClass \"" + name + "\" not found");
  if (const Value& overhead = (*found)["overhead"]; !overhead.is_null()) {
    Value fixed = Value::empty_object();
    add_missing(fixed, overhead["podFixed"], Amounts::kept);
    const Value& own = pod["spec"]["overhead"];
    if (!own.empty() && !same_quantities(own, fixed)) {
      return forbid(pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    }
    if (fixed.empty()) {
      pod.edit("spec").remove("overhead");
    } else {
      pod.edit("spec").set("overhead", std::move(fixed));
    }
  }
  const Value& scheduling = (*found)["scheduling"];
  if (scheduling.is_null()) return std::nullopt;
  for (const Member& member : scheduling["nodeSelector"].members()) {
    const Value* own = pod["spec"]["nodeSelector"].find(member.key.name());
    if (own != nullptr && own->text() != member.value.text()) {
      return forbid(pod, "conflict: runtimeClass.scheduling.nodeSelector");
    }
    pod.edit("spec").edit("nodeSelector").set(member.key.name(), member.value);
  }
  Value merged =
      merge_tolerations(pod["spec"]["tolerations"], decoded_tolerations(scheduling["tolerations"]));
  if (!(merged == pod["spec"]["tolerations"]) && !(merged.empty() && pod["spec"]["tolerations"].empty())) {
    pod.edit("spec").set("tolerations", std::move(merged));
  }
  return std::nullopt;
}

struct Plugin {
  std::string_view name;
  Refusal (*admit)(const Request&, const Cluster&, Value&);
};

/// In the server's own order (cases::kAdmissionPlugins).
constexpr std::array<Plugin, 5> kPlugins{{{"LimitRanger", limit_ranger},
                                          {"ServiceAccount", service_account},
                                          {"Priority", priority},
                                          {"DefaultTolerationSeconds", default_toleration_seconds},
                                          {"RuntimeClass", runtime_class}}};

}  // namespace

std::optional<Status> run_plugins(const Request& request, const Cluster& cluster, Value& pod) {
  for (const Plugin& plugin : kPlugins) {
    if (!cluster.has_plugin(plugin.name)) continue;
    if (!document::holds({.part = "plugins", .name = plugin.name})) continue;
    if (auto refusal = plugin.admit(request, cluster, pod)) return refusal;
  }
  return std::nullopt;
}

}  // namespace fixpoint::apiserver
