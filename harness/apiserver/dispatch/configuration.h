#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/webhook_configuration.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::apiserver {

struct Expression;
namespace policies {
struct Policy;
}

using document::Result;
using document::Value;

/// One match condition of a webhook, compiled.
struct MatchCondition {
  std::string name;
  std::shared_ptr<const Expression> expression;
};

/// One entry of the flat list of webhooks, with the API's defaults (docs/simulator.md#1-3).
struct ConfiguredWebhook : cases::WebhookRef {
  std::string id = {};  ///< <configuration>/<name>/<n>: its identity for reinvocation (docs/simulator.md#1-2)
  int index = 0;        ///< in the flat list, matching or not
  bool ignores_failure = false;
  bool if_needed = false;      ///< reinvocationPolicy
  bool exact = false;          ///< matchPolicy
  bool is_validating = false;  ///< it may not change the object
  Value namespace_selector = {};
  Value object_selector = {};
  Value rules = {};
  std::vector<MatchCondition> conditions = {};
  std::string side_effects = {};
  std::string review_version = {};  ///< the first version that the server knows, or empty
  int timeout_seconds = 10;
  Value client = {};  ///< clientConfig
};

/// The URL that the server calls, with its own default port; without a clientConfig, `https://` and the
/// webhook's name.
std::string url_of(const ConfiguredWebhook& webhook);

/// All webhooks of a Case's cluster in the server's order: configurations bytewise by name, webhooks as
/// stored. The bindings of policies follow them, in the order in which they run. An expression that the
/// simulator does not support is an error that begins with "unsupported".
Result<std::vector<ConfiguredWebhook>> read_configurations(const cases::Case& value);
/// The same, of policies that are read already.
Result<std::vector<ConfiguredWebhook>> read_configurations(const cases::Case& value,
                                                           const std::vector<policies::Policy>& policies);

/// The validating webhooks of a Case that are called (cases::called_validators), in the same form and order.
Result<std::vector<ConfiguredWebhook>> read_validators(const cases::Case& value);

}  // namespace fixpoint::apiserver
