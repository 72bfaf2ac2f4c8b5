#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "injectors/kserve/common.h"

namespace fixpoint::injectors::kserve {

/// Alternatives for the cluster objects that a webhook which reads these sections looks at: other config maps
/// than `map`, service accounts and their secrets, ClusterStorageContainers, InferenceServices.
std::vector<std::vector<Value>> object_alternatives(const Value& map, unsigned sections,
                                                    const Common& release);

/// The section storageInitializer with the four amounts and more members, written `, "member": value`.
std::string storage_section(std::string_view more);

}  // namespace fixpoint::injectors::kserve
