#pragma once

#include <string>

#include "harness/cases/case.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::conformance {

/// The Case as a server runs it: another namespace in the place of its own, its PriorityClasses and
/// RuntimeClasses under names that begin with that namespace's, and what a client cannot choose. Why it
/// cannot be run there at all, when that is so.
document::Result<cases::Case> as_run(cases::Case value, const std::string& namespace_name,
                                     const std::string& version, bool dry_run);

/// The first object of the Case that the whole cluster would see; null when there is none.
const document::Value* cluster_wide_object(const cases::Case& value);

/// A MutatingWebhookConfiguration whose rules match nothing beyond the namespace: its webhooks select it by
/// name, and their rules have the scope Namespaced, since a namespaceSelector lets all objects without a
/// namespace pass. A rule of the scope Cluster is left out.
document::Value narrowed(document::Value configuration, const std::string& namespace_name);

/// The server's answer without the values that differ from run to run (docs/formats.md#vectors).
document::Value without_fleeting(document::Value object);

}  // namespace fixpoint::conformance
