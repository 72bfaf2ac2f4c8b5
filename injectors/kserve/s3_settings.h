#pragma once

#include <vector>

#include "injectors/kserve/step_input.h"

namespace fixpoint::injectors::kserve {

/// Returns the env entries for S3 settings, in upstream's order: from annotations, from 0.16.0 on also from
/// `secret_data` (which may be null), else from the configuration. Empty settings are omitted.
std::vector<Value> s3_settings(const Value& annotations, const Value& secret_data, const StepInput& input);

}  // namespace fixpoint::injectors::kserve
