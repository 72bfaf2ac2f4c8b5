#include "harness/cases/case.h"

#include <algorithm>

#include "harness/cases/admission_plugins.h"
#include "harness/document/fields.h"
#include "harness/document/json.h"

namespace fixpoint::cases {

namespace {

using document::Member;

Value write_request(const Request& request) {
  std::vector<Member> out{{"operation", request.operation}, {"namespace", request.namespace_name}};
  if (!request.sub_resource.empty()) out.push_back({"subResource", request.sub_resource});
  if (request.dry_run) out.push_back({"dryRun", true});
  if (request.user_info) out.push_back({"userInfo", write_user(*request.user_info)});
  if (!request.managed_fields) out.push_back({"managedFields", false});
  out.push_back({"object", sorted(request.object)});
  if (!request.old_object.is_null()) out.push_back({"oldObject", sorted(request.old_object)});
  return out;
}

Value write_cluster(const Cluster& cluster) {
  std::vector<Value> objects;
  for (const Value& object : cluster.objects) objects.push_back(sorted(object));
  std::vector<Member> out{{"version", cluster.version}};
  if (!cluster.feature_gates.empty())
    out.push_back({"featureGates", document::list_of(cluster.feature_gates)});
  if (!cluster.policy_order.empty()) out.push_back({"policyOrder", document::list_of(cluster.policy_order)});
  out.push_back({"admissionPlugins", write_admission_plugins(cluster)});
  out.push_back({"objects", std::move(objects)});
  return out;
}

Value write_backend(const Backend& backend) {
  if (const auto* injector = std::get_if<InjectorName>(&backend)) return {{"injector", injector->name}};
  if (const auto* script = std::get_if<Script>(&backend)) return {{"script", sorted(script->source)}};
  if (const auto* command = std::get_if<Command>(&backend))
    return {{"exec", document::list_of(command->argv)}};
  const auto& url = std::get<Url>(backend);
  std::vector<Member> out{{"url", url.url}};
  if (!url.ca_bundle.empty()) out.push_back({"caBundle", url.ca_bundle});
  return out;
}

Value write_fault(const Fault& fault) {
  std::vector<Member> out{{"webhook", fault.webhook}};
  if (fault.call) out.push_back({"call", *fault.call});
  out.push_back({"fault", fault.fault});
  return out;
}

}  // namespace

Value write_user(const UserInfo& user) {
  std::vector<Member> out;
  if (!user.username.empty()) out.push_back({"username", user.username});
  if (!user.uid.empty()) out.push_back({"uid", user.uid});
  if (!user.groups.empty()) out.push_back({"groups", document::list_of(user.groups)});
  if (!user.extra.empty()) {
    std::vector<Member> extra;
    for (const auto& [key, values] : user.extra) extra.push_back({key, document::list_of(values)});
    out.push_back({"extra", std::move(extra)});
  }
  return out;
}

Value write_case(const Case& value) {
  std::vector<Member> out{{"apiVersion", kApiVersion}, {"kind", "Case"}};
  if (!value.name.empty()) out.push_back({"name", value.name});
  if (!value.note.empty()) out.push_back({"note", value.note});
  out.push_back({"request", write_request(value.request)});
  out.push_back({"cluster", write_cluster(value.cluster)});
  std::vector<Member> webhooks;
  for (const auto& [name, backend] : value.webhooks) webhooks.push_back({name, write_backend(backend)});
  out.push_back({"webhooks", std::move(webhooks)});
  if (!value.faults.empty()) {
    std::vector<Value> faults;
    for (const Fault& fault : value.faults) faults.push_back(write_fault(fault));
    out.push_back({"faults", std::move(faults)});
  }
  if (value.neighbours) out.push_back({"neighbours", document::list_of(*value.neighbours)});
  return out;
}

std::string canonical_text(const Case& value) { return write_json_pretty(write_case(value)); }

}  // namespace fixpoint::cases
