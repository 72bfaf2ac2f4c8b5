#pragma once

#include <string_view>
#include <vector>

#include "harness/cases/case.h"

// Rules for the Cases on which the simulator and a real server are compared (`fixpoint live --random`).
namespace fixpoint::generators {

inline constexpr std::string_view kComparedWebhook = "c/w.example.io";

/// Returns the configuration of that webhook, which is called for creations and updates of the resources.
document::Value compared_configuration(std::vector<document::Value> groups,
                                       std::vector<document::Value> resources);

/// Lets the webhook answer with the patch, if it has an operation.
void put_compared_patch(cases::Case& value, const document::Value& patch);

}  // namespace fixpoint::generators
