#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/cases/case.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::conformance {

/// The label of the objects by which a run learns what the server uses: probe_pod() and probe_map() of
/// live_webhooks.h.
inline constexpr const char* kProbeLabel = "fixpoint-live-probe";

/// Returns the Case as it runs on a real server: in another namespace, with the namespace's name before those
/// of its PriorityClasses and RuntimeClasses, and with the server's own values where a client cannot choose.
/// An error that says why, if the Case cannot run there.
document::Result<cases::Case> as_run(cases::Case value, const std::string& namespace_name,
                                     const std::string& version, bool dry_run);

/// Returns an update's old Pod as a client can create it.
document::Value to_store(document::Value pod);

/// Puts the Pod that a server has stored in the place of the Case's old one, with the Case's change on top.
/// An error if the change does not fit it.
std::optional<document::Error> put_stored(cases::Case& value, const document::Value& stored);

/// Returns the first object of the Case that would affect the whole cluster; null if there is none.
const document::Value* cluster_wide_object(const cases::Case& value);

/// Returns a webhook configuration, of either kind, whose rules match nothing outside the namespace: its
/// webhooks select the namespace by name, and their rules have the scope Namespaced, since a
/// namespaceSelector does not exclude objects without a namespace. Rules of the scope Cluster are left out.
/// Objects with the label `probe_label` are left out, too, if it is not empty.
document::Value narrowed(document::Value configuration, const std::string& namespace_name,
                         std::string_view probe_label = {});

/// Returns the server's answer without the values that differ from run to run (docs/formats.md#vectors), and,
/// of an object without a template of Pods, without generation and status.
document::Value without_fleeting(document::Value object, bool has_template = false);

}  // namespace fixpoint::conformance
