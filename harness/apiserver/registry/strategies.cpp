#include "harness/apiserver/registry/strategies.h"

namespace fixpoint::apiserver {

const Strategy& strategy_of(const cases::Kind& kind) {
  if (kind.is_pod()) return kPodStrategy;
  return kind.is_custom() ? kCustomStrategy : kUntypedStrategy;
}

const Strategy& strategy_of(const cases::Request& request, const cases::Cluster& cluster) {
  return strategy_of(cases::kind_of(request, cluster));
}

}  // namespace fixpoint::apiserver
