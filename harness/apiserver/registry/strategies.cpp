#include "harness/apiserver/registry/strategies.h"

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

}  // namespace fixpoint::apiserver
