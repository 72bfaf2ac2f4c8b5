#pragma once

#include <cstddef>
#include <string>

#include "harness/apiserver/registrations/validate_policy.h"
#include "harness/document/limits.h"

namespace fixpoint::external {

/// Returns a function that says where a field of a file's document is, "line 3, column 5"; `number` counts
/// the documents from 0. The field is spelled as the server spells it: spec.mutations[0].patchType. The
/// answer is empty for standard input, and for a file that is no YAML.
apiserver::WhereFieldIs where_fields_are(std::string path, std::size_t number, const Limits& limits);

}  // namespace fixpoint::external
