#include "harness/conformance/cluster_as_run.h"

#include <algorithm>
#include <array>
#include <optional>

#include "harness/cases/kind.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/diff.h"
#include "harness/document/lower_case.h"
#include "harness/document/patch.h"

namespace fixpoint::conformance {

namespace {

using document::Error;
using document::Result;
using document::Value;

constexpr std::string_view kTokenVolume = "kube-api-access-";
constexpr std::array<std::string_view, 2> kSuffixes{"xxxxx", "yyyyy"};

/// Returns the object with the namespace `to` in the place of `from`.
Value moved(Value object, const std::string& from, const std::string& to) {
  const Value& metadata = object["metadata"];
  if (object["kind"].text() == "Namespace" && metadata["name"].text() == from) {
    object.edit("metadata").set("name", to);
    return object;
  }
  if (metadata["namespace"].text() == from) object.edit("metadata").set("namespace", to);
  if (cases::is_policy_binding(object) && object["spec"]["paramRef"]["namespace"].text() == from)
    object.edit("spec").edit("paramRef").set("namespace", to);
  return object;
}

/// A kind of cluster-wide objects, and the field of a Pod that names one.
struct ClusterWide {
  std::string_view kind, field;
};
constexpr std::array<ClusterWide, 3> kClusterWide{
    {{"PriorityClass", "priorityClassName"}, {"RuntimeClass", "runtimeClassName"}, {"Node", "nodeName"}}};

/// Returns the user as the server sees it when it is impersonated: with the groups that every such user has,
/// and with extra keys in lower case (pkg/endpoints/filters/impersonation in k8s.io/apiserver). Nothing
/// without a name.
std::optional<cases::UserInfo> as_impersonated(cases::UserInfo user) {
  constexpr std::string_view kAuthenticated = "system:authenticated", kAccount = "system:serviceaccount:";
  if (user.username.empty()) return std::nullopt;
  const auto has_group = [&](std::string_view group) {
    return std::find(user.groups.begin(), user.groups.end(), group) != user.groups.end();
  };
  if (user.groups.empty() && user.username.starts_with(kAccount)) {
    const std::string account = user.username.substr(kAccount.size());
    user.groups = {"system:serviceaccounts",
                   "system:serviceaccounts:" + account.substr(0, account.find(':'))};
  }
  if (!has_group(kAuthenticated) && !has_group("system:unauthenticated"))
    user.groups.emplace_back(kAuthenticated);
  std::map<std::string, std::vector<std::string>> extra;
  for (auto& [key, values] : user.extra) extra[document::lower_case(key)] = std::move(values);
  user.extra = std::move(extra);
  return user;
}

/// Puts the prefix before the names of the Case's cluster-wide objects, and before those names in the Pod.
void rename_cluster_wide(cases::Case& value, const std::string& prefix) {
  for (Value& object : value.cluster.objects) {
    for (const auto& [kind, field] : kClusterWide) {
      if (object["kind"].text() != kind) continue;
      const std::string name(object["metadata"]["name"].text()), here = prefix + "-" + name;
      object.edit("metadata").set("name", here);
      for (Value* pod : {&value.request.object, &value.request.old_object})
        if ((*pod)["spec"][field].text() == name) pod->edit("spec").set(std::string(field), here);
    }
  }
}

/// Returns the rules with the scope Namespaced, without those of the scope Cluster.
Value namespaced(const Value& rules) {
  std::vector<Value> kept;
  for (Value rule : rules.elements()) {
    if (rule["scope"].text() == "Cluster") continue;
    rule.set("scope", "Namespaced");
    kept.push_back(std::move(rule));
  }
  return kept;
}

/// Returns the selector for those of its objects that do not have the label.
Value without_label(Value selector, std::string_view label) {
  if (!selector.is_object()) selector = Value::empty_object();
  Value& expressions = selector.edit("matchExpressions");
  if (!expressions.is_array()) expressions = Value::empty_list();
  expressions.push_back({{"key", label}, {"operator", "DoesNotExist"}});
  return selector;
}

/// Gives each webhook the selector with which it is registered: an object without metadata, which a webhook
/// may have made of the Pod, is selected by none that has expressions.
void select_no_probes(cases::Case& value) {
  for (Value& object : value.cluster.objects) {
    if (!cases::is_of_webhooks(object)) continue;
    for (Value& webhook : object.edit("webhooks").edit_elements())
      webhook.set("objectSelector", without_label(webhook["objectSelector"], kProbeLabel));
  }
}

/// Gives the token volumes of a Pod the suffixes of the simulator, in the order in which it names them: each
/// run of the ServiceAccount plugin may make one.
class TokenVolumes {
 public:
  void know(Value& element) {
    const std::string name(element["name"].text());
    if (!name.starts_with(kTokenVolume) || name.size() != kTokenVolume.size() + kSuffixes[0].size()) return;
    auto known = std::find(seen_.begin(), seen_.end(), name);
    if (known == seen_.end()) {
      if (seen_.size() == kSuffixes.size()) return;
      known = seen_.insert(seen_.end(), name);
    }
    const auto place = static_cast<std::size_t>(known - seen_.begin());
    element.set("name", std::string(kTokenVolume).append(kSuffixes[place]));
  }

