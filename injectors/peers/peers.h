#pragma once

#include <string_view>

#include "harness/runner/subject.h"
#include "harness/webhooks/webhook.h"

/// Neighbours in a chain that behave as good webhooks do: each is a no-op on its own output, wherever it is
/// called.
namespace fixpoint::injectors::peers {

runner::Subject guarded_subject(std::string_view release);
webhooks::Handler guarded_handler(std::string_view release);
runner::Subject appended_subject(std::string_view release);
webhooks::Handler appended_handler(std::string_view release);
runner::Subject metadata_subject(std::string_view release);
webhooks::Handler metadata_handler(std::string_view release);

/// A configuration with one webhook for the creation of Pods, called again when needed.
runner::Subject peer_subject(const char* name, const char* configuration, const char* webhook);

}  // namespace fixpoint::injectors::peers
