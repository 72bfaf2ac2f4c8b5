#include "harness/properties/pod_templates.h"

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/registry/strategies.h"

namespace fixpoint::properties {

std::string template_path(const cases::Kind& kind) {
  std::string path;
  for (const document::Name& step : apiserver::strategy_of(kind).template_steps)
    path.append(path.empty() ? "" : ".").append(step.text);
  return path;
}

Value pod_of_template(const Value& object, const cases::Kind& kind, int minor) {
  const Value& made_of = apiserver::template_in(object, kind);
  std::string base(object["metadata"]["name"].text());
  base.append(base.empty() ? "web-" : "-");
  Value metadata{{"generateName", base}, {"namespace", "default"}};
  for (const char* member : {"labels", "annotations"})
    if (!made_of["metadata"][member].empty()) metadata.set(member, made_of["metadata"][member]);
  const bool has_hash = kind.name == "Deployment" || kind.name == "ReplicaSet";
  if (has_hash) metadata.edit("labels").set("pod-template-hash", "5d4f8c7b9");
  const Value owner{{"apiVersion", kind.name == "Deployment" ? "apps/v1" : kind.api_version()},
                    {"kind", has_hash                 ? "ReplicaSet"
                             : kind.name == "CronJob" ? "Job"
                                                      : kind.name},
                    {"name", has_hash ? base + "5d4f8c7b9" : base.substr(0, base.size() - 1)},
                    {"uid", "00000000-0000-4000-8000-000000000000"},
                    {"controller", true},
                    {"blockOwnerDeletion", true}};
  metadata.set("ownerReferences", Value::list({owner}));
  const Value pod{{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", metadata}, {"spec", made_of["spec"]}};
  auto decoded = apiserver::decode_pod(pod, minor);
  return decoded ? apiserver::default_pod(*decoded, minor) : Value();
}

}  // namespace fixpoint::properties
