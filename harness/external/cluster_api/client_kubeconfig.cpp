#include "harness/external/cluster_api/client_kubeconfig.h"

#include "harness/document/base64.h"
#include "harness/document/value.h"
#include "harness/document/yaml.h"

namespace fixpoint::external {

using document::Value;

std::string kubeconfig_text(const KubeconfigParts& parts) {
  constexpr const char* kName = "fixpoint";
  const Value cluster{{"server", parts.server},
                      {"certificate-authority-data", document::encode_base64(parts.ca_pem)}};
  const Value context{{"cluster", kName}, {"user", kName}, {"namespace", "default"}};
  return document::write_yaml(
      Value{{"apiVersion", "v1"},
            {"kind", "Config"},
            {"clusters", Value::list({Value{{"name", kName}, {"cluster", cluster}}})},
            {"users", Value::list({Value{{"name", kName}, {"user", {{"token", parts.token}}}}})},
            {"contexts", Value::list({Value{{"name", kName}, {"context", context}}})},
            {"current-context", kName}});
}

}  // namespace fixpoint::external
