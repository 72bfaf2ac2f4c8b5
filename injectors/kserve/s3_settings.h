#pragma once

#include <vector>

#include "injectors/kserve/scene.h"

namespace fixpoint::injectors::kserve {

/// The env entries that S3 settings become, in upstream's order: from annotations, from 0.16.0 on also from
/// `secret_data` (which may be null), else from the configuration. Each only if it is not empty.
std::vector<Value> s3_settings(const Value& annotations, const Value& secret_data, const Scene& scene);

}  // namespace fixpoint::injectors::kserve
