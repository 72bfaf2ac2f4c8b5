#include "harness/oracle/oracle_request.h"

namespace fixpoint::oracle {

Json RequestContext::find(std::string_view kind, std::string_view in_namespace, std::string_view name) const {
  Json found;
  for (const Json& object : objects) {
    const Json& metadata = at(object, "metadata");
    if (text_at(object, "kind") == kind && text_at(metadata, "namespace") == in_namespace &&
        text_at(metadata, "name") == name)
      found = object;
  }
  return found;
}

RequestContext read_request_context(const Json& text_of_case) {
  const Json &request = text_of_case["request"], &cluster = at(text_of_case, "cluster");
  RequestContext around;
  around.operation = request.value("operation", "CREATE");
  around.namespace_name = request.value("namespace", "default");
  around.sub_resource = request.value("subResource", "");
  around.dry_run = request.value("dryRun", false);
  around.user = at(request, "userInfo");
  if (around.user.is_null())
    around.user = {{"username", "kubernetes-admin"}, {"groups", {"system:masters", "system:authenticated"}}};
  if (at(cluster, "version").is_string()) around.minor = std::stoi(text_at(cluster, "version").substr(2));
  around.objects = each(at(cluster, "objects"));
  return around;
}

}  // namespace fixpoint::oracle
