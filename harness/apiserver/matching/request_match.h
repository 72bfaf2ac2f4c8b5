#pragma once

#include <optional>
#include <string_view>

#include "harness/cases/case.h"
#include "harness/cases/kind.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

// Rules and selectors, which webhooks and policies have in common (docs/simulator.md#2).
namespace fixpoint::apiserver {

/// Returns true if a rule selects requests for the kind in its version, with that subresource.
bool rule_matches(const document::Value& rule, const cases::Kind& kind, std::string_view operation,
                  std::string_view sub_resource);
/// Returns the kind in the version by which a list of rules selects the request: its own, or the first of the
/// other served versions of a custom resource, unless only exact matches count
/// (apiserver/pkg/admission/plugin/webhook/generic/webhook.go ShouldCallHook). Nothing if none does.
std::optional<cases::Kind> selected_version(const document::Value& rules, const cases::Kind& kind,
                                            const cases::Request& request, bool is_exact);

/// Returns an object of a custom resource in the version of the kind, as a conversion without a webhook makes
/// it; another object, and a Scale, as it is.
document::Value in_version(document::Value object, const cases::Request& request, const cases::Kind& kind);

/// The labels of the request's namespace, with the one that the server itself puts on every Namespace.
document::Value namespace_labels(const cases::Request& request, const cases::Cluster& cluster);

/// Returns true if a selector selects the request's namespace, or the Namespace that the request is about; an
/// absent or empty one selects every namespace, and no selector excludes another cluster-wide object. An
/// error for a selector that no server can parse.
document::Result<bool> selects_namespace(const document::Value& selector, const cases::Kind& kind,
                                         const cases::Request& request, const cases::Cluster& cluster);
/// Returns true if a selector selects the object, or the old object of the request.
document::Result<bool> selects_object(const document::Value& selector, const cases::Request& request,
                                      const document::Value& object);

}  // namespace fixpoint::apiserver
