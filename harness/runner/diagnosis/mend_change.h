#pragma once

#include <string>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::runner {

enum class Mend { nothing, add_if_absent, merge, keep_fields, keep_order };

/// Returns another result of a call than `after`: the same change of the Pod `before`, made more carefully.
/// The elements and members that differ are identified by their places, `spec.volumes[ca]`; with a place in
/// `only` nothing else is mended.
document::Value mended(Mend how, const document::Value& before, const document::Value& after,
                       std::vector<std::string>& places, const std::string& only = "");

}  // namespace fixpoint::runner
