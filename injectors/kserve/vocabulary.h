#pragma once

#include <string_view>

#include "injectors/kserve/common.h"

namespace fixpoint::injectors::kserve {

/// What makes the injector of that name act, in that release: for kserve/pod-mutator all of it.
runner::Vocabulary vocabulary_of(std::string_view injector, const Common& release);

/// The config map that is always in the cluster: as shipped, but for modelcars, which are on where they are
/// the matter.
Value config_map_of(std::string_view injector, const Common& release);

}  // namespace fixpoint::injectors::kserve
