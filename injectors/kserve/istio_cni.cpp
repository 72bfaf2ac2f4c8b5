#include "harness/document/json.h"
#include "injectors/kserve/branches.h"
#include "injectors/kserve/go_json.h"
#include "injectors/kserve/pod_edit.h"
#include "injectors/kserve/step_input.h"

namespace fixpoint::injectors::kserve {

namespace {

constexpr document::Name kUid = "serving.kserve.io/storage-initializer-uid";
constexpr document::Name kMode = "sidecar.istio.io/interceptionMode";
constexpr document::Name kStatus = "sidecar.istio.io/status";
constexpr int kIstioUid = 1337;

std::optional<std::size_t> last_storage_initializer(const Value& pod) {
  const auto containers = pod["spec"]["initContainers"].elements();
  std::optional<std::size_t> last;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    if (containers[i]["name"].text() == kStorageInitializer) last = i;
  }
  return last;
}

void run_as(Value& pod, std::size_t at, const Value& uid) {
  if (pod["spec"]["initContainers"].at(at)["securityContext"]["runAsUser"] == uid) return;
  init_container_at(pod, at).edit("securityContext").set("runAsUser", uid);
}

/// Reads the sidecar's name from Istio's status; empty if the status names none. Upstream does not check its
/// type assertions.
Problem read_sidecar(const Value& pod, std::string& name) {
  const Value* text = annotation(pod, kStatus);
  if (text == nullptr) return std::nullopt;
  const auto status = document::read_json(text->text(), {}, document::Strictness::foreign);
  if (!status) return (reach("istio/bad-status"), refuse("bad JSON in " + std::string(kStatus.text)));
  const Value& containers = (*status)["containers"];
  const bool is_list = containers.is_array() && !containers.empty();
  if (!status->is_object() || (is_list && !containers.at(0).is_string())) {
    reach("istio/odd-status");
    return crash("interface conversion of an odd status");
  }
  if (!is_list) return std::nullopt;
  name = containers.at(0).text();
  return std::nullopt;
}

}  // namespace

/// Gives the storage initializer the sidecar's user, so that Istio's CNI plugin lets its traffic pass
/// (docs/kserve.md#2-3-1).
Problem set_istio_context(Value& pod, const StepInput&) {
  const auto initializer = last_storage_initializer(pod);
  if (!initializer) return (reach("istio/without-initializer"), std::nullopt);
  if (const Value* uid = annotation(pod, kUid)) {
    const auto number = parse_integer(uid->text());
    number ? reach("istio/uid") : reach("istio/odd-uid");
    if (number) run_as(pod, *initializer, *number);
    return std::nullopt;
  }
  if (find_container(pod, "initContainers", "istio-init")) return (reach("istio/init"), std::nullopt);
  if (annotation_or(pod, kMode) != "REDIRECT") return (reach("istio/not-redirected"), std::nullopt);
  std::string name;
  if (Problem problem = read_sidecar(pod, name)) return problem;
  const auto sidecar = name.empty() ? std::nullopt : find_container(pod, name);
  if (!sidecar) return (reach("istio/without-sidecar"), std::nullopt);
  const Value uid = pod["spec"]["containers"].at(*sidecar)["securityContext"]["runAsUser"];
  uid.is_null() ? reach("istio/default-user") : reach("istio/sidecars-user");
  run_as(pod, *initializer, uid.is_null() ? Value(kIstioUid) : uid);
  return std::nullopt;
}

}  // namespace fixpoint::injectors::kserve
