#pragma once

#include <string>
#include <vector>

#include "harness/oracle/oracle_expression.h"
#include "harness/oracle/oracle_request.h"

namespace fixpoint::oracle {

/// One webhook in the flat list of webhooks: its configuration, index and identity (docs/simulator.md#1-2).
struct Entry {
  std::string configuration;
  std::string name;
  std::string key;  ///< <configuration>/<name>
  std::string id;   ///< <configuration>/<name>/<n>
  int index = 0;
  Json webhook;
  bool ignores_failure() const { return text_at(webhook, "failurePolicy") == "Ignore"; }
  /// Returns the first review version that the server supports, or "".
  std::string review_version() const;
};

std::vector<Entry> flat_list(const RequestContext& around);

/// The answer of a selector; `error` if no server can parse it.
enum class Selected { no, yes, error };
Selected select(const Json& selector, const Json& labels);
/// A selector on the request's namespace, and one on the object or the old one.
Selected in_namespace(const Json& selector, const RequestContext& around);
Selected selects_object(const Json& selector, const RequestContext& around, const Json& object);
/// The labels of the request's namespace, with the server's own.
Json namespace_labels(const RequestContext& around);
/// Returns true if a rule of a webhook or a policy takes the request.
bool takes(const Json& rule, const RequestContext& around);

/// Returns the AdmissionRequest without object and oldObject (docs/simulator.md#3-2).
Json review_request(const RequestContext& around, const std::string& name, const std::string& uid);

/// Returns true if the server calls the webhook for the request with this object (docs/simulator.md#2).
/// Throws Rejected, with the reason `Forbidden`, if a match condition failed.
bool matches(const Entry& entry, const RequestContext& around, const Json& object, const Evaluate& evaluate);

}  // namespace fixpoint::oracle
