#pragma once

#include <string_view>

#include "injectors/kserve/common.h"

namespace fixpoint::injectors::kserve {

/// Returns the vocabulary that makes the injector of that name act in that release. For kserve/pod-mutator it
/// is that of all steps.
runner::Vocabulary vocabulary_of(std::string_view injector, const Common& release);

/// Returns the config map that is always in the cluster: as shipped, except that modelcars are enabled for
/// injectors that need them.
Value config_map_of(std::string_view injector, const Common& release);

}  // namespace fixpoint::injectors::kserve
