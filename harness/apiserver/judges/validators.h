#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/dispatch/configuration.h"
#include "harness/document/limits.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::apiserver {

/// The validating webhooks that judge a Pod, and what calling them takes.
struct Validators {
  std::vector<ConfiguredWebhook> webhooks = {};
  const std::map<std::string, webhooks::Handler>* handlers = nullptr;  ///< by ConfiguredWebhook::key
  const std::map<std::string, int>* calls = nullptr;  ///< earlier ones of the same request; null for none
  std::string_view name = {};  ///< of the object, from the request; empty if there is only generateName
  Value managed_fields = {};   ///< of the object after mutation
  Limits limits = {};
};

}  // namespace fixpoint::apiserver
