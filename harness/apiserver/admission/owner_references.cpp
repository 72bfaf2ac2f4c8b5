#include "harness/apiserver/admission/owner_references.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace fixpoint::apiserver {

using document::Value;

std::optional<std::string> remove_repeated_owners(Value& object, bool is_mutated) {
  std::vector<Value> kept;
  std::string repeated;
  for (const Value& owner : object["metadata"]["ownerReferences"].elements()) {
    if (std::ranges::find(kept, owner) == kept.end())
      kept.push_back(owner);
    else
      repeated.append(repeated.empty() ? "" : ", ").append(owner["uid"].text());
  }
  if (kept.size() == object["metadata"]["ownerReferences"].size()) return std::nullopt;
  object.edit("metadata").set("ownerReferences", Value(std::move(kept)));
  return std::string(".metadata.ownerReferences contains duplicate entries") +
         (is_mutated ? " after mutating admission happens" : "") +
         "; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; "
         "please fix your requests; duplicate UID(s) observed: " +
         repeated;
}

}  // namespace fixpoint::apiserver
