#include "injectors/kserve/autoscaler/component.h"

#include <algorithm>

namespace fixpoint::injectors::kserve::autoscaler {

bool is_owned(const Value& object) {
  const auto owners = object["metadata"]["ownerReferences"].elements();
  return std::any_of(owners.begin(), owners.end(),
                     [](const Value& owner) { return owner["uid"].text() == kOwnerUid; });
}

std::string_view class_of(const Value& desired) {
  const Value* given = desired["annotations"].find(kClassAnnotation);
  return given == nullptr ? "hpa" : given->text();
}

}  // namespace fixpoint::injectors::kserve::autoscaler
