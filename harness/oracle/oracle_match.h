#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/oracle/oracle_plugins.h"

namespace fixpoint::oracle {

/// One entry of the flat list of webhooks, as configured, with its place and identity
/// (docs/simulator.md#1-2).
struct Entry {
  std::string configuration;
  std::string name;
  std::string key;  ///< <configuration>/<name>
  std::string id;   ///< <configuration>/<name>/<n>
  int index = 0;
  Json webhook;
  bool ignores_failure() const { return text_at(webhook, "failurePolicy") == "Ignore"; }
  /// The first review version that the server knows, or "".
  std::string review_version() const;
};

std::vector<Entry> flat_list(const Surroundings& around);

/// The evaluation of CEL is supplied from outside: the results of the expressions, `yes`, `no` or `error`, or
/// `exhausted`, which ends the list.
using Conditions =
    std::function<std::vector<std::string>(const std::vector<std::string>& expressions, const Json& object,
                                           const Json& old_object, const Json& request)>;

/// The AdmissionRequest without object and oldObject (docs/simulator.md#3-2).
Json review_request(const Surroundings& around, const std::string& name, const std::string& uid);

/// Returns true if the webhook is to be called for the request with this object (docs/simulator.md#2). Throws
/// Rejected, with the reason `Forbidden` for a match condition that failed.
bool matches(const Entry& entry, const Surroundings& around, const Json& object,
             const Conditions& conditions);

}  // namespace fixpoint::oracle
