#include "harness/apiserver/registry/strategies.h"

#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/types/pod_types.h"

namespace fixpoint::apiserver {

const Strategy& strategy_of(const cases::Kind& kind) {
  if (kind.is_pod()) return kPodStrategy;
  if (kind.is_custom()) return kCustomStrategy;
  const Strategy* workload = workload_strategy(kind);
  return workload != nullptr ? *workload : kUntypedStrategy;
}

const Strategy& strategy_of(const cases::Request& request, const cases::Cluster& cluster) {
  return strategy_of(cases::kind_of(request, cluster));
}

const Type* table_of(const document::Value& object) {
  if (is_pod(object)) return &kPod;
  const cases::GroupKind said = cases::group_kind_of(object);
  const cases::Kind* kind = cases::built_in_kind(said.group, said.kind);
  return kind == nullptr ? nullptr : strategy_of(*kind).type;
}

}  // namespace fixpoint::apiserver
