#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "injectors/kserve/common.h"

namespace fixpoint::injectors::kserve {

/// Returns alternatives for the cluster objects that a webhook with these sections reads: config maps other
/// than `map`, service accounts and their secrets, ClusterStorageContainers, InferenceServices.
std::vector<std::vector<Value>> object_alternatives(const Value& map, unsigned sections,
                                                    const Common& release);

/// Returns the section storageInitializer with the four amounts and more members, which are written `,
/// "member": value`.
std::string storage_section(std::string_view more);

}  // namespace fixpoint::injectors::kserve
