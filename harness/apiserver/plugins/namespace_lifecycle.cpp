#include <string>

#include "harness/apiserver/plugins/plugin.h"
#include "harness/cases/kind.h"

namespace fixpoint::apiserver::plugins {

/// apiserver/admission/plugin/namespace/lifecycle: nothing is created in a namespace that is being deleted. A
/// missing Namespace is implied.
Refusal namespace_lifecycle(const cases::Request& request, const cases::Cluster& cluster,
                            document::Value& object) {
  if (request.is_update()) return std::nullopt;
  const cases::Kind kind = cases::kind_of(request, cluster);
  if (!kind.is_namespaced) return std::nullopt;
  const document::Value* found = cluster.find("Namespace", "", request.namespace_name);
  if (found == nullptr || (*found)["status"]["phase"].text() != "Terminating") return std::nullopt;
  return forbid(request, object,
                "unable to create new content in namespace " + request.namespace_name +
                    " because it is being terminated",
                kind.resource());
}

}  // namespace fixpoint::apiserver::plugins
