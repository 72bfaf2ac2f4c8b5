#include "harness/apiserver/registry/strategies.h"

#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/kinds/typed_kind.h"
#include "harness/apiserver/types/pod_types.h"

namespace fixpoint::apiserver {

const Strategy& strategy_of(const cases::Kind& kind) {
  if (kind.is_pod()) return kPodStrategy;
  if (kind.is_custom()) return kCustomStrategy;
  const Strategy* typed = typed_strategy(kind);
  return typed != nullptr ? *typed : kUntypedStrategy;
}

const Strategy& strategy_of(const cases::Request& request, const cases::Kind& kind) {
  return request.is_scale() ? kScaleStrategy : strategy_of(kind);
}

const Strategy& strategy_of(const cases::Request& request, const cases::Cluster& cluster) {
  return strategy_of(request, cases::kind_of(request, cluster));
}

bool makes_pods(const cases::Kind& kind) { return !strategy_of(kind).template_steps.empty(); }

const document::Value& template_in(const document::Value& object, const cases::Kind& kind) {
  static const document::Value kNone;
  return makes_pods(kind) ? kinds::template_of(object, strategy_of(kind).template_steps) : kNone;
}

document::Value& edit_template(document::Value& object, const cases::Kind& kind) {
  return kinds::edit_template(object, strategy_of(kind).template_steps);
}

const Type* table_of(const document::Value& object) {
  if (is_pod(object)) return &kPod;
  const cases::GroupKind said = cases::group_kind_of(object);
  const cases::Kind* kind = cases::built_in_kind(said.group, said.kind);
  return kind == nullptr ? nullptr : strategy_of(*kind).type;
}

}  // namespace fixpoint::apiserver