 private:
  std::vector<std::string> seen_;
};

/// Facts that a Case may state of its namespace and that no client can bring about.
std::optional<Error> beyond_a_client(const cases::Case& value) {
  const Value* space = value.cluster.find("Namespace", "", value.request.namespace_name);
  if (space != nullptr && (*space)["status"]["phase"].text() == "Terminating")
    return Error{"its namespace is being terminated"};
  for (const Value* quota : value.cluster.of_kind("ResourceQuota")) {
    if ((*quota)["metadata"]["namespace"].text() == value.request.namespace_name)
      return Error{"the server itself says how much of a ResourceQuota is used"};
  }
  return std::nullopt;
}

}  // namespace

Result<cases::Case> as_run(cases::Case value, const std::string& namespace_name, const std::string& version,
                           bool dry_run) {
  cases::Request& request = value.request;
  if (request.is_update() && !request.old_object["metadata"]["deletionTimestamp"].is_null())
    return Error{"a Pod that is being deleted cannot be made there"};
  if (auto problem = beyond_a_client(value)) return *std::move(problem);
  const std::string from = request.namespace_name;
  request.namespace_name = namespace_name;
  request.dry_run = dry_run;
  request.managed_fields = true;
  if (request.user_info) request.user_info = as_impersonated(*std::move(request.user_info));
  const auto kind = cases::find_kind(request, value.cluster);
  if (!kind) return Error{"nothing defines the kind of its object"};
  if (!kind->is_namespaced) return Error{"a cluster-wide object would be seen by the whole cluster"};
  const std::string api_version = kind->api_version(), name(kind->name);
  for (Value* object : {&request.object, &request.old_object}) {
    if (object == &request.old_object && !request.is_update()) continue;
    if (!object->is_object()) return Error{"the request has no object"};
    *object = moved(std::move(*object), from, namespace_name);
    if (request.is_scale() && object == &request.object) continue;
    object->set("apiVersion", api_version);
    object->set("kind", name);
  }
  value.cluster.version = version;
  value.cluster.admission_plugins.assign(cases::kAdmissionPlugins.begin(), cases::kAdmissionPlugins.end());
  value.cluster.plugin_settings.clear();
  for (Value& object : value.cluster.objects) object = moved(std::move(object), from, namespace_name);
  rename_cluster_wide(value, namespace_name);
  select_no_probes(value);
  return value;
}

namespace {

/// Removes what the server makes of the uid of a Job, and refuses of another.
void forget_generated_selector(Value& job) {
  if (job["spec"]["manualSelector"].is_true()) return;
  if (job["spec"]["selector"].is_object()) job.edit("spec").remove("selector");
  const auto forget = [](Value& metadata) {
    for (const char* label :
         {"controller-uid", "batch.kubernetes.io/controller-uid", "job-name", "batch.kubernetes.io/job-name"})
      if (metadata["labels"].find(label) != nullptr) metadata.edit("labels").remove(label);
  };
  forget(job.edit("metadata"));
  if (job["spec"]["template"]["metadata"].is_object())
    forget(job.edit("spec").edit("template").edit("metadata"));
}

}  // namespace

Value to_store(Value pod) {
  if (cases::group_kind_of(pod) == cases::GroupKind("Job.batch")) forget_generated_selector(pod);
  for (const char* own :
       {"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "generateName"}) {
    if (pod["metadata"].find(own) != nullptr) pod.edit("metadata").remove(own);
  }
  return pod;
}

std::optional<Error> put_stored(cases::Case& value, const Value& stored) {
  cases::Request& request = value.request;
  if (request.is_scale()) {
    request.old_object = stored;
    request.object.edit("metadata").set("namespace", stored["metadata"]["namespace"]);
    return std::nullopt;
  }
  const document::Patched changed =
      document::apply_patch(stored, document::diff(request.old_object, request.object));
  if (!changed.ok())
    return Error{"the update does not fit the Pod as it was stored: " + changed.problem->message};
  request.old_object = stored;
  request.object = changed.document;
  for (const char* kept : {"uid", "resourceVersion"}) {
    if (request.object["metadata"].is_object())
      request.object.edit("metadata").set(kept, stored["metadata"][kept]);
  }
  return std::nullopt;
}

const Value* cluster_wide_object(const cases::Case& value) {
  for (const Value& object : value.cluster.objects) {
    const auto is_of_kind = [&](const ClusterWide& one) { return object["kind"].text() == one.kind; };
    if (std::any_of(kClusterWide.begin(), kClusterWide.end(), is_of_kind)) return &object;
  }
  return nullptr;
}

Value narrowed(Value configuration, const std::string& namespace_name, std::string_view probe_label) {
  for (Value& webhook : configuration.edit("webhooks").edit_elements()) {
    Value selector = webhook["namespaceSelector"];
    if (!selector.is_object()) selector = Value::empty_object();
    Value& expressions = selector.edit("matchExpressions");
    if (!expressions.is_array()) expressions = Value::empty_list();
    expressions.push_back({{"key", "kubernetes.io/metadata.name"},
                           {"operator", "In"},
                           {"values", Value::list({namespace_name.c_str()})}});
    webhook.set("namespaceSelector", selector);
    if (!probe_label.empty())
      webhook.set("objectSelector", without_label(webhook["objectSelector"], probe_label));
    webhook.set("rules", namespaced(webhook["rules"]));
  }
  return configuration;
}

Value without_fleeting(Value object, bool has_template) {
  for (const char* own : {"uid", "resourceVersion", "creationTimestamp", "managedFields"}) {
    if (object["metadata"].find(own) != nullptr) object.edit("metadata").remove(own);
  }
  if (has_template) return object;
  if (object["metadata"].find("generation") != nullptr) object.edit("metadata").remove("generation");
  if (object.find("status") != nullptr) object.remove("status");
  if (!object["spec"].is_object()) return object;
  Value& spec = object.edit("spec");
  TokenVolumes tokens;
  if (!spec["volumes"].empty()) {
    for (Value& volume : spec.edit("volumes").edit_elements()) tokens.know(volume);
  }
  for (const char* list : {"containers", "initContainers"}) {
    if (spec[list].empty()) continue;
    for (Value& container : spec.edit(list).edit_elements()) {
      if (container["volumeMounts"].empty()) continue;
      for (Value& mount : container.edit("volumeMounts").edit_elements()) tokens.know(mount);
    }
  }
  return object;
}

}  // namespace fixpoint::conformance
