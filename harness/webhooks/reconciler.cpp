#include "harness/webhooks/reconciler.h"

#include <algorithm>

namespace fixpoint::webhooks {

const Value* Objects::find(std::string_view kind, std::string_view namespace_name,
                           std::string_view name) const {
  for (const Value& object : all) {
    const Value& metadata = object["metadata"];
    if (metadata["name"].text() == name && object["kind"].text() == kind &&
        metadata["namespace"].text() == namespace_name) {
      return &object;
    }
  }
  return nullptr;
}

std::string_view word(Request::Verb verb) {
  switch (verb) {
    case Request::Verb::create:
      return "create";
    case Request::Verb::update:
      return "update";
    case Request::Verb::remove:
      return "delete";
  }
  return "ask for";
}

bool is_owned(const Value& object) {
  const auto owners = object["metadata"]["ownerReferences"].elements();
  return std::any_of(owners.begin(), owners.end(),
                     [](const Value& owner) { return owner["uid"].text() == kOwnerUid; });
}

}  // namespace fixpoint::webhooks
