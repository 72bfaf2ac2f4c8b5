#pragma once

#include <string_view>

#include "harness/cases/case.h"
#include "harness/cases/kind.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

// What the rules and selectors of webhooks and policies have in common (docs/simulator.md#2).
namespace fixpoint::apiserver {

/// Returns true if a rule selects requests for the kind in its version, with that subresource.
bool rule_matches(const document::Value& rule, const cases::Kind& kind, std::string_view operation,
                  std::string_view sub_resource);
/// Returns true if a list of rules has one that selects the request's own resource.
bool any_rule_matches(const document::Value& rules, const cases::Kind& kind, const cases::Request& request);

/// The labels of the request's namespace, with the one that the server itself puts on every Namespace.
document::Value namespace_labels(const cases::Request& request, const cases::Cluster& cluster);

/// Whether a selector selects the request's namespace, or the Namespace that the request is about; an
/// absent or empty one selects every namespace, and no selector excludes another cluster-wide object. An
/// error for a selector that no server can parse.
document::Result<bool> selects_namespace(const document::Value& selector, const cases::Kind& kind,
                                         const cases::Request& request, const cases::Cluster& cluster);
/// Whether a selector selects the object, or the old object of the request.
document::Result<bool> selects_object(const document::Value& selector, const cases::Request& request,
                                      const document::Value& object);

}  // namespace fixpoint::apiserver
