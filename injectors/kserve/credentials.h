#pragma once

#include "injectors/kserve/step_input.h"

namespace fixpoint::injectors::kserve {

/// Gives a container the credentials in the secrets of the service account (docs/kserve.md#2-3-2), and the
/// Pod their volumes. A missing account changes nothing; a missing secret refuses the Pod.
Problem add_account_credentials(Value& pod, Value& container, std::string_view account,
                                const StepInput& input);

/// Gives the init container the secret of a storage spec, and fills the placeholder in its first argument.
Problem add_storage_spec(const Value& pod, Value& container, std::string_view key, const Value& overrides,
                         const StepInput& input);

}  // namespace fixpoint::injectors::kserve
