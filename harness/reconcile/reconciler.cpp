#include "harness/reconcile/reconciler.h"

#include <algorithm>

namespace fixpoint::reconcile {

bool is_owned(const Value& object) {
  const auto owners = object["metadata"]["ownerReferences"].elements();
  return std::any_of(owners.begin(), owners.end(),
                     [](const Value& owner) { return owner["uid"].text() == kOwnerUid; });
}

}  // namespace fixpoint::reconcile
