#pragma once

#include "harness/document/result.h"
#include "injectors/kserve/step_input.h"

namespace fixpoint::injectors::kserve {

/// The container of the ClusterStorageContainer that fits a URI (null if none fits), or the reason why the
/// Pod is refused.
struct StorageContainer {
  Value container = {};
  Problem problem = {};
};

/// Finds the first ClusterStorageContainer, by name, whose formats fit the URI
/// (docs/kserve.md#2-3-storage-container).
StorageContainer find_storage_container(std::string_view uri, const StepInput& input);
/// Returns the ClusterStorageContainer of that name, which must support the URI (from 0.20.0, #5314).
StorageContainer storage_container_named(std::string_view name, std::string_view uri, const StepInput& input);

/// Returns the built container with the ClusterStorageContainer's container merged over it, as the release
/// does it: with a strategic merge patch; from 0.16.0 to 0.19 decoded into the struct that holds the old
/// values; from 0.20.0 on with env entries that keep only one of value and valueFrom (#5541). An empty name
/// keeps the built container's name.
Value merge_container(const Value& built, const Value& overrides, const Common& release);

}  // namespace fixpoint::injectors::kserve
