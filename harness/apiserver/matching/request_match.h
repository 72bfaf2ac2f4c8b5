#pragma once

#include <string_view>

#include "harness/cases/case.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

// What the rules and selectors of webhooks and policies have in common (docs/simulator.md#2).
namespace fixpoint::apiserver {

/// Returns true if a rule selects the request's own resource: pods with a subresource, in the core group.
bool rule_matches(const document::Value& rule, std::string_view operation, std::string_view sub_resource);
/// Returns true if a list of rules has one that selects the request's own resource.
bool any_rule_matches(const document::Value& rules, const cases::Request& request);

/// The labels of the request's namespace, with the one that the server itself puts on every Namespace.
document::Value namespace_labels(const cases::Request& request, const cases::Cluster& cluster);

/// Whether a selector selects the request's namespace; an absent or empty one selects every namespace. An
/// error for a selector that no server can parse.
document::Result<bool> selects_namespace(const document::Value& selector, const cases::Request& request,
                                         const cases::Cluster& cluster);
/// Whether a selector selects the object, or the old object of the request.
document::Result<bool> selects_object(const document::Value& selector, const cases::Request& request,
                                      const document::Value& object);

}  // namespace fixpoint::apiserver
